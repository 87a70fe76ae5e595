// Mileposts: placed on lines, moved along them, made of bends.
import { signal } from "@preact/signals";
import type { At, BoardView, Tool } from "../board/BoardView";
import { degrees } from "../commands";
import { showError } from "../draw/common";
import { Dragging, letGo, pulled } from "../draw/dragging";
import { selectPlace } from "../draw/made";
import { beside, freeNames, places, snap, stretches, SNAP_WORDS, type Snap } from "../draw/track";
import { run } from "../edit";
import { select } from "../selection";
import { revision } from "../store";
import { ActionButton, Check } from "../ui";
import { askText } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import type { StopInput } from "../generated";
import type { Point } from "../wire";

const askName = signal(false);
let dragged: { place: string; milepost: string | null; drag: Dragging | null; from: Point; moved: boolean; seen: number } | null = null;
let begun: Snap | null = null;

async function named(): Promise<string | null> {
  const free = freeNames().next().value;
  return askName.value ? askText("New milepost", "Name of the milepost", free, "Place it") : free;
}

export async function placeMilepost(found: Snap): Promise<void> {
  const seen = revision.value;
  if (found.kind === "bend" && found.place) {
    const name = await named();
    if (name === null) return;
    const bend = found.place.startsWith("@");
    const made = await run({ kind: "set-stop-kind", place: found.place, to: "milepost", ...(bend ? { name } : {}) }, { seen });
    if (made.ok) selectPlace(bend ? name : found.place);
    return;
  }
  const stretch = found.on[0];
  if (!stretch) return void toast("Click on a line; a milepost stands on one.");
  const name = await named();
  if (name === null) return;
  const [at] = await degrees([found.at]);
  const stop: StopInput = { place: name, kind: "milepost", lon: at![0], lat: at![1] };
  const railroads = new Set(found.on.flatMap((one) => [one.railroad, ...beside(one)]));
  railroads.delete(stretch.railroad);
  if (found.kind !== "crossing") {
    const added = await run({ kind: "add-stop", line: stretch.line, index: stretch.index, stop, railroads: [...railroads].sort() }, { seen });
    if (added.ok) selectPlace(name);
    return;
  }
  const commands = found.on.map((one, i) => ({
    kind: "add-stop" as const,
    line: one.line,
    index: one.index,
    stop: i === 0 ? stop : { place: name, kind: "milepost" as const },
    railroads: beside(one),
  }));
  // both stretches of one line: the later one first, so that the numbers stay right
  if (commands[0] && commands[1] && commands[0].line === commands[1].line && commands[0].index < commands[1].index) {
    [commands[0].index, commands[1].index] = [commands[1].index, commands[0].index];
  }
  const added = await run({ kind: "batch", label: `Add milepost ${name} where lines cross`, commands }, { seen });
  if (added.ok) selectPlace(name);
}

function Card() {
  return (
    <>
      <Check label="Ask for the name" checked={askName.value} onCommit={(on) => (askName.value = on)} />
      <p class="hint">All railroads that run there side by side get the milepost. F2 names the chosen one, Delete takes it away.</p>
      <div class="bar">
        <ActionButton id="name">Name …</ActionButton>
        <ActionButton id="convert">To bend</ActionButton>
        <ActionButton id="delete">Delete</ActionButton>
      </div>
    </>
  );
}

export const milepostTool: Tool = {
  id: "milepost",
  label: "Mileposts: place and move them on lines",
  short: "Mileposts",
  key: "M",
  hint: "Click a line to place a milepost, a bend to make it one; drag a milepost to move it, along its line or off it with Alt.",
  cursor: "crosshair",
  card: Card,
  down(at: At, board: BoardView) {
    const found = snap(at.x, at.y, board);
    begun = found;
    dragged = null;
    if (found.kind !== "milepost" || !found.place) return;
    if (found.milepost) select([{ kind: "milepost", id: found.milepost }]);
    dragged = { place: found.place, milepost: found.milepost, drag: found.milepost ? Dragging.ofMileposts([found.milepost]) : null, from: [at.x, at.y], moved: false, seen: revision.value };
  },
  move(at, board, pressed) {
    if (pressed && dragged) {
      dragged.moved ||= Math.hypot(at.x - dragged.from[0], at.y - dragged.from[1]) > 4 * board.resolution;
      if (!dragged.moved) return;
      const { to, off } = slid(at, dragged.place, board);
      const { drag } = dragged;
      const now = (id: string): Point | null => (id === dragged?.milepost ? to : null);
      drag?.show(now, (segment) => pulled(segment, now), off ? ["Off its line, which bends to it."] : []);
      const arms = stretches.value.filter(({ from, to: end }) => from.place === dragged?.place || end.place === dragged?.place);
      board.sketch("milepost", [
        ...arms.map(({ from, to: end }) => {
          const other = from.place === dragged?.place ? end : from;
          return { kind: "line" as const, path: [[other.x, other.y] as Point, to], dashed: true };
        }),
        { kind: "dot", at: to },
      ]);
      return;
    }
    const found = snap(at.x, at.y, board);
    board.sketch(
      "milepost",
      found.kind === "free"
        ? []
        : [
            { kind: "dot", at: found.at },
            { kind: "text", at: found.at, text: found.place && !found.place.startsWith("@") ? found.place : SNAP_WORDS[found.kind] },
          ],
    );
  },
  up(at, board) {
    const ended = dragged;
    dragged = null;
    letGo();
    if (ended?.moved) {
      const { to } = slid(at, ended.place, board);
      degrees([to])
        .then(([spot]) => run({ kind: "edit-place", place: ended.place, lon: spot![0], lat: spot![1] }, { seen: ended.seen }))
        .catch(showError)
        .finally(() => board.sketch("milepost", []));
      return;
    }
    board.sketch("milepost", []);
    if (begun && begun.kind !== "milepost") void placeMilepost(begun).catch(showError);
    begun = null;
  },
  onKey(event) {
    if (event.key !== "Escape") return false;
    select([]);
    return true;
  },
  cancel(board) {
    dragged = null;
    letGo();
    begun = null;
    board.sketch("milepost", []);
  },
};

/** Where a dragged milepost goes: along a line that it stands on, if the pointer is near one and Alt is not held. */
function slid(at: At, place: string, board: BoardView): { to: Point; off: boolean } {
  const own = stretches.value.filter(({ from, to }) => from.place === place || to.place === place);
  let best: Point = [at.x, at.y];
  if (at.alt || !places.value.has(place)) return { to: best, off: own.length > 0 };
  let least = 14 * board.resolution;
  let off = own.length > 0;
  for (const stretch of own) {
    const [dx, dy] = [stretch.to.x - stretch.from.x, stretch.to.y - stretch.from.y];
    const long = dx * dx + dy * dy || 1;
    const t = Math.max(0.02, Math.min(0.98, ((at.x - stretch.from.x) * dx + (at.y - stretch.from.y) * dy) / long));
    const on: Point = [stretch.from.x + t * dx, stretch.from.y + t * dy];
    const away = Math.hypot(on[0] - at.x, on[1] - at.y);
    if (away < least) [best, least, off] = [on, away, false];
  }
  return { to: best, off };
}
