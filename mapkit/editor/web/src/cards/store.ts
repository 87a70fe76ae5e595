// What the page knows of a card game: its tables, what is chosen, and the pictures of its cards.
import { computed, effect, signal } from "@preact/signals";
import { cardAnswer } from "../json";
import { OpenDocument } from "../tabled/document";
import type { JsonValue } from "../generated";
import type { CardAnswers, CardView, ChangedRow, Pair, Pictured } from "./wire";

export const board = new OpenDocument<CardView>();
export const { tables, view, before, revision } = board;

export interface Look {
  readonly theme: string;
  readonly language: string;
  readonly size: string;
}
export const look = signal<Look>({ theme: "classic", language: "en", size: "poker" });

/** The row that is chosen in a table or by its card. */
export const current = signal<{ readonly table: string; readonly key: string } | null>(null);
export const isCurrent = (rows: Pictured["rows"]): boolean => rows.some(([table, key]) => current.value?.table === table && current.value.key === key);

/** Ask a question of mapkit/kinds/cards/queries.py. */
export const askCards = async <Name extends keyof CardAnswers>(name: Name, body: Readonly<Record<string, JsonValue>>): Promise<CardAnswers[Name]> =>
  cardAnswer(name, await board.query(name, body));

const REST = 200;
export const pictures = signal<readonly Pictured[]>([]);
export const savedPictures = signal<readonly Pictured[]>([]);
export const changedRows = signal<readonly ChangedRow[]>([]);
/** Why there are no pictures. */
export const trouble = signal<string | null>(null);
const fonts = signal("");

const urls = new Map<string, string>();
/** The address of a picture, with its fonts; the same text has the same address, so that nothing flickers. */
export function urlOf(svg: string): string {
  const known = urls.get(svg);
  if (known !== undefined) return known;
  const end = svg.indexOf(">", svg.indexOf("<svg")) + 1;
  const styled = fonts.peek() ? `${svg.slice(0, end)}<style>${fonts.peek()}</style>${svg.slice(end)}` : svg;
  const url = URL.createObjectURL(new Blob([styled], { type: "image/svg+xml" }));
  urls.set(svg, url);
  return url;
}

/** Forget pictures that are shown no more. */
function sweep(): void {
  const shown = new Set([...pictures.peek(), ...savedPictures.peek()].map((one) => one.svg));
  for (const [svg, url] of urls) {
    if (shown.has(svg)) continue;
    URL.revokeObjectURL(url);
    urls.delete(svg);
  }
}

async function draw(at: number, asked: Look, compare: boolean): Promise<void> {
  try {
    const now = await askCards("pictures", { ...asked });
    const [saved, changed] = compare
      ? await Promise.all([askCards("pictures", { ...asked, at: "saved" }), askCards("changed", {})])
      : [null, null];
    if (revision.peek() !== at || look.peek() !== asked) return;
    fonts.value = now.fonts;
    pictures.value = now.pictures;
    savedPictures.value = saved?.pictures ?? [];
    changedRows.value = changed?.rows ?? [];
    trouble.value = null;
    setTimeout(sweep, 2000);
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  }
}

// pictures are made again when the author rests
let waiting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const [at, asked, compare, saved] = [revision.value, look.value, before.value, board.history.value.saved];
  if (view.value === null) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => void draw(at, asked, compare), pictures.peek().length > 0 && saved >= 0 ? REST : 0);
});

/** How many cards there are in the box: one of two faces counts once, with all its copies. */
export function cardsIn(faces: readonly Pictured[]): number {
  const railroads = new Map(faces.flatMap((one) => one.rows.flatMap(([table, key]) => (table === "railroads" ? [[key, one.count] as const] : []))));
  const others = faces.filter((one) => !one.rows.some(([table]) => table === "railroads"));
  return others.reduce((sum, one) => sum + one.count, 0) + [...railroads.values()].reduce((sum, n) => sum + n, 0);
}

/** The cards that are not as they were saved. */
export const pairs = computed<readonly Pair[]>(() => {
  const [old, now] = [new Map(savedPictures.value.map((one) => [one.id, one])), new Map(pictures.value.map((one) => [one.id, one]))];
  const ids = [...new Set([...now.keys(), ...old.keys()])];
  return ids.flatMap((id) => {
    const [a, b] = [old.get(id) ?? null, now.get(id) ?? null];
    if (a?.svg === b?.svg && a?.count === b?.count) return [];
    return [{ id, title: (b ?? a)?.title ?? id, before: a, after: b }];
  });
});
