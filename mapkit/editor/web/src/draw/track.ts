// The lines of the board as track to draw on: what lies near a place, and the way from one place to another.
import TinyQueue from "tinyqueue";
import { computed } from "@preact/signals";
import type { BoardView } from "../board/BoardView";
import { placeOf } from "../commands";
import { cities, junctions, lines, mileposts, segments, table } from "../store";
import type { Point, Stop } from "../wire";
import { beneathAt, type Beneath } from "./beneath";
import { proposedAt } from "./dots";

/** How far, and where. */
type Entry = readonly [number, string];
const nearer = (one: Entry, other: Entry): number => one[0] - other[0];

export type Kind = "milepost" | "via";

/** From one place of a line to the next; `index` is the number, as typed, of the later one. */
export interface Stretch {
  line: string;
  railroad: string;
  index: number;
  from: Stop;
  to: Stop;
}
export interface Place {
  name: string;
  at: Point;
  lon: number;
  lat: number;
  milepost: string | null;
  /** What it is to each railroad. */
  kinds: ReadonlyMap<string, Kind>;
}

export const stretches = computed(() => {
  const out: Stretch[] = [];
  for (const [id, line] of Object.entries(lines.value))
    for (let i = 1; i < line.stops.length; i += 1)
      out.push({ line: id, railroad: line.railroad, index: line.stops[i]!.at, from: line.stops[i - 1]!, to: line.stops[i]! });
  return out;
});

export const places = computed(() => {
  const out = new Map<string, Place & { kinds: Map<string, Kind> }>();
  for (const line of Object.values(lines.value))
    for (const stop of line.stops) {
      let place = out.get(stop.place);
      if (!place) {
        place = { name: stop.place, at: [stop.x, stop.y], lon: stop.lon, lat: stop.lat, milepost: null, kinds: new Map() };
        out.set(stop.place, place);
      }
      place.milepost ??= stop.milepost;
      place.kinds.set(line.railroad, stop.kind);
    }
  return out;
});

/** Places joined by a stretch of any line, with the millimetres between them. */
const near = computed(() => {
  const out = new Map<string, Map<string, number>>();
  const join = (a: Stop, b: Stop): void => {
    const all = out.get(a.place) ?? new Map<string, number>();
    all.set(b.place, Math.hypot(a.x - b.x, a.y - b.y));
    out.set(a.place, all);
  };
  for (const { from, to } of stretches.value) {
    join(from, to);
    join(to, from);
  }
  return out;
});

export interface Snap {
  kind: "milepost" | "bend" | "junction" | "crossing" | "line" | "beneath" | "proposal" | "free";
  at: Point;
  /** The name of the place, if the board has one there. */
  place: string | null;
  milepost: string | null;
  /** The stretches on which it lies, of a crossing both. */
  on: readonly Stretch[];
  /** Where it lies on a line underneath. */
  beneath?: Beneath;
  /** The name that a dot or square of the picture would have. */
  name?: string;
}

export const SNAP_WORDS: Record<Snap["kind"], string> = {
  milepost: "milepost",
  bend: "bend",
  junction: "junction",
  crossing: "crossing",
  line: "line",
  beneath: "line underneath",
  proposal: "dot of the picture",
  free: "",
};

export const PIXELS = 10;

interface NearestPoint {
  at: Point;
  along: number;
  away: number;
}

/** The point between two others that is nearest, how far along it is (0 to 1), and how far away. */
function nearestBetween(from: Point, to: Point, x: number, y: number): NearestPoint {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const long = dx * dx + dy * dy || 1;
  const along = Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / long));
  const at: Point = [from[0] + along * dx, from[1] + along * dy];
  return { at, along, away: Math.hypot(at[0] - x, at[1] - y) };
}

/** The point of a stretch that is nearest. */
export function nearestOn({ from, to }: Stretch, x: number, y: number): NearestPoint {
  return nearestBetween([from.x, from.y], [to.x, to.y], x, y);
}

function crossing(a: Stretch, b: Stretch): Point | null {
  const [rx, ry] = [a.to.x - a.from.x, a.to.y - a.from.y];
  const [sx, sy] = [b.to.x - b.from.x, b.to.y - b.from.y];
  const cross = rx * sy - ry * sx;
  if (Math.abs(cross) < 1e-9) return null;
  const [qx, qy] = [b.from.x - a.from.x, b.from.y - a.from.y];
  const t = (qx * sy - qy * sx) / cross;
  const u = (qx * ry - qy * rx) / cross;
  const inside = t > 1e-6 && t < 1 - 1e-6 && u > 1e-6 && u < 1 - 1e-6;
  return inside ? [a.from.x + t * rx, a.from.y + t * ry] : null;
}

