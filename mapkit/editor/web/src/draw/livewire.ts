// The live wire: the way along an ink of a picture from one pixel to any that a pointer is at.
import type { Point } from "../wire";

export type Colour = readonly [red: number, green: number, blue: number];

/** A part of a picture: red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

const DEAREST = 40;
/** Distances in OKLab at which a pixel is of the ink for sure, and not at all. */
const [NEAR, FAR] = [0.05, 0.16];
const GROUND = 1;
/** Pixels as strong as an ink but of another colour may hide the line: names, dots, lines that cross. */
const HIDDEN = 0.45;
const STRONG = 0.22;
const REACH = 2;
const PICK_REACH = 4;
const PICKED = 6;

const linear = Float64Array.from({ length: 256 }, (_, i) => (i / 255 <= 0.04045 ? i / 255 / 12.92 : ((i / 255 + 0.055) / 1.055) ** 2.4));

/** OKLab (Ottosson 2020) of a colour in sRGB, 0 to 255. */
export function oklab([red, green, blue]: Colour): [number, number, number] {
  const [r, g, b] = [linear[red]!, linear[green]!, linear[blue]!];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const gap = (one: readonly number[], other: readonly number[]): number => Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!, one[2]! - other[2]!);

// colours are told apart by 32 steps a channel: a table answers faster than arithmetic
const STEPS = 32;
const keyAt = (data: Uint8ClampedArray, i: number): number => ((data[i]! >> 3) << 10) | ((data[i + 1]! >> 3) << 5) | (data[i + 2]! >> 3);
const labs: (readonly [number, number, number])[] = [];
function labOf(key: number): readonly [number, number, number] {
  return (labs[key] ??= oklab([((key >> 10) << 3) | 4, (((key >> 5) & 31) << 3) | 4, ((key & 31) << 3) | 4]));
}

/** One pixel in so many is enough to know the ground. */
const SAMPLED = 7;

/** The colour that most pixels have, OKLab. */
function ground(pixels: Pixels): readonly [number, number, number] {
  const counts = new Uint32Array(STEPS ** 3);
  for (let i = 0; i < pixels.data.length; i += 4 * SAMPLED) counts[keyAt(pixels.data, i)]! += 1;
  let best = 0;
  for (let key = 1; key < counts.length; key += 1) if (counts[key]! > counts[best]!) best = key;
  return labOf(best);
}

/** The ink at a pixel: of those around it, the mean of the few that differ most from the ground. */
export function pickInk(pixels: Pixels, x: number, y: number): Colour {
  const from = ground(pixels);
  const found: { off: number; at: number }[] = [];
  for (let v = Math.max(0, y - PICK_REACH); v <= Math.min(pixels.height - 1, y + PICK_REACH); v += 1)
    for (let u = Math.max(0, x - PICK_REACH); u <= Math.min(pixels.width - 1, x + PICK_REACH); u += 1) {
      const at = 4 * (v * pixels.width + u);
      found.push({ off: gap(labOf(keyAt(pixels.data, at)), from), at });
    }
  found.sort((a, b) => b.off - a.off || a.at - b.at);
  const few = found.slice(0, PICKED);
  const mean = (channel: number): number => Math.round(few.reduce((sum, one) => sum + pixels.data[one.at + channel]!, 0) / Math.max(few.length, 1));
  return [mean(0), mean(1), mean(2)];
}

/** What a step onto a pixel costs: 1 on the ink, most on the ground, between them where something may hide the ink. */
export class Costs {
  private readonly wanted: readonly number[];
  private readonly from: readonly number[];
  private readonly table = new Float32Array(STEPS ** 3).fill(-1);
  private readonly known: Uint8Array;

  constructor(readonly pixels: Pixels, ink: Colour) {
    this.wanted = oklab(ink);
    this.from = ground(pixels);
    this.known = new Uint8Array(pixels.width * pixels.height);
  }

