// Lines of files under the track, such as public rail lines: kept beside the board by the server, shown quietly, snapped to.
import { computed, effect, signal } from "@preact/signals";
import { board, type Ground } from "../board";
import type { BoardView } from "../board/BoardView";
import { query } from "../edit";
import { errorText, notTakenIn } from "../errors";
import { board as boardName, page, ready } from "../store";
import { keepSetting, keptSetting, ofBoard } from "../settings";
import { ask, askText } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import { send } from "../asked";
import { fields, objectOf } from "../json";
import type { JsonValue, Point } from "../wire";
import { LineIndex, type OnLine } from "./beneathIndex";
import type { KeptLines as LineFile } from "../generated";

export interface LineLook {
  visible: boolean;
  opacity: number;
  colour: string;
}

export const COLOURS = ["grey", "brown", "blue", "green", "red"] as const;
const PLAIN: LineLook = { visible: true, opacity: 0.6, colour: "grey" };

export const lineFiles = signal<readonly LineFile[]>([]);
export const lineBusy = signal("");

// how they are shown is kept by the program, not in the board

const looks = signal<Readonly<Record<string, LineLook>>>({});
const keyOf = (): string => ofBoard("lines", boardName.value);

function lineLookOf(kept: JsonValue | undefined): LineLook {
  const { visible, opacity, colour } = objectOf(kept);
  return {
    visible: typeof visible === "boolean" ? visible : PLAIN.visible,
    opacity: typeof opacity === "number" ? opacity : PLAIN.opacity,
    colour: typeof colour === "string" ? colour : PLAIN.colour,
  };
}

export const lineLook = (id: string): LineLook => looks.value[id] ?? PLAIN;

export function setLineLook(id: string, change: Partial<LineLook>): void {
  looks.value = { ...looks.value, [id]: { ...lineLook(id), ...change } };
  keepSetting(keyOf(), JSON.stringify(looks.value));
}

// files of the server

async function listLineFiles(): Promise<void> {
  lineFiles.value = (await send("GET /api/line-files", {})).files;
}

export async function addLineFile(file: File, crs = ""): Promise<void> {
  lineBusy.value = `Reading ${file.name} …`;
  let suggested = "";
  try {
    const reply = await send("POST /api/line-files", { file, query: { name: file.name, crs } });
    if ("suggested_crs" in reply) suggested = reply.suggested_crs;
    else {
      setLineLook(reply.id, { visible: true });
      await listLineFiles();
      toast(`${reply.name}: ${count(reply)}. What you draw snaps to them, unless Alt is held.`);
    }
  } catch (error) {
    toast(notTakenIn("lines", error), "error");
  } finally {
    lineBusy.value = "";
  }
  if (!suggested) return;
  const said = await askText(`${file.name} does not say its coordinate system`, "Coordinate system (EPSG:4326 is degrees)", suggested, "Add the lines");
  if (said?.trim()) await addLineFile(file, said.trim());
}

export const count = ({ lines, vertices }: LineFile): string =>
  `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"} with ${vertices.toLocaleString("en")} vertices`;

export async function removeLineFile(about: LineFile): Promise<void> {
  const sure = await ask({
    title: `Remove ${about.name}?`,
    text: "The lines are deleted from the editor's folder beside the board; this cannot be undone. Your own file stays, and so does what you drew along them.",
    buttons: [
      { id: "remove", label: "Remove it", kind: "danger" },
      { id: "keep", label: "Keep it" },
    ],
  });
  if (sure !== "remove") return;
  try {
    await send("DELETE /api/line-files/{id}", { id: about.id });
  } catch (error) {
    toast(errorText(error), "error");
  }
  await listLineFiles();
}

effect(() => {
  if (!ready.value) return;
  const take = (kept: string | null): void => {
    looks.value = Object.fromEntries(Object.entries(fields(kept)).map(([id, look]) => [id, lineLookOf(look)]));
  };
  take(keptSetting(keyOf(), take));
  void listLineFiles().catch((error: unknown) => toast(errorText(error), "error"));
});

// where they lie on the page

type Paths = readonly (readonly Point[])[];
const asked = new Map<string, unknown>();
const placed = signal<ReadonlyMap<string, Paths>>(new Map());

/** How many lines of a file are on the page; null until that is known. */
export const onPage = (id: string): number | null => placed.value.get(id)?.length ?? null;

const shownIds = computed(() =>
  lineFiles.value
    .filter((about) => lineLook(about.id).visible)
    .map((about) => about.id)
    .join(),
);

effect(() => {
  const whole = page.value;
  if (!ready.value) return;
  for (const id of shownIds.value.split(",").filter(Boolean)) {
    if (asked.get(id) === whole) continue;
    asked.set(id, whole);
    query("line-file", { id })
      .then(({ lines }) => {
        if (asked.get(id) === whole) placed.value = new Map(placed.value).set(id, lines);
      })
      .catch((error: unknown) => {
        if (asked.get(id) === whole) asked.delete(id);
        toast(errorText(error), "error");
      });
  }
});

export const layerOf = (id: string): string => `lines-${id}`;
const drawn = new Map<string, { paths: Paths; colour: string }>();

effect(() => {
  const shown = new Map(lineFiles.value.filter((about) => lineLook(about.id).visible).map((about) => [about.id, about]));
  for (const id of [...drawn.keys()]) {
    if (shown.has(id)) continue;
    board.setGround(layerOf(id), "", null);
    drawn.delete(id);
  }
  for (const [id, about] of shown) {
    const paths = placed.value.get(id);
    if (!paths) continue;
    const { colour, opacity } = lineLook(id);
    const had = drawn.get(id);
    if (had?.paths !== paths || had.colour !== colour) {
      drawn.set(id, { paths, colour });
      const name = `--beneath-${(COLOURS as readonly string[]).includes(colour) ? colour : PLAIN.colour}`;
      board.setGround(layerOf(id), about.name, paths.map((path): Ground => ({ kind: "line", path, colour: name, width: 1.4 })));
    }
    board.setLayer(layerOf(id), { opacity });
  }
});

// what a pointer catches

const indices = new WeakMap<Paths, LineIndex>();

function indexOf(id: string): LineIndex | null {
  const paths = placed.value.get(id);
  if (!paths) return null;
  const found = indices.get(paths) ?? new LineIndex(paths);
  indices.set(paths, found);
  return found;
}

export interface Beneath extends OnLine {
  file: string;
}

/** The nearest vertex of a line that is shown underneath, else the nearest place on one. */
export function beneathAt(x: number, y: number, reach: number, view: BoardView): Beneath | null {
  let best: Beneath | null = null;
  if (drawn.size === 0) return null;
  const seen = new Set(view.layers().flatMap((layer) => (layer.visible && layer.opacity > 0 ? [layer.id] : [])));
  const isVertex = (one: Beneath): boolean => one.between[0] === one.between[1];
  for (const file of drawn.keys()) {
    const found = seen.has(layerOf(file)) ? indexOf(file)?.near(x, y, reach) : null;
    if (!found) continue;
    const made = { ...found, file };
    if (!best || Number(isVertex(made)) > Number(isVertex(best)) || (isVertex(made) === isVertex(best) && made.away < best.away)) best = made;
  }
  return best;
}

/** The way between two places along lines of one file, without them; null if there is none. */
export function wayBeneath(from: Beneath, to: Beneath): Point[] | null {
  return from.file === to.file ? (indexOf(from.file)?.way(from, to) ?? null) : null;
}
