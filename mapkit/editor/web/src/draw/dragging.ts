// Figures of what is dragged, made in the page at each move: only the track that changes is looked at.
import { dragged, milesText, type Neighbour } from "../board/dragged";
import { query } from "../edit";
import { mileposts, page, railroads, revision, segments } from "../store";
import type { AnswerTo, Point, Segment } from "../wire";
import { askEarth, earth, type Earth } from "./earth";
import { UNKNOWN } from "../colours";

const METRES = 1609.344;
const MOST = 6;
/** Of more mileposts at once it is not said how near they come to others. */
const FEW = 40;

export interface Arm {
  readonly id: string;
  readonly segment: Segment;
}
type Limits = Pick<AnswerTo<"spacing-limits">, "near" | "usual">;

let limits: { at: number; found: Limits } | null = null;

/** Ask for what figures need, when something is taken hold of. */
function prepare(): void {
  askEarth();
  const at = revision.value;
  if (limits?.at === at) return;
  query("spacing-limits", {}).then(
    (found) => (limits = { at, found }),
    () => undefined, // nothing is too near or too far then
  );
}

/** Where a path runs when its ends have moved; what lies between them stays. */
export function pulled(segment: Segment, to: (milepost: string) => Point | null): Point[] {
  const path = [...segment.path];
  const [a, b] = [to(segment.a), to(segment.b)];
  if (a) path[0] = a;
  if (b) path[path.length - 1] = b;
  return path;
}

const same = ([x, y]: Point, [u, v]: Point): boolean => Math.abs(x - u) < 0.02 && Math.abs(y - v) < 0.02;

/** A path on which a bend lies elsewhere; null if it is not on it. */
export function shifted(path: readonly Point[], bend: Point, to: Point): Point[] | null {
  const at = path.findIndex((point) => same(point, bend));
  return at < 0 ? null : path.map((point, i) => (i === at ? to : point));
}

/** A path with one more bend between two of its places; null if they do not follow each other on it. */
export function bentBetween(path: readonly Point[], from: Point, end: Point, to: Point): Point[] | null {
  for (let i = 1; i < path.length; i += 1) {
    const [one, other] = [path[i - 1]!, path[i]!];
    if ((same(one, from) && same(other, end)) || (same(one, end) && same(other, from))) return [...path.slice(0, i), to, ...path.slice(i)];
  }
  return null;
}

/** Something that is dragged, from when it is taken hold of. */
export class Dragging {
  /** How long the track was, on the globe as it is known. */
  private was: readonly (number | null)[] = [];
  private before: Earth | null | undefined;

  /**
   * @param title What it is called.
   * @param moved The mileposts that move.
   * @param arms The segments whose miles may change.
   */
  private constructor(
    readonly title: string,
    private readonly moved: ReadonlySet<string>,
    readonly arms: readonly Arm[],
  ) {
    prepare();
  }

  static ofMileposts(ids: readonly string[], railroad?: string): Dragging {
    const moved = new Set(ids);
    const [only] = ids;
    const title = ids.length === 1 ? (mileposts.value[only!]?.name ?? only!) : `${ids.length} mileposts`;
    return new Dragging(title, moved, touching((segment) => (moved.has(segment.a) || moved.has(segment.b)) && (railroad === undefined || segment.railroad === railroad)));
  }

  /** A bend, or a new one between two places: `onto` says where a path runs then, or null if it is not concerned. */
  static ofBend(onto: (segment: Segment) => readonly Point[] | null): Dragging {
    return new Dragging("Bend", new Set(), touching((segment) => onto(segment) !== null));
  }

  /** Say the figures, where mileposts lie now and paths run now. */
  show(to: (milepost: string) => Point | null, onto: (segment: Segment) => readonly Point[], notes: readonly string[] = []): void {
    const globe = earth();
    if (globe !== this.before) {
      this.before = globe;
      this.was = this.arms.map(({ segment }) => (globe ? globe.along(segment.path) : flat(segment.path)));
    }
    const found = new Map<string, Neighbour>();
    const said = [...notes];
    this.arms.forEach(({ id, segment }, i) => {
      if (this.moved.has(segment.a) && this.moved.has(segment.b)) return;
      const path = onto(segment);
      const [was, now] = [this.was[i], globe ? globe.along(path) : flat(path)];
      const miles = was && now !== null ? (segment.miles * now) / was : segment.miles;
      this.add(found, id, segment, miles);
    });
    for (const { name, miles } of found.values()) said.push(...unusual(name, miles));
    if (globe && this.moved.size <= FEW) said.push(...this.placed(globe, to));
    const all = [...found.values()];
    dragged.value = { title: this.title, neighbours: all.slice(0, MOST), more: Math.max(0, all.length - MOST), notes: [...new Set(said)] };
  }

  /** Put a segment to the others that lead to the same milepost in as many miles. */
  private add(found: Map<string, Neighbour>, id: string, segment: Segment, miles: number): void {
    const name = this.moved.has(segment.a) ? called(segment.b) : this.moved.has(segment.b) ? called(segment.a) : `${called(segment.a)} – ${called(segment.b)}`;
    const key = `${name} ${milesText(miles)}`;
    const railroad = railroads.value[segment.railroad];
    const mark = { short: railroad?.short ?? segment.railroad, colour: railroad?.colour ?? UNKNOWN };
    const had = found.get(key);
    found.set(key, had ? { ...had, railroads: [...had.railroads, mark] } : { key: id, name, railroads: [mark], miles, was: segment.miles });
  }

  /** What is wrong with the places of mileposts: in the water, or too close to another. */
  private placed(globe: Earth, to: (milepost: string) => Point | null): string[] {
    const near = limits?.found.near ?? 0;
    // a page is nowhere so far from its scale
    const reach = 2 * near * METRES * page.value.projection.scale_mm_per_m;
    const out: string[] = [];
    for (const id of this.moved) {
      const at = to(id);
      if (!at) continue;
      const name = this.moved.size === 1 ? "" : `${called(id)}: `;
      if (globe.wet(at)) out.push(`${name}In the water.`);
      for (const [other, post] of Object.entries(mileposts.value)) {
        if (this.moved.has(other) || Math.abs(post.x - at[0]) > reach || Math.abs(post.y - at[1]) > reach) continue;
        const miles = globe.miles(at, [post.x, post.y]);
        if (miles !== null && miles < near) out.push(`${name}Only ${milesText(miles)} miles from ${post.name}: too close together.`);
      }
    }
    return out;
  }
}

/** Nothing is dragged any more. */
export function letGo(): void {
  dragged.value = null;
}

const called = (id: string): string => mileposts.value[id]?.name ?? id;

function touching(concerns: (segment: Segment) => boolean): Arm[] {
  return Object.entries(segments.value).flatMap(([id, segment]) => (concerns(segment) ? [{ id, segment }] : []));
}

function flat(path: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i += 1) sum += Math.hypot(path[i]![0] - path[i - 1]![0], path[i]![1] - path[i - 1]![1]);
  return sum;
}

/** What N10 would say of so many miles to a milepost. */
function unusual(name: string, miles: number): string[] {
  const usual = limits?.found.usual;
  if (!usual || (miles >= usual.least && miles <= usual.most)) return [];
  const what = miles > usual.most ? "too long" : "too short";
  return [`${name}: ${milesText(miles)} miles are ${what}; ${milesText(usual.middle)} are usual.`];
}
