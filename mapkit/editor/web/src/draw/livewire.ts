// The live wire: the way along an ink from one pixel of a picture to all others, found once and read off for any pointer.
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

/** The colour that most pixels have, OKLab. */
function ground(pixels: Pixels): readonly [number, number, number] {
  const counts = new Uint32Array(STEPS ** 3);
  for (let i = 0; i < pixels.data.length; i += 4) counts[keyAt(pixels.data, i)]! += 1;
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

/** What a step onto each pixel costs: 1 on the ink, most on the ground, between them where something may hide the ink. */
export function costsOf(pixels: Pixels, ink: Colour): Uint8Array {
  const [width, height] = [pixels.width, pixels.height];
  const [wanted, from] = [oklab(ink), ground(pixels)];
  const table = new Float32Array(STEPS ** 3).fill(-1);
  const off = new Float32Array(width * height);
  for (let i = 0; i < off.length; i += 1) {
    const key = keyAt(pixels.data, 4 * i);
    let value = table[key]!;
    if (value < 0) {
      const lab = labOf(key);
      const away = Math.min(1, Math.max(0, (gap(lab, wanted) - NEAR) / (FAR - NEAR)));
      value = away < 1 ? away * HIDDEN : gap(lab, from) > STRONG ? HIDDEN : GROUND;
      table[key] = value;
    }
    off[i] = value;
  }
  // the middle of a line is cheaper than its edge, and gaps of dashes are cheaper than the ground: a mean over 5 by 5
  const across = new Float32Array(off.length);
  const reach = 2;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let d = -reach; d <= reach; d += 1) sum += off[y * width + Math.min(width - 1, Math.max(0, x + d))]!;
      across[y * width + x] = sum;
    }
  const out = new Uint8Array(off.length);
  const all = (2 * reach + 1) ** 2;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let d = -reach; d <= reach; d += 1) sum += across[Math.min(height - 1, Math.max(0, y + d)) * width + x]!;
      const mean = (sum / all + off[y * width + x]!) / 2;
      out[y * width + x] = 1 + Math.round((DEAREST - 1) * mean * mean);
    }
  return out;
}

/** Half of a step along a row, and of one across a corner, so that whole numbers will do. */
const [STRAIGHT, SLANTED] = [5, 7];
/** No path costs more than this for one step, so that the buckets of a circle hold all that is open. */
const BUCKETS = SLANTED * 2 * DEAREST + 1;
const NONE = -1;

/** By which pixel each is reached on the cheapest way from one; Dijkstra with a circle of buckets. */
export function spread(costs: Uint8Array, width: number, height: number, start: number): Int32Array {
  const far = new Int32Array(costs.length).fill(0x7fffffff);
  const before = new Int32Array(costs.length).fill(NONE);
  const heads = new Int32Array(BUCKETS).fill(NONE);
  // each pixel may wait several times; all but the cheapest are passed over
  let room = 4 * costs.length;
  let [item, next, count] = [new Int32Array(room), new Int32Array(room), 0];
  const push = (pixel: number, distance: number): void => {
    if (count === room) {
      room *= 2;
      const [items, nexts] = [new Int32Array(room), new Int32Array(room)];
      items.set(item);
      nexts.set(next);
      [item, next] = [items, nexts];
    }
    const bucket = distance % BUCKETS;
    item[count] = pixel;
    next[count] = heads[bucket]!;
    heads[bucket] = count;
    count += 1;
  };
  const steps = [1, -1, width, -width, width + 1, width - 1, -width + 1, -width - 1];
  const done = new Uint8Array(costs.length);
  far[start] = 0;
  push(start, 0);
  for (let [distance, idle] = [0, 0]; idle < BUCKETS; distance += 1) {
    const bucket = distance % BUCKETS;
    if (heads[bucket] === NONE) {
      idle += 1;
      continue;
    }
    idle = 0;
    while (heads[bucket] !== NONE) {
      const entry = heads[bucket]!;
      heads[bucket] = next[entry]!;
      const pixel = item[entry]!;
      if (done[pixel] !== 0 || far[pixel] !== distance) continue;
      done[pixel] = 1;
      const x = pixel % width;
      const y = (pixel - x) / width;
      for (let way = 0; way < 8; way += 1) {
        const step = steps[way]!;
        const slanted = way > 3;
        if (x === 0 && (step === -1 || step === width - 1 || step === -width - 1)) continue;
        if (x === width - 1 && (step === 1 || step === width + 1 || step === -width + 1)) continue;
        if ((y === 0 && step < -1) || (y === height - 1 && step > 1)) continue;
        const other = pixel + step;
        if (done[other] !== 0) continue;
        const sum = distance + (slanted ? SLANTED : STRAIGHT) * (costs[pixel]! + costs[other]!);
        if (sum >= far[other]!) continue;
        far[other] = sum;
        before[other] = pixel;
        push(other, sum);
      }
    }
  }
  return before;
}

/** The way from the start to a pixel, both included, smoothed over a few pixels; none where it was not reached. */
export function wireTo(before: Int32Array, width: number, start: number, end: number): Point[] {
  if (start !== end && before[end] === NONE) return [];
  const path: Point[] = [];
  for (let at = end; at !== NONE; at = before[at]!) path.push([at % width, Math.floor(at / width)]);
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
