// What lies under the track: pictures with their control points, and the board as it was.
import { computed, effect, signal } from "@preact/signals";
import { board, type Ground } from "../board";
import { query, run } from "../edit";
import { send } from "../asked";
import { errorText, notTakenIn } from "../errors";
import { fields, objectOf } from "../json";
import { board as boardName, cities, history, page, ready, revision, table } from "../store";
import { keepSetting, keptSetting, ofBoard } from "../settings";
import { ask } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import type { Point } from "../wire";
import { addLineFile } from "./beneath";
import type { DraftPoint as Draft, MatrixMap, PictureAbout, PicturePlaced as Placed, ProposedPoint } from "../generated";

export type Model = "affine" | "projective" | "tps";
export const controlPoints = table("control_points");
export const pictures = signal<readonly PictureAbout[]>([]);
export const busy = signal("");
export const placed = signal<Placed | null>(null);
export const chosenPoint = signal<string | null>(null);
/** Control points that are proposed, those of them that are left out, and whether they stand in place of the board's. */
export const proposed = signal<{ points: readonly ProposedPoint[]; out: ReadonlySet<string>; alone: boolean } | null>(null);

// how it is shown is kept by the program, not in the board

interface Looks {
  aligned: string | null;
  model: Model;
  pictures: Readonly<Record<string, { visible: boolean; opacity: number }>>;
  ghost: string;
}
const DEFAULT: Looks = { aligned: null, model: "affine", pictures: {}, ghost: "" };
const PLAIN = { visible: true, opacity: 0.7 };
export const looks = signal<Looks>(DEFAULT);
const keyOf = (): string => ofBoard("background", boardName.value);

function looksOf(kept: ReturnType<typeof fields>): Looks {
  const { aligned: id, model: how, pictures: all, ghost } = kept;
  const shown = Object.entries(objectOf(all)).map(([key, look]) => {
    const { visible, opacity } = objectOf(look);
    return [key, { visible: visible !== false, opacity: typeof opacity === "number" ? opacity : PLAIN.opacity }] as const;
  });
  return {
    aligned: typeof id === "string" ? id : null,
    model: how === "projective" || how === "tps" ? how : "affine",
    pictures: Object.fromEntries(shown),
    ghost: typeof ghost === "string" ? ghost : "",
  };
}

export function setLooks(change: Partial<Looks>): void {
  looks.value = { ...looks.value, ...change };
  keepSetting(keyOf(), JSON.stringify(looks.value));
}

/** The picture that the control points are of. */
export const aligned = (): PictureAbout | null =>
  pictures.value.find((one) => one.id === looks.value.aligned) ?? pictures.value[0] ?? null;

const model = computed(() => looks.value.model);
const alignedId = computed(() => aligned()?.id ?? null);

export const lookOf = (id: string): { visible: boolean; opacity: number } => looks.value.pictures[id] ?? PLAIN;
export function setLook(id: string, change: { visible?: boolean; opacity?: number }): void {
  setLooks({ pictures: { ...looks.value.pictures, [id]: { ...lookOf(id), ...change } } });
}

// pictures of the server

export async function listPictures(): Promise<void> {
  try {
    pictures.value = (await send("GET /api/pictures", {})).pictures;
  } catch {
    // a board without a folder has none; where the line is cut, they are asked for again
  }
}

export async function addPicture(file: File): Promise<void> {
  busy.value = `Taking in ${file.name} …`;
  try {
    const about = await send("POST /api/pictures", { file, query: { name: file.name } });
    await listPictures();
    setLooks({ ...(Object.keys(controlPoints.value).length === 0 ? { aligned: about.id } : {}) });
    setLook(about.id, { visible: true });
    toast(`${about.name}: ${about.width} x ${about.height} pixels. Set control points to put it in its place.`);
  } catch (error) {
    toast(notTakenIn("picture", error), "error");
  } finally {
    busy.value = "";
  }
}

