// Select, select by a box, and move mileposts: one drag is one command, and the segments follow while it goes on.
import type { At, BoardView, Sketch, Tool } from "../board/BoardView";
import { perform } from "../actions";
import { moveMileposts } from "../commands";
import { Dragging, letGo, pulled } from "../draw/dragging";
import { itemKey, select, selectedKeys, selectedMileposts } from "../selection";
import { mileposts, railroads, revision } from "../store";
import type { Point } from "../wire";
import { UNKNOWN } from "../colours";

const SLACK = 4;

type Moving = { kind: "move"; from: Point; ids: readonly string[]; drag: Dragging; seen: number; moved: boolean };
type Gesture = { kind: "box"; from: Point; now: Point; add: boolean } | Moving;
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
  gesture = { kind: "move", from: [at.x, at.y], ids, drag: Dragging.ofMileposts(ids), seen: revision.value, moved: false };
}

function preview({ ids, drag }: Moving, dx: number, dy: number): Sketch[] {
  const moved = new Set(ids);
  const to = (id: string): Point | null => {
    const post = moved.has(id) ? mileposts.value[id] : undefined;
    return post ? [post.x + dx, post.y + dy] : null;
  };
  drag.show(to, (segment) => pulled(segment, to));
  const shapes: Sketch[] = drag.arms.map(({ segment }) => {
    const colour = railroads.value[segment.railroad]?.colour ?? UNKNOWN;
    return { kind: "line", path: pulled(segment, to), colour, width: 2.5, dashed: true };
  });
  for (const id of ids) {
    const at = to(id);
    if (at) shapes.push({ kind: "dot", at });
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
    if (gesture.moved) board.sketch("pick", preview(gesture, dx, dy));
  },
  up(at: At, board: BoardView) {
    const ended = gesture;
    gesture = null;
    letGo();
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
    letGo();
    board.sketch("pick", []);
  },
};