export interface SnapOptions {
  /** Alt is held: nothing snaps. */
  off?: boolean;
  /** Prefer lines of this railroad where several lie in one place. */
  railroad?: string | null;
  /** Leave these places out. */
  but?: ReadonlySet<string>;
  /** Lines of files that lie underneath are caught too, where there is nothing of the board. */
  beneath?: boolean;
  /** Dots and squares that are proposed are caught too, before lines underneath. */
  proposals?: boolean;
}

/** What a pointer at a place catches: mileposts, then bends and junctions, crossings, lines, lines underneath. */
export function snap(x: number, y: number, board: BoardView, options: SnapOptions = {}): Snap {
  const free: Snap = { kind: "free", at: [x, y], place: null, milepost: null, on: [] };
  if (options.off) return free;
  const found = snapToTrack(x, y, board, options, free);
  const proposal = found === free && options.proposals ? proposedAt(x, y, PIXELS * board.resolution) : null;
  if (proposal) return { ...free, kind: "proposal", at: proposal.at, name: proposal.name };
  if (found !== free || !options.beneath) return found;
  const beneath = beneathAt(x, y, PIXELS * board.resolution, board);
  return beneath ? { ...free, kind: "beneath", at: beneath.at, beneath } : free;
}

/** The nearest of what is offered to a place, if it is within reach; of equals the first. */
class Nearest {
  private found: Snap | null = null;
  least: number;

  constructor(private readonly at: Point, reach: number) {
    this.least = reach;
  }

  offer(made: Snap): void {
    const away = Math.hypot(made.at[0] - this.at[0], made.at[1] - this.at[1]);
    if (away > this.least || (away === this.least && this.found !== null)) return;
    this.found = made;
    this.least = away;
  }

  best(): Snap | null {
    return this.found;
  }
}

function snapToTrack(x: number, y: number, board: BoardView, options: SnapOptions, free: Snap): Snap {
  const reach = PIXELS * board.resolution;
  const nearest = new Nearest([x, y], reach);
  offerPlaces(nearest, x, y, options);
  const place = nearest.best();
  if (place) return place;
  // junctions of explicit track have no name that a line could give
  for (const junction of Object.values(junctions.value))
    nearest.offer({ kind: "junction", at: [junction.x, junction.y], place: null, milepost: null, on: [] });
  const close = stretchesNear(x, y, reach, options);
  for (const [i, one] of close.slice(0, 12).entries())
    for (const other of close.slice(i + 1, 12)) {
      const at = crossing(one.stretch, other.stretch);
      if (at) nearest.offer({ kind: "crossing", at, place: null, milepost: null, on: [one.stretch, other.stretch] });
    }
  return nearest.best() ?? onLine(close) ?? onSegment(x, y, reach, board) ?? free;
}

function offerPlaces(nearest: Nearest, x: number, y: number, options: SnapOptions): void {
  for (const place of places.value.values()) {
    if (options.but?.has(place.name)) continue;
    const own = options.railroad ? place.kinds.get(options.railroad) : undefined;
    const post = own ? own === "milepost" : [...place.kinds.values()].includes("milepost");
    nearest.offer({ kind: post ? "milepost" : "bend", at: place.at, place: place.name, milepost: place.milepost, on: [] });
  }
  for (const [id, post] of Object.entries(mileposts.value)) {
    if (Math.hypot(post.x - x, post.y - y) > nearest.least) continue;
    const name = placeOf(id);
    if (!places.value.has(name) && !options.but?.has(name))
      nearest.offer({ kind: "milepost", at: [post.x, post.y], place: name, milepost: id, on: [] });
  }
}

interface Close {
  stretch: Stretch;
  at: Point;
  away: number;
}

/** The stretches within reach, the nearest first; where they lie in one place, those of the railroad first. */
function stretchesNear(x: number, y: number, reach: number, options: SnapOptions): Close[] {
  const close: Close[] = [];
  for (const stretch of stretches.value) {
    const { from, to } = stretch;
    if (Math.min(from.x, to.x) - reach > x || Math.max(from.x, to.x) + reach < x) continue;
    if (Math.min(from.y, to.y) - reach > y || Math.max(from.y, to.y) + reach < y) continue;
    if (options.but && (options.but.has(from.place) || options.but.has(to.place))) continue;
    const found = nearestOn(stretch, x, y);
    if (found.away <= reach) close.push({ stretch, at: found.at, away: found.away });
  }
  return close.sort((a, b) => {
    const own = Number(b.stretch.railroad === options.railroad) - Number(a.stretch.railroad === options.railroad);
    return Math.abs(a.away - b.away) > 1e-6 ? a.away - b.away : own;
  });
}