export async function removePicture(about: PictureAbout): Promise<void> {
  const sure = await ask({
    title: `Remove ${about.name}?`,
    text: "The picture is deleted from the editor's folder beside the board; this cannot be undone. Your own file and the control points stay.",
    buttons: [
      { id: "remove", label: "Remove it", kind: "danger" },
      { id: "keep", label: "Keep it" },
    ],
  });
  if (sure !== "remove") return;
  try {
    await send("DELETE /api/pictures/{id}", { id: about.id });
    await listPictures();
  } catch (error) {
    toast(errorText(error), "error");
  }
}

// where a pixel lies on the page, and back

export function forward(map: Placed["map"], x: number, y: number): Point {
  if ("matrix" in map) {
    const [a, b, c] = map.matrix;
    const w = c[0] * x + c[1] * y + c[2];
    // beyond the horizon of a picture taken askew
    if (w <= 1e-9) return [1e6, 1e6];
    return [(a[0] * x + a[1] * y + a[2]) / w, (b[0] * x + b[1] * y + b[2]) / w];
  }
  const [mx, my, size] = map.pixels;
  const [u, v] = [(x - mx) / size, (y - my) / size];
  const [zero, one, two] = map.affine;
  let [p, q] = [zero[0] + one[0] * u + two[0] * v, zero[1] + one[1] * u + two[1] * v];
  map.centres.forEach((centre, i) => {
    const square = (u - centre[0]) ** 2 + (v - centre[1]) ** 2;
    if (square === 0) return;
    const weight = 0.5 * square * Math.log(square);
    const bend = map.bends[i];
    p += weight * (bend?.[0] ?? 0);
    q += weight * (bend?.[1] ?? 0);
  });
  const [px, py, spread] = map.page;
  return [px + p * spread, py + q * spread];
}

export function backward(map: Placed["map"], to: Point, about: PictureAbout): Point {
  let [x, y] = [about.width / 2, about.height / 2];
  const step = Math.max(about.width, about.height) / 1000;
  for (let round = 0; round < 40; round += 1) {
    const at = forward(map, x, y);
    const [ex, ey] = [at[0] - to[0], at[1] - to[1]];
    if (Math.hypot(ex, ey) < 1e-6) break;
    const [right, down] = [forward(map, x + step, y), forward(map, x, y + step)];
    const [a, b] = [(right[0] - at[0]) / step, (down[0] - at[0]) / step];
    const [c, d] = [(right[1] - at[1]) / step, (down[1] - at[1]) / step];
    const det = a * d - b * c;
    if (Math.abs(det) < 1e-12) break;
    const [dx, dy] = [(d * ex - b * ey) / det, (a * ey - c * ex) / det];
    const most = Math.max(about.width, about.height);
    const share = Math.min(1, most / (Math.hypot(dx, dy) || 1));
    x -= dx * share;
    y -= dy * share;
  }
  return [x, y];
}

let asking = false;
let wanted: readonly Draft[] | null = null;

/** Fit the picture again, with points as they would be; while one answer is awaited only the newest wish is kept. */
export async function place(drafts: readonly Draft[] = []): Promise<void> {
  if (asking) {
    wanted = drafts;
    return;
  }
  const about = aligned();
  if (!about) {
    placed.value = null;
    return;
  }
  asking = true;
  try {
    const { width, height } = about;
    const { points = [], out, alone = false } = proposed.value ?? {};
    placed.value = await query("place-picture", { model: model.value, width, height, drafts, proposed: points.filter((point) => !out?.has(point.key)), alone });
  } catch (error) {
    toast(errorText(error), "error");
  } finally {
    asking = false;
  }
  if (wanted !== null) {
    const next = wanted;
    wanted = null;
    await place(next);
  }
}

export async function deletePoint(key: string): Promise<void> {
  await run({ kind: "delete-control-point", key });
}

// what the canvas shows

