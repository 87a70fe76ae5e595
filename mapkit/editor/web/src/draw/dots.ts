// Dots and squares that were found in the picture underneath, as proposals for mileposts and cities.
import { computed, effect, signal } from "@preact/signals";
import { board } from "../board";
import type { Sketch } from "../board/BoardView";
import { query } from "../edit";
import { errorText } from "../errors";
import type { PictureAbout, SymbolsFound } from "../generated";
import { cities, mileposts, ready } from "../store";
import type { Point } from "../wire";
import { aligned, controlPoints, forward, looks, placed } from "./background";
import { PictureJob } from "./pictureJobs";

export interface Proposal {
  key: string;
  kind: "dot" | "square";
  at: Point;
  /** Of the gazetteer, once the picture is placed; empty where there is none. */
  name: string;
  /** Its width, millimetres. */
  width: number;
  sure: number;
}

interface Found {
  about: PictureAbout;
  dots: SymbolsFound["symbols"];
  names: readonly string[];
  doubts: readonly string[];
}

export const finding = new PictureJob("POST /api/picture-dots/{id}", "GET /api/picture-dots/{id}");
const found = signal<Found | null>(null);
const dismissed = signal<ReadonlySet<string>>(new Set());
/** The proposal that is chosen in the list. */
export const chosenDot = signal<string | null>(null);
/** The one under the pointer. */
export const pointedDot = signal<string | null>(null);

/** How far a milepost of the board may lie from a symbol that it is, in widths of the symbol and in millimetres. */
const SAME = 1.5;
const LEAST_MM = 1.5;
/** Likewise one that has the name that is proposed, or to which no other symbol is nearer. */
const NEAR = 4;
/** So many proposals are named on the board; of more, only those that are chosen or pointed at. */
const MOST_NAMED = 40;

export async function findDots(): Promise<void> {
  const about = aligned();
  if (!about) return;
  found.value = null;
  const made = await finding.run(about);
  if (!made) return;
  dismissed.value = new Set();
  chosenDot.value = null;
  found.value = { about, dots: made.symbols, names: [], doubts: made.warnings };
}

/** The picture in which they were found, if it is the one that the control points are of. */
export const dotsPicture = computed(() => (found.value && found.value.about.id === aligned()?.id ? found.value.about : null));

/** Why much of what was found is in doubt. */
export const dotsDoubts = computed(() => found.value?.doubts ?? []);

/** Whether the names of what was found are being looked up; who accepts it before would get places without names. */
export const namingDots = signal(false);
let again = false;

/** Ask what they would be called as the picture lies now; of wishes while one answer is awaited, the newest counts. */
async function nameDots(): Promise<void> {
  const now = found.peek();
  if (!now || now.dots.length === 0) return;
  if (namingDots.peek()) {
    again = true;
    return;
  }
  namingDots.value = true;
  try {
    const { names } = await query("name-dots", { model: model.peek(), dots: now.dots.map(({ kind, x, y, width }) => ({ kind, x, y, width })) });
    if (found.peek()?.dots === now.dots && found.peek()?.names.join("|") !== names.join("|")) found.value = { ...now, names };
  } catch (error) {
    finding.error.value = errorText(error);
  } finally {
    namingDots.value = false;
  }
  if (again) {
    again = false;
    await nameDots();
  }
}

const foundDots = computed(() => found.value?.dots);
const model = computed(() => looks.value.model);
effect(() => {
  void foundDots.value;
  void controlPoints.value;
  void model.value;
  if (ready.value) void nameDots();
});

const placedDots = computed((): Proposal[] => {
  const [now, map] = [found.value, placed.value?.map];
  if (!now || !map || !dotsPicture.value) return [];
  return now.dots.map(({ kind, x, y, width, confidence }, i) => {
    const [left, right] = [forward(map, x - width / 2, y), forward(map, x + width / 2, y)];
    return { key: String(i), kind, at: forward(map, x, y), name: now.names[i] ?? "", width: Math.hypot(right[0] - left[0], right[1] - left[1]), sure: confidence };
  });
});

const folded = (name: string): string => name.toLowerCase().trim();

interface Post {
  at: Point;
  city: boolean;
  names: readonly string[];
}
const posts = computed((): Post[] =>
  Object.values(mileposts.value).map((post) => ({
    at: [post.x, post.y],
    city: post.cities.length > 0,
    names: [post.name, ...post.cities.flatMap((id) => [cities.value[id]?.name ?? id, cities.value[id]?.milepost ?? ""])].map(folded),
  })),
);

const apart = (one: { at: Point }, other: { at: Point }): number => Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]);

function nearest<T extends { at: Point }>(to: { at: Point }, all: readonly T[]): T | null {
  let best: T | null = null;
  let least = Infinity;
  for (const one of all) {
    const away = apart(one, to);
    if (away < least) [best, least] = [one, away];
  }
  return best;
}

/** Whether a symbol is a milepost of the board: it lies on one, or near one that is nearer to no other symbol. */
function isThere(one: Proposal, able: readonly Post[], all: readonly Proposal[]): boolean {
  const post = nearest(one, able);
  if (!post) return false;
  const away = apart(one, post);
  if (away <= Math.max(SAME * one.width, LEAST_MM)) return true;
  return away <= NEAR * one.width && nearest(post, all) === one;
}

/** What is proposed: what is a milepost, or for a square a city, is on the board already. */
const open = computed((): Proposal[] => {
  const all = placedDots.value;
  const cityPosts = posts.value.filter((post) => post.city);
  return all.flatMap((one) => {
    const able = one.kind === "square" ? cityPosts : posts.value;
    if (isThere(one, able, all)) return [];
    const same = one.name === "" ? [] : able.filter((post) => post.names.includes(folded(one.name)));
    if (same.some((post) => apart(one, post) <= NEAR * one.width)) return [];
    return [same.length > 0 ? { ...one, name: "" } : one];
  });
});

export const proposals = computed(() => open.value.filter((one) => !dismissed.value.has(one.key)));
/** How many were found, lie on the board already, and were dismissed. */
export const counts = computed(() => {
  const all = placedDots.value.length;
  return { all, there: all - open.value.length, dismissed: open.value.length - proposals.value.length };
});

export const dismiss = (keys: readonly string[]): void => void (dismissed.value = new Set([...dismissed.value, ...keys]));
export const bringBack = (): void => void (dismissed.value = new Set());

/** The proposal at a place, within so many millimetres. */
export function proposedAt(x: number, y: number, reach: number): Proposal | null {
  let best: Proposal | null = null;
  let least = reach;
  for (const one of proposals.value) {
    const away = Math.hypot(one.at[0] - x, one.at[1] - y);
    if (away <= least) [best, least] = [one, away];
  }
  return best;
}

/** What a proposal is called where it has no name. */
export const calledDot = (one: Proposal): string => one.name || (one.kind === "square" ? "square without a name" : "dot without a name");

effect(() => {
  const all = proposals.value;
  const few = all.length <= MOST_NAMED;
  board.sketch(
    "proposals",
    all.flatMap((one): Sketch[] => {
      const lit = one.key === chosenDot.value || one.key === pointedDot.value;
      const shape: Sketch = { kind: one.kind === "square" ? "frame" : "ring", at: one.at, radius: lit ? 9 : 6, colour: lit ? "--board-accent" : "--board-control" };
      return lit || (few && one.name) ? [shape, { kind: "text", at: one.at, text: calledDot(one) }] : [shape];
    }),
  );
});
