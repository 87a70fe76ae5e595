// The differences of two versions on the board: what is new, what is gone, what is otherwise.
import type { Sketch } from "../board";
import { OF_DIFFERENCES } from "../colours";
import type { ShownStep } from "../generated";
import type { DrawnBoard, Point } from "../wire";

/** What is gone is dashed besides. */
export const MARKS = {
  new: { colour: OF_DIFFERENCES.new, words: "new" },
  gone: { colour: OF_DIFFERENCES.gone, words: "gone" },
  changed: { colour: OF_DIFFERENCES.changed, words: "changed" },
} as const;
type Kind = keyof typeof MARKS;
/** More would hide the board, and take long to draw. */
const MOST = 3000;

interface Placed {
  readonly paths: ReadonlyMap<string, readonly Point[]>;
  readonly posts: ReadonlyMap<string, Point>;
}

function placed(drawn: DrawnBoard): Placed {
  return {
    paths: new Map(drawn.segments.map(([id, , path]) => [`segment:${id}`, path])),
    posts: new Map(drawn.mileposts.map(([id, x, y]) => [`milepost:${id}`, [x, y]])),
  };
}

/** Shapes for the canvas, those of lines first. */
export function marks(steps: readonly ShownStep[], before: DrawnBoard, after: DrawnBoard): Sketch[] {
  const [old, now] = [placed(before), placed(after)];
  const lines: Sketch[] = [];
  const spots: Sketch[] = [];
  const ring = (kind: Kind, at: Point): void => void spots.push({ kind: "ring", at, colour: MARKS[kind].colour });
  const line = (kind: Kind, path: readonly Point[]): void =>
    void lines.push({ kind: "line", path, colour: MARKS[kind].colour, width: 5, dashed: kind === "gone" });
  const seen = new Set<string>();
  for (const { elements, box } of steps) {
    let found = false;
    for (const element of elements) {
      const [was, is] = [old.paths.get(element) ?? old.posts.get(element), now.paths.get(element) ?? now.posts.get(element)];
      found ||= was !== undefined || is !== undefined;
      if (seen.has(element)) continue;
      seen.add(element);
      const kind: Kind = was === undefined ? "new" : is === undefined ? "gone" : "changed";
      const path = now.paths.get(element) ?? old.paths.get(element);
      if (path) line(kind, path);
      const post = now.posts.get(element) ?? old.posts.get(element);
      if (post) ring(kind, post);
    }
    // cities and the like have no place of their own here
    if (!found && box) ring("changed", [(box.left + box.right) / 2, (box.top + box.bottom) / 2]);
  }
  return [...lines, ...spots].slice(0, MOST);
}