const shown = new Set<string>();
const urls = new Map<string, (level: number, column: number, row: number) => string>();

function urlOf(id: string): (level: number, column: number, row: number) => string {
  let found = urls.get(id);
  if (!found) {
    found = (level, column, row) => `/api/pictures/${id}/${level}/${column}/${row}`;
    urls.set(id, found);
  }
  return found;
}

effect(() => {
  if (!ready.value) return;
  const take = (kept: string | null): void => void (looks.value = looksOf(fields(kept)));
  take(keptSetting(keyOf(), take));
  void listPictures();
});

effect(() => {
  void controlPoints.value;
  void cities.value;
  void table("places").value;
  void page.value;
  void pictures.value;
  void model.value;
  void alignedId.value;
  if (ready.value) void place();
});

effect(() => {
  const now = aligned();
  const whole = page.value;
  for (const id of shown) {
    if (pictures.value.some((one) => one.id === id)) continue;
    board.removePicture(id);
    shown.delete(id);
  }
  for (const about of pictures.value) {
    const { visible, opacity } = lookOf(about.id);
    const scale = Math.min(whole.width / about.width, whole.height / about.height);
    const fill: MatrixMap = { matrix: [[scale, 0, (whole.width - scale * about.width) / 2], [0, scale, (whole.height - scale * about.height) / 2], [0, 0, 1]] };
    const map = about.id === now?.id && placed.value ? placed.value.map : fill;
    const affine = "matrix" in map && Math.abs(map.matrix[2][0]) + Math.abs(map.matrix[2][1]) < 1e-12;
    board.setPicture({
      ...about,
      label: about.name,
      url: urlOf(about.id),
      warp: (x, y) => forward(map, x, y),
      affine,
      opacity,
    });
    board.setLayer(about.id, { visible });
    shown.add(about.id);
  }
});

/** What the ghost may be: "" for none, "saved", or the number of a step with a checkpoint. */
export function ghosts(): { value: string; label: string }[] {
  const { steps, other } = history.value;
  const marks = [...steps, ...other].flatMap((step) => step.checkpoints.map((name) => ({ value: String(step.n), label: `checkpoint ${name}` })));
  return [{ value: "", label: "none" }, { value: "saved", label: "as saved last" }, { value: "0", label: "as first opened" }, ...marks.filter((mark) => mark.value !== "0")];
}

let ghostOf = "";
effect(() => {
  const moment = looks.value.ghost;
  const key = `${moment}:${moment === "saved" ? String(history.value.saved) : ""}:${JSON.stringify(page.value)}`;
  if (!ready.value || key === ghostOf) return;
  ghostOf = key;
  if (moment === "") return board.setGround("ghost", "Earlier version", null);
  void revision.peek();
  query("ghost", { moment: moment === "saved" ? "saved" : Number(moment) })
    .then((was) => {
      if (ghostOf !== key) return;
      board.setGround("ghost", "Earlier version", [
        ...was.lines.map((path): Ground => ({ kind: "line", path, colour: "--ground-ghost", width: 5 })),
        ...was.dots.map((at): Ground => ({ kind: "dot", at, colour: "--ground-ghost", radius: 6 })),
      ]);
    })
    .catch((error: unknown) => toast(errorText(error), "error"));
});

// a picture or a file of lines let fall anywhere on the page

export const isPicture = (file: File): boolean => /^image\/(?!svg)/.test(file.type) || /\.(png|jpe?g|tiff?|webp)$/i.test(file.name);

export function takeFiles(files: FileList | null | undefined): void {
  const list = [...(files ?? [])];
  void (async () => {
    for (const file of list) await (isPicture(file) ? addPicture(file) : addLineFile(file));
  })();
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
window.addEventListener("dragover", (event) => {
  if (holdsFiles(event)) event.preventDefault();
});
window.addEventListener("drop", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  takeFiles(event.dataTransfer?.files);
});