function onLine([first, ...others]: readonly Close[]): Snap | null {
  if (!first) return null;
  const same = others.filter((one) => Math.hypot(one.at[0] - first.at[0], one.at[1] - first.at[1]) < 1e-6);
  return { kind: "line", at: first.at, place: null, milepost: null, on: [first, ...same].map((one) => one.stretch) };
}

/** Track that no station list describes. */
function onSegment(x: number, y: number, reach: number, board: BoardView): Snap | null {
  const item = board.hit(x, y, ["segment"]);
  const path = (item && segments.value[item.id]?.path) ?? [];
  let at: Point | null = null;
  let away = reach * 1.6;
  for (let i = 1; i < path.length; i += 1) {
    const found = nearestBetween(path[i - 1]!, path[i]!, x, y);
    if (found.away <= away) [at, away] = [found.at, found.away];
  }
  return at && { kind: "line", at, place: null, milepost: null, on: [] };
}

/** The shortest way along lines from one place to another, both included; null if there is none. */
export function way(from: string, to: string, only?: ReadonlySet<string>): string[] | null {
  const graph = near.value;
  if (!graph.has(from) || !graph.has(to)) return null;
  const far = new Map<string, number>([[from, 0]]);
  const back = new Map<string, string>();
  const done = new Set<string>();
  const queue = new TinyQueue<Entry>([[0, from]], nearer);
  for (let first = queue.pop(); first !== undefined; first = queue.pop()) {
    const [distance, at] = first;
    if (done.has(at)) continue;
    if (at === to) break;
    done.add(at);
    for (const [next, long] of graph.get(at) ?? []) {
      if (only && !only.has(next)) continue;
      const sum = distance + long;
      if (sum >= (far.get(next) ?? Infinity)) continue;
      far.set(next, sum);
      back.set(next, at);
      queue.push([sum, next]);
    }
  }
  if (from !== to && !back.has(to)) return null;
  const out = [to];
  while (out[0] !== from) out.unshift(back.get(out[0]!)!);
  return out;
}

/** Names `Milepost 1`, 2, ... that nothing on the board has. */
export function* freeNames(): Generator<string, never> {
  const taken = new Set<string>();
  for (const key of Object.keys(table("places").value)) taken.add(key.toLowerCase());
  for (const city of Object.values(cities.value)) taken.add(city.name.toLowerCase()).add(city.milepost.toLowerCase());
  for (const key of places.value.keys()) taken.add(key.toLowerCase());
  for (const post of Object.values(mileposts.value)) taken.add(post.name.toLowerCase());
  for (let number = 1; ; number += 1) if (!taken.has(`milepost ${number}`)) yield `Milepost ${number}`;
}

/** A polyline without the points that hardly bend it (Douglas and Peucker); the ends stay. */
export function simplified(path: readonly Point[], tolerance: number): Point[] {
  const keep = new Set<number>([0, path.length - 1]);
  const stack: [number, number][] = [[0, path.length - 1]];
  while (stack.length > 0) {
    const [a, b] = stack.pop()!;
    let [worst, at] = [tolerance, -1];
    for (let i = a + 1; i < b; i += 1) {
      const { away } = nearestBetween(path[a]!, path[b]!, ...path[i]!);
      if (away > worst) [worst, at] = [away, i];
    }
    if (at < 0) continue;
    keep.add(at);
    stack.push([a, at], [at, b]);
  }
  return path.filter((_, i) => keep.has(i));
}

/** The name of a place that has no other, as Python writes it. */
export function coordinateName([lon, lat]: Point): string {
  return `@${lon.toFixed(5)},${lat.toFixed(5)}`.replaceAll("-0.00000", "0.00000");
}

/** The other railroads that run between the same two places. */
export function beside(stretch: Stretch): string[] {
  const [a, b] = [stretch.from.place, stretch.to.place];
  const out = new Set<string>();
  for (const other of stretches.value) {
    const same = (other.from.place === a && other.to.place === b) || (other.from.place === b && other.to.place === a);
    if (same && other.railroad !== stretch.railroad) out.add(other.railroad);
  }
  return [...out].sort();
}

/** What a place is to a railroad already, or what it should be if the railroad does not pass it yet. */
export function kindFor(place: string, railroad: string): Kind {
  const found = places.value.get(place);
  if (!found) return "milepost";
  const own = found.kinds.get(railroad);
  if (own) return own;
  return [...found.kinds.values()].includes("milepost") ? "milepost" : "via";
}

/** How many ways lead from a place along lines of a railroad. */
export function armsOf(place: string, railroad: string): number {
  const out = new Set<string>();
  for (const { from, to, railroad: owner } of stretches.value) {
    if (owner !== railroad) continue;
    if (from.place === place) out.add(to.place);
    if (to.place === place) out.add(from.place);
  }
  return out.size;
}
