import type { Tool } from "../board/BoardView";
import { select } from "../selection";
import type { Point } from "../wire";

let path: Point[] = [];

export const lasso: Tool = {
  id: "lasso",
  label: "Select with a lasso",
  short: "Lasso",
  key: "L",
  hint: "Draw around mileposts to select them; Ctrl selects lines, Shift adds.",
  cursor: "crosshair",
  down(at) {
    path = [[at.x, at.y]];
  },
  move(at, board, pressed) {
    if (!pressed) return;
    path.push([at.x, at.y]);
    board.sketch("lasso", [{ kind: "area", path: [...path, path[0]!] }]);
  },
  up(at, board) {
    board.sketch("lasso", []);
    const found = board.within(path, [at.ctrl ? "segment" : "milepost"]);
    path = [];
    select(found.length === 0 && at.item ? [at.item] : found, at.shift ? "add" : "set");
  },
  cancel(board) {
    path = [];
    board.sketch("lasso", []);
  },
};
