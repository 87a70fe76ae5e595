// Lines that lie underneath, to be found near a place and followed from one place to another; page millimetres.
import TinyQueue from "tinyqueue";
import type { Point } from "../wire";

/** How far, and where. */
type Entry = readonly [number, number];
const nearer = (one: Entry, other: Entry): number => one[0] - other[0];

/** A place on a line underneath: a vertex of it, or between two. */
export interface OnLine {
  at: Point;
  /** The vertices beside it; both are the same if it is one. */
  between: readonly [number, number];
  away: number;
}

const CELL = 4;
const cellOf = (x: number, y: number): number => Math.floor(x / CELL) * 65_536 + Math.floor(y / CELL);

export class LineIndex {
  private readonly vertices: Point[] = [];
  private readonly next: [number, number][][] = [];
  private readonly stretches: (readonly [number, number])[] = [];
  private readonly cells = new Map<number, number[]>();

  constructor(lines: readonly (readonly Point[])[]) {
    const known = new Map<string, number>();
    for (const path of lines) {
      let before = -1;
      for (const point of path) {
        const key = point.join();
        let here = known.get(key);
        if (here === undefined) {
          here = this.vertices.push(point) - 1;
          this.next.push([]);
          known.set(key, here);
        }
        if (before >= 0 && before !== here) this.join(before, here);
        before = here;
      }
    }
  }

  private join(a: number, b: number): void {
    const [[ax, ay], [bx, by]] = [this.vertices[a]!, this.vertices[b]!];
    const long = Math.hypot(bx - ax, by - ay);
    this.next[a]!.push([b, long]);
    this.next[b]!.push([a, long]);
    const number = this.stretches.push([a, b]) - 1;
    // no point of the stretch is farther than a quarter of a cell from one of these
    const steps = Math.max(1, Math.ceil((2 * long) / CELL));
    let last = NaN;
    for (let i = 0; i <= steps; i += 1) {
      const cell = cellOf(ax + ((bx - ax) * i) / steps, ay + ((by - ay) * i) / steps);
      if (cell === last) continue;
      last = cell;
      const there = this.cells.get(cell);
      if (there) there.push(number);
      else this.cells.set(cell, [number]);
    }
  }

  /** The nearest vertex within reach, else the nearest place on a line. */
  near(x: number, y: number, reach: number): OnLine | null {
    let vertex = null as OnLine | null;
    let place = null as OnLine | null;
    const offer = (number: number): void => {
      const [vx, vy] = this.vertices[number]!;
      const away = Math.hypot(vx - x, vy - y);
      if (away <= reach && away < (vertex?.away ?? Infinity)) vertex = { at: [vx, vy], between: [number, number], away };
    };
    for (let left = x - reach - CELL; left < x + reach + 2 * CELL; left += CELL)
      for (let top = y - reach - CELL; top < y + reach + 2 * CELL; top += CELL)
        for (const number of this.cells.get(cellOf(left, top)) ?? []) {
          const [a, b] = this.stretches[number]!;
          offer(a);
          offer(b);
          const [[ax, ay], [bx, by]] = [this.vertices[a]!, this.vertices[b]!];
          const [dx, dy] = [bx - ax, by - ay];
          const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
          const at: Point = [ax + along * dx, ay + along * dy];
          const away = Math.hypot(at[0] - x, at[1] - y);
          if (away <= reach && away < (place?.away ?? Infinity)) place = { at, between: [a, b], away };
        }
    return vertex ?? place;
  }

  /** The vertices on the shortest way along lines between two places, without them; null if there is none. */
  way(from: OnLine, to: OnLine): Point[] | null {
    const same = (one: readonly [number, number], other: readonly [number, number]): boolean => other.every((number) => one.includes(number));
    if (same(from.between, to.between) || same(to.between, from.between)) return [];
    const apart = (place: OnLine, number: number): number =>
      Math.hypot(place.at[0] - this.vertices[number]![0], place.at[1] - this.vertices[number]![1]);
    const far = new Map<number, number>();
    const back = new Map<number, number>();
    const done = new Set<number>();
    const queue = new TinyQueue<Entry>([], nearer);
    for (const number of from.between) {
      far.set(number, apart(from, number));
      queue.push([apart(from, number), number]);
    }
    let [best, end] = [Infinity, -1];
    for (let first = queue.pop(); first !== undefined; first = queue.pop()) {
      const [distance, at] = first;
      if (distance >= best) break;
      if (done.has(at)) continue;
      done.add(at);
      if (to.between.includes(at) && distance + apart(to, at) < best) [best, end] = [distance + apart(to, at), at];
      for (const [next, long] of this.next[at]!) {
        if (distance + long >= (far.get(next) ?? Infinity)) continue;
        far.set(next, distance + long);
        back.set(next, at);
        queue.push([distance + long, next]);
      }
    }
    if (end < 0) return null;
    const out: Point[] = [];
    for (let at: number | undefined = end; at !== undefined; at = back.get(at)) out.unshift(this.vertices[at]!);
    const away = (point: Point | undefined, place: OnLine): boolean => point !== undefined && Math.hypot(point[0] - place.at[0], point[1] - place.at[1]) < 1e-9;
    if (away(out[0], from)) out.shift();
    if (away(out.at(-1), to)) out.pop();
    return out;
  }
}
