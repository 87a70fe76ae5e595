// Select, select by a box, and move mileposts: one drag is one command, and the segments follow while it goes on.
import type { At, BoardView, Sketch, Tool } from "../board/BoardView";
import { perform } from "../actions";
import { moveMileposts } from "../commands";
import { itemKey, select, selectedKeys, selectedMileposts } from "../selection";
import { mileposts, railroads, revision, segments } from "../store";
import type { Point, Segment } from "../wire";

const SLACK = 4;

type Gesture =
  | { kind: "box"; from: Point; now: Point; add: boolean }
  | { kind: "move"; from: Point; ids: readonly string[]; seen: number; moved: boolean };
let gesture: Gesture | null = null;

function begin(at: At): void {
  if (at.item === null) {
    gesture = { kind: "box", from: [at.x, at.y], now: [at.x, at.y], add: at.shift };
    return;
  }
  const selected = selectedKeys.value.has(itemKey(at.item));
  if (at.shift || at.ctrl) select([at.item], "toggle");
  else if (!selected) select([at.item]);
  if (at.item.kind !== "milepost") return;
  const ids = selectedMileposts.value.includes(at.item.id) ? selectedMileposts.value : [at.item.id];
  gesture = { kind: "move", from: [at.x, at.y], ids, seen: revision.value, moved: false };
}

/** A segment as it would be if its ends moved: the whole move at a moved end, none of it at the other. */
export function bent(segment: Segment, moved: ReadonlySet<string>, dx: number, dy: number): Point[] {
  const [a, b] = [moved.has(segment.a) ? 1 : 0, moved.has(segment.b) ? 1 : 0];
  const last = Math.max(1, segment.path.length - 1);
  return segment.path.map(([x, y], i): Point => {
    const share = a + ((b - a) * i) / last;
    return [x + dx * share, y + dy * share];
  });
}

function preview(ids: readonly string[], dx: number, dy: number): Sketch[] {
  const moved = new Set(ids);
  const shapes: Sketch[] = [];
  for (const segment of Object.values(segments.value)) {
    if (!moved.has(segment.a) && !moved.has(segment.b)) continue;
    const colour = railroads.value[segment.railroad]?.colour ?? "#888888";
    shapes.push({ kind: "line", path: bent(segment, moved, dx, dy), colour, width: 2.5, dashed: true });
  }
  for (const id of ids) {
    const post = mileposts.value[id];
    if (post) shapes.push({ kind: "dot", at: [post.x + dx, post.y + dy] });
  }
  return shapes;
}

export const pick: Tool = {
  id: "pick",
  label: "Select and move",
  short: "Select",
  key: "V",
  hint: "Click to select, Shift for more; drag a milepost to move it, or empty ground to select with a box.",
  down: begin,
  move(at: At, board: BoardView, pressed: boolean) {
    if (!pressed || gesture === null) return;
    if (gesture.kind === "box") {
      gesture.now = [at.x, at.y];
      const [[x, y], [u, v]] = [gesture.from, gesture.now];
      board.sketch("pick", [{ kind: "area", path: [[x, y], [u, y], [u, v], [x, v], [x, y]] }]);
      return;
    }
    const [dx, dy] = [at.x - gesture.from[0], at.y - gesture.from[1]];
    gesture.moved ||= Math.hypot(dx, dy) > SLACK * board.resolution;
    if (gesture.moved) board.sketch("pick", preview(gesture.ids, dx, dy));
  },
  up(at: At, board: BoardView) {
    const ended = gesture;
    gesture = null;
    if (ended?.kind === "move" && ended.moved) {
      const [dx, dy] = [at.x - ended.from[0], at.y - ended.from[1]];
      // what is drawn stays until the answer is there, so that nothing jumps back and forth
      void moveMileposts(ended.ids, dx, dy, ended.seen).finally(() => board.sketch("pick", []));
      return;
    }
    board.sketch("pick", []);
    if (ended?.kind !== "box") return;
    const [[x, y], [u, v]] = [ended.from, [at.x, at.y]];
    const big = Math.hypot(u - x, v - y) > SLACK * board.resolution;
    const found = big ? board.within([[x, y], [u, y], [u, v], [x, v]], ["milepost"]) : [];
    if (found.length > 0 || !ended.add) select(found, ended.add ? "add" : "set");
  },
  double(at: At) {
    if (at.item?.kind === "milepost") perform("name");
    else if (at.item?.kind === "segment") perform("tool-reshape");
  },
  onKey(event, board) {
    if (event.key !== "Escape" || selectedKeys.value.size === 0) return false;
    select([]);
    board.sketch("pick", []);
    return true;
  },
  cancel(board) {
    gesture = null;
    board.sketch("pick", []);
  },
};
