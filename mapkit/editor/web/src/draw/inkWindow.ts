// The part of a picture around a click, in which its ink is followed, and the ink of each railroad.
import { effect, signal } from "@preact/signals";
import { askServer } from "../entry";
import type { PictureAbout } from "../generated";
import { fields } from "../json";
import { keepSetting, keptSetting, ofBoard } from "../settings";
import { board as boardName, ready } from "../store";
import type { Point } from "../wire";
import { aligned, backward, forward, lookOf, placed } from "./background";
import { railroadColour } from "./common";
import { Costs, pickInk, Wires, type Colour, type Pixels } from "./livewire";
import { simplified } from "./track";

/** How far from the last click the ink is followed, in pixels of the picture or of its smaller copy. */
export const REACH = 480;
/** A larger picture is followed in a copy of half, a quarter ... of the size. */
const LONGEST = 4500;
/** What bends less is left out. */
const BENDS_MM = 0.3;

export const following = signal(false);
export const picking = signal(false);

interface Part {
  about: PictureAbout;
  scale: number;
  left: number;
  top: number;
  pixels: Pixels;
}
interface Wired extends Part {
  key: string;
  ways: Wires;
}
/** The wires from the last click; null while they are made, or where there is no picture. */
export const wires = signal<Wired | null>(null);

/** The inks that were picked on this board, by railroad. */
const inks = signal<Readonly<Record<string, string>>>({});
const keyOf = (): string => ofBoard("inks", boardName.value);

function takeInks(kept: string | null): void {
  const found = Object.entries(fields(kept)).filter((one): one is [string, string] => typeof one[1] === "string" && /^#[0-9a-f]{6}$/.test(one[1]));
  inks.value = Object.fromEntries(found);
}
effect(() => {
  if (ready.value) takeInks(keptSetting(keyOf(), takeInks));
});

/** The ink of a railroad in the picture: as it was picked, else its colour on the board. */
export function inkOf(railroad: string): Colour {
  const hex = inks.value[railroad] ?? railroadColour(railroad);
  const part = (at: number): number => parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function keepInk(railroad: string, ink: Colour): void {
  inks.value = { ...inks.value, [railroad]: `#${ink.map((value) => value.toString(16).padStart(2, "0")).join("")}` };
  keepSetting(keyOf(), JSON.stringify(inks.value));
}

/** The picture whose ink is followed: the one that the control points are of, if it is shown. */
export function inkPicture(): PictureAbout | null {
  const about = aligned();
  return about && placed.value && lookOf(about.id).visible ? about : null;
}

const tiles = new Map<string, Promise<ImageBitmap>>();
const MOST_TILES = 64;

function tile(id: string, level: number, column: number, row: number): Promise<ImageBitmap> {
  const url = `/api/pictures/${id}/${level}/${column}/${row}`;
  let found = tiles.get(url);
  if (!found) {
    found = askServer(url).then(async (answer) => {
      if (!answer.ok) throw new Error(`a part of the picture did not come (${answer.status})`);
      return createImageBitmap(await answer.blob());
    });
    found.catch(() => tiles.delete(url));
    tiles.set(url, found);
    const oldest = tiles.size > MOST_TILES ? tiles.keys().next().value : undefined;
    if (oldest !== undefined) tiles.delete(oldest);
  }
  return found;
}

/** The pixels around a place of the board, up to the edge of the picture; null outside it. */
async function partAround(about: PictureAbout, at: Point): Promise<Part | null> {
  const level = Math.min(about.levels - 1, Math.max(0, Math.ceil(Math.log2(Math.max(about.width, about.height) / LONGEST))));
  const scale = 2 ** level;
  const [wide, high] = [Math.floor(about.width / scale), Math.floor(about.height / scale)];
  const [x, y] = backward(placed.value!.map, at, about).map((value) => Math.floor(value / scale)) as [number, number];
  if (x < 0 || y < 0 || x >= wide || y >= high) return null;
  const [left, top] = [Math.max(0, x - REACH), Math.max(0, y - REACH)];
  const [width, height] = [Math.min(wide, x + REACH + 1) - left, Math.min(high, y + REACH + 1) - top];
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  const side = about.tile;
  const waits: Promise<void>[] = [];
  for (let row = Math.floor(top / side); row * side < top + height; row += 1)
    for (let column = Math.floor(left / side); column * side < left + width; column += 1)
      waits.push(tile(about.id, level, column, row).then((image) => context.drawImage(image, column * side - left, row * side - top)));
  await Promise.all(waits);
  return { about, scale, left, top, pixels: context.getImageData(0, 0, width, height) };
}

const inPart = (part: Part, at: Point): [number, number] | null => {
  const found = backward(placed.value!.map, at, part.about).map((value, i) => Math.floor(value / part.scale) - (i === 0 ? part.left : part.top));
  const [x, y] = found as [number, number];
  return x >= 0 && y >= 0 && x < part.pixels.width && y < part.pixels.height ? [x, y] : null;
};

/** How far the wires are. */
export const wiring = signal<"none" | "reading" | "ready" | "outside">("none");
let wanted = "";

/** Get ready to follow a railroad's ink from a place. */
export async function anchor(at: Point | null, railroad: string | null): Promise<void> {
  const about = inkPicture();
  const key = at && railroad !== null && about ? `${about.id} ${railroad} ${inkOf(railroad).join()} ${at.join()} ${JSON.stringify(placed.value!.map)}` : "";
  if (key === wanted) return;
  wanted = key;
  wires.value = null;
  wiring.value = "none";
  if (!at || railroad === null || !about) return;
  wiring.value = "reading";
  const part = await partAround(about, at).catch((error: unknown) => {
    if (wanted === key) [wanted, wiring.value] = ["", "none"];
    throw error;
  });
  if (wanted !== key) return;
  const spot = part && inPart(part, at);
  if (!part || !spot) {
    wiring.value = "outside";
    return;
  }
  const { width } = part.pixels;
  const start = spot[1] * width + spot[0];
  wires.value = { ...part, key, ways: new Wires(new Costs(part.pixels, inkOf(railroad)), start) };
  wiring.value = "ready";
}

/** The bends of the ink between the last click and a place, on the page; none beyond the reach. */
export function alongInk(from: Point, to: Point): Point[] {
  const now = wires.value;
  const spot = now && now.key === wanted && placed.value ? inPart(now, to) : null;
  if (!now || !spot) return [];
  const path = now.ways.to(spot[1] * now.pixels.width + spot[0]);
  const { map } = placed.value!;
  const page = path.map(([x, y]) => forward(map, (x + now.left + 0.5) * now.scale, (y + now.top + 0.5) * now.scale));
  return simplified([from, ...page.slice(1, -1), to], BENDS_MM).slice(1, -1);
}

/** Take the ink at a place of the picture for a railroad; says whether there is a picture. */
export async function pick(at: Point, railroad: string): Promise<boolean> {
  const about = inkPicture();
  const part = about && (await partAround(about, at));
  const spot = part && inPart(part, at);
  if (!part || !spot) return false;
  keepInk(railroad, pickInk(part.pixels, ...spot));
  return true;
}