  /** How unlike the ink a pixel is, 0 to 1. */
  private off(x: number, y: number): number {
    const { width, height, data } = this.pixels;
    const pixel = Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x));
    const key = keyAt(data, 4 * pixel);
    const known = this.table[key]!;
    if (known >= 0) return known;
    const lab = labOf(key);
    const away = Math.min(1, Math.max(0, (gap(lab, this.wanted) - NEAR) / (FAR - NEAR)));
    return (this.table[key] = away < 1 ? away * HIDDEN : gap(lab, this.from) > STRONG ? HIDDEN : GROUND);
  }

  /** The middle of a line is cheaper than its edge, and a gap between dashes than the ground: a mean over 5 by 5. */
  at(pixel: number): number {
    const known = this.known[pixel]!;
    if (known !== 0) return known;
    const x = pixel % this.pixels.width;
    const y = (pixel - x) / this.pixels.width;
    let sum = 0;
    for (let v = -REACH; v <= REACH; v += 1) for (let u = -REACH; u <= REACH; u += 1) sum += this.off(x + u, y + v);
    const mean = (sum / (2 * REACH + 1) ** 2 + this.off(x, y)) / 2;
    return (this.known[pixel] = 1 + Math.round((DEAREST - 1) * mean * mean));
  }
}

/** Half of a step along a row, and of one across a corner, so that whole numbers will do. */
const [STRAIGHT, SLANTED] = [5, 7];
/** No path costs more than this for one step, so that the buckets of a circle hold all that is open. */
const BUCKETS = SLANTED * 2 * DEAREST + 1;
const NONE = -1;

/**
 * The cheapest ways from one pixel: Dijkstra with a circle of buckets. Ink is cheap, so the search runs along it first; it
 * goes on only as far as a pointer asks, and what was found serves the next one.
 */
export class Wires {
  private readonly far: Int32Array;
  private readonly before: Int32Array;
  private readonly done: Uint8Array;
  private readonly heads = new Int32Array(BUCKETS).fill(NONE);
  // each pixel may wait several times; all but the cheapest are passed over
  private readonly item: number[] = [];
  private readonly next: number[] = [];
  private distance = 0;
  private idle = 0;

  constructor(private readonly costs: Costs, start: number) {
    const { width, height } = costs.pixels;
    this.far = new Int32Array(width * height).fill(0x7fffffff);
    this.before = new Int32Array(width * height).fill(NONE);
    this.done = new Uint8Array(width * height);
    this.far[start] = 0;
    this.push(start, 0);
  }

  private push(pixel: number, distance: number): void {
    const bucket = distance % BUCKETS;
    this.next.push(this.heads[bucket]!);
    this.item.push(pixel);
    this.heads[bucket] = this.item.length - 1;
  }

  /** Go on until a pixel is reached; all pixels of a picture can be. */
  private reach(end: number): void {
    while (this.done[end] === 0 && this.idle < BUCKETS) {
      const bucket = this.distance % BUCKETS;
      const entry = this.heads[bucket]!;
      if (entry === NONE) {
        this.distance += 1;
        this.idle += 1;
        continue;
      }
      this.idle = 0;
      this.heads[bucket] = this.next[entry]!;
      const pixel = this.item[entry]!;
      if (this.done[pixel] === 0 && this.far[pixel] === this.distance) this.settle(pixel);
    }
  }

  private settle(pixel: number): void {
    const { width, height } = this.costs.pixels;
    this.done[pixel] = 1;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const here = this.costs.at(pixel);
    for (let v = y === 0 ? 0 : -1; v <= (y === height - 1 ? 0 : 1); v += 1)
      for (let u = x === 0 ? 0 : -1; u <= (x === width - 1 ? 0 : 1); u += 1) {
        const other = pixel + v * width + u;
        if (this.done[other] !== 0) continue;
        const sum = this.distance + (u !== 0 && v !== 0 ? SLANTED : STRAIGHT) * (here + this.costs.at(other));
        if (sum >= this.far[other]!) continue;
        this.far[other] = sum;
        this.before[other] = pixel;
        this.push(other, sum);
      }
  }

  /** The way from the start to a pixel, both included, smoothed over a few pixels. */
  to(end: number): Point[] {
    this.reach(end);
    const { width } = this.costs.pixels;
    const path: Point[] = [];
    for (let at = end; at !== NONE; at = this.before[at]!) path.push([at % width, Math.floor(at / width)]);
    path.reverse();
    return path.map((_, i) => {
      const reach = Math.min(3, i, path.length - 1 - i);
      let [x, y] = [0, 0];
      for (let d = -reach; d <= reach; d += 1) {
        x += path[i + d]![0];
        y += path[i + d]![1];
      }
      return [x / (2 * reach + 1), y / (2 * reach + 1)];
    });
  }
}
