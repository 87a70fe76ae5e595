// Draw a line freehand: what the hand shakes is left out, the ends snap.
import { signal } from "@preact/signals";
import type { BoardView, Tool } from "../board/BoardView";
import { drawnRailroad, railroadColour, RailroadPick, showError } from "../draw/common";
import { layLine, type Drawn } from "../draw/laying";
import { simplified, snap } from "../draw/track";
import { revision } from "../store";
import { Slider } from "../ui";
import { toast } from "../ui/Toast";
import type { Point } from "../wire";

const smooth = signal(3);
let path: Point[] = [];
let seen = 0;

function Card() {
  return (
    <>
      <RailroadPick />
      <Slider label={`How simple: ${smooth.value} pixels`} value={smooth.value} min={1} max={15} step={1} onInput={(value) => (smooth.value = value)} />
      <p class="hint">Its ends are mileposts and snap (Alt: they do not). Re-space it after to set mileposts on it.</p>
    </>
  );
}

export const freehand: Tool = {
  id: "freehand",
  label: "Freehand: draw a line in one stroke",
  short: "Freehand",
  key: "F",
  hint: "Press, draw the course of the line, let go. By keyboard: Space, arrows, Space.",
  cursor: "crosshair",
  card: Card,
  down(at, board) {
    if (drawnRailroad() === null) return void toast("Add a railroad first; its button is in the corner of the board.", "error");
    const from = snap(at.x, at.y, board, { off: at.alt, railroad: drawnRailroad(), beneath: true });
    path = [from.at];
    seen = revision.value;
  },
  move(at, board: BoardView, pressed) {
    if (!pressed) {
      const here = snap(at.x, at.y, board, { off: at.alt, railroad: drawnRailroad(), beneath: true });
      board.sketch("freehand", here.kind === "free" ? [] : [{ kind: "circle", at: here.at, radius: 7 * board.resolution }]);
      return;
    }
    if (path.length === 0) return;
    path.push([at.x, at.y]);
    board.sketch("freehand", [{ kind: "line", path, colour: railroadColour(drawnRailroad()), width: 3 }]);
  },
  up(at, board) {
    const railroad = drawnRailroad();
    const whole = path;
    path = [];
    if (railroad === null || whole.length < 2) return board.sketch("freehand", []);
    const options = { off: at.alt, railroad, beneath: true };
    const [first, end] = [snap(whole[0]![0], whole[0]![1], board, options), snap(at.x, at.y, board, options)];
    const thin = simplified(whole, smooth.value * board.resolution);
    const bends = thin.slice(1, -1).map((point): Drawn => ({ kind: "via", snap: { kind: "free", at: point, place: null, milepost: null, on: [] } }));
    const drawn: Drawn[] = [{ kind: "milepost", snap: first }, ...bends, { kind: "milepost", snap: end }];
    layLine(railroad, drawn, seen).catch(showError).finally(() => board.sketch("freehand", []));
  },
  cancel(board) {
    path = [];
    board.sketch("freehand", []);
  },
};
