// Whether something of the board can be seen now: inside the window, and under nothing that covers the board.
import { board } from "../board";
import type { Item } from "../selection";
import { junctions, mileposts, segments } from "../store";
import type { Point } from "../wire";

/** So often a stretch between two points is looked at. */
const STEPS = 16;

/** Whether a place of the page, in millimetres, can be seen. */
export function inSight(at: Point): boolean {
  const canvas = document.getElementById("board");
  if (!canvas) return false;
  const { x, y } = board.toScreen(at);
  const box = canvas.getBoundingClientRect();
  if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
  const top = document.elementFromPoint(x, y);
  return top === null || top === canvas || canvas.contains(top) || top.contains(canvas);
}

function between([x, y]: Point, [u, v]: Point): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, i): Point => [x + ((u - x) * i) / STEPS, y + ((v - y) * i) / STEPS]);
}

/** Whether any of a path can be seen. */
export function pathInSight(path: readonly Point[]): boolean {
  if (path.length === 1) return inSight(path[0]!);
  return path.some((at, i) => i > 0 && between(path[i - 1]!, at).some(inSight));
}

/** Whether any of an item can be seen. */
export function itemInSight(item: Item): boolean {
  const spot = item.kind === "milepost" ? mileposts.value[item.id] : item.kind === "junction" ? junctions.value[item.id] : undefined;
  if (spot) return inSight([spot.x, spot.y]);
  return pathInSight(segments.value[item.id]?.path ?? []);
}
