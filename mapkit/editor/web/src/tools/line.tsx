// Draw a line: each click a milepost or a bend, on what is there if there is something.
import { signal } from "@preact/signals";
import { board as canvas } from "../board";
import type { At, BoardView, Sketch, Tool } from "../board/BoardView";
import { beneathAt, wayBeneath } from "../draw/beneath";
import { drawnRailroad, railroadColour, RailroadPick, showError } from "../draw/common";
import { alongInk, anchor, following, inkPicture, pick, picking, wires, wiring } from "../draw/inkWindow";
import { layLine, samePlace, type Drawn } from "../draw/laying";
import { kindFor, PIXELS, places, simplified, SNAP_WORDS, snap, way, type Kind, type Snap } from "../draw/track";
import { revision } from "../store";
import { Button, Check, Select } from "../ui";
import { toast } from "../ui/Toast";
import type { Point } from "../wire";

const drawn = signal<readonly Drawn[]>([]);
const clicks = signal<Kind>("milepost");
let seen = 0;
let last: { x: number; y: number; alt: boolean } | null = null;
let busy = false;
/** What bends less is left out where a line underneath is followed. */
const BENDS_MM = 0.3;

const placeSnap = (name: string): Snap => {
  const place = places.value.get(name)!;
  return { kind: "bend", at: place.at, place: name, milepost: place.milepost, on: [] };
};

function caught(at: { x: number; y: number; alt: boolean }, board: BoardView): Snap {
  const off = at.alt;
  if (!off)
    for (const one of drawn.value)
      if (Math.hypot(one.snap.at[0] - at.x, one.snap.at[1] - at.y) < 8 * board.resolution) return one.snap;
  return snap(at.x, at.y, board, { off, railroad: drawnRailroad(), beneath: true, proposals: true });
}

/** The places between the last click and this one along track, or along a line underneath, while Ctrl is held. */
function traced(to: Snap, board: BoardView): Drawn[] {
  const from = drawn.value.at(-1)?.snap;
  if (!from) return [];
  const path = from.place && to.place ? way(from.place, to.place) : null;
  if (!path) return tracedBeneath(from, to, board);
  const railroad = drawnRailroad() ?? "";
  return path.slice(1, -1).map((name) => ({ snap: placeSnap(name), kind: kindFor(name, railroad) }));
}

function tracedBeneath(from: Snap, to: Snap, board: BoardView): Drawn[] {
  const [a, b] = [from, to].map((one) => one.beneath ?? beneathAt(one.at[0], one.at[1], PIXELS * board.resolution, board));
  const path = a && b ? wayBeneath(a, b) : null;
  const bends = path ? simplified([from.at, ...path, to.at], BENDS_MM).slice(1, -1) : [];
  return asBends(bends);
}

const asBends = (bends: readonly Point[]): Drawn[] =>
  bends.map((at) => ({ snap: { kind: "free", at, place: null, milepost: null, on: [] }, kind: "via" }));

/** What lies between the last click and this one: along lines while Ctrl is held, else along the ink if it is followed. */
function between(to: Snap, board: BoardView, ctrl: boolean): Drawn[] {
  const from = drawn.value.at(-1)?.snap;
  if (!from) return [];
  if (ctrl) return traced(to, board);
  return following.value ? asBends(alongInk(from.at, to.at)) : [];
}

/** Follow the ink from the last click on, as soon as the picture around it is here. */
function follow(board: BoardView): void {
  const from = following.value ? (drawn.value.at(-1)?.snap.at ?? null) : null;
  anchor(from, drawnRailroad())
    .then(() => last && wires.value && show(board, caught(last, board), false))
    .catch(showError);
}

function show(board: BoardView, here: Snap | null, ctrl: boolean): void {
  const colour = railroadColour(drawnRailroad());
  const points: Point[] = drawn.value.map((one) => one.snap.at);
  const bends = here ? between(here, board, ctrl).map((one) => one.snap.at) : [];
  const path = here ? [...points, ...bends, here.at] : points;
  const shapes: Sketch[] = path.length > 1 ? [{ kind: "line", path, colour, width: 3, dashed: true }] : [];
  for (const one of drawn.value) shapes.push({ kind: "dot", at: one.snap.at, radius: one.kind === "via" ? 3 : 5, colour });
  if (here) {
    if (here.kind !== "free") shapes.push({ kind: "circle", at: here.at, radius: 7 * board.resolution });
    if (here.kind !== "free") shapes.push({ kind: "text", at: here.at, text: here.place && !here.place.startsWith("@") ? here.place : here.name || SNAP_WORDS[here.kind] });
  }
  board.sketch("line", shapes);
}

export async function finish(board: BoardView = canvas): Promise<void> {
  const [done, railroad] = [drawn.value, drawnRailroad()];
  if (busy || done.length < 2 || railroad === null) {
    if (!busy) drawn.value = [];
    board.sketch("line", []);
    return;
  }
  busy = true;
  try {
    const answer = await layLine(railroad, done, seen);
    // what was refused stays, to be fixed
    if (answer === null || answer.ok) drawn.value = [];
  } catch (error) {
    showError(error);
  } finally {
    busy = false;
    show(board, null, false);
  }
}

function takeBack(board: BoardView): void {
  drawn.value = drawn.value.slice(0, -1);
  // the bends that followed the ink go with the click that made them
  while (following.value && drawn.value.length > 1 && drawn.value.at(-1)!.kind === "via" && drawn.value.at(-1)!.snap.kind === "free")
    drawn.value = drawn.value.slice(0, -1);
  follow(board);
  show(board, null, false);
}

async function takeInk(at: At, railroad: string): Promise<void> {
  picking.value = false;
  const found = await pick([at.x, at.y], railroad);
  toast(found ? "The ink is picked. Click where the line begins." : "There is no picture at this place; click on a line of the picture.", found ? "info" : "error");
  follow(canvas);
}

const INK_WORDS = {
  none: "Click where the line begins in the picture.",
  reading: "Reading the picture around the last click …",
  ready: "Click where the line goes: it follows the ink. Alt: where you click, with no snapping.",
  outside: "The last click is outside the picture: from there, each click draws straight.",
};

function Ink() {
  const about = inkPicture();
  if (!about) return null;
  return (
    <>
      <Check
        label={`Follow the ink of ${about.name}`}
        checked={following.value}
        onCommit={(on) => {
          following.value = on;
          follow(canvas);
        }}
      />
      {following.value && (
        <>
          <Button onClick={() => (picking.value = !picking.value)}>{picking.value ? "Do not pick" : "Pick the colour of the ink"}</Button>
          <p class="hint" role="status">
            {picking.value ? "Click on a line of this railroad in the picture." : INK_WORDS[wiring.value]}
          </p>
        </>
      )}
    </>
  );
}

function Card() {
  const count = drawn.value.length;
  return (
    <>
      <RailroadPick />
      <Select
        label="Each click places"
        value={clicks.value}
        options={[
          { value: "milepost", label: "a milepost (Shift: a bend)" },
          { value: "via", label: "a bend (Shift: a milepost)" },
        ]}
        onCommit={(kind) => (clicks.value = kind)}
      />
      <Ink />
      <div class="bar">
        <Button kind="primary" disabled={count < 2} onClick={() => void finish()}>
          Finish
        </Button>
        <Button disabled={count === 0} onClick={() => takeBack(canvas)}>
          Take back
        </Button>
      </div>
      <p class="hint">Alt: no snapping. Ctrl: follow lines to where you click. Backspace takes the last click back.</p>
    </>
  );
}

export const line: Tool = {
  id: "line",
  label: "Line: draw one by clicking",
  short: "Line",
  key: "D",
  hint: "Click place after place; click the last one again, or press Escape, to finish.",
  cursor: "crosshair",
  card: Card,
  move(at: At, board: BoardView) {
    last = at;
    if (drawnRailroad() === null) return;
    show(board, caught(at, board), at.ctrl);
  },
  down(at: At, board: BoardView) {
    if (busy) return;
    if (drawnRailroad() === null) return void toast("Add a railroad first; its button is in the corner of the board.", "error");
    if (picking.value) return void takeInk(at, drawnRailroad()!).catch(showError);
    const here = caught(at, board);
    const before = drawn.value.at(-1);
    if (before && samePlace(before.snap, here)) return void finish(board);
    if (drawn.value.length === 0) seen = revision.value;
    const other: Kind = clicks.value === "milepost" ? "via" : "milepost";
    const kind = at.shift ? other : clicks.value;
    drawn.value = [...drawn.value, ...between(here, board, at.ctrl), { snap: here, kind }];
    follow(board);
    show(board, here, false);
  },
  onKey(event, board) {
    if (event.key === "Backspace" && drawn.value.length > 0) takeBack(board);
    else if (event.key === "Escape" && drawn.value.length > 0) void finish(board);
    else if (event.key === "Enter" && event.ctrlKey && last)
      line.down?.({ ...last, item: null, shift: event.shiftKey, ctrl: true, alt: event.altKey, keyboard: true }, board);
    else return false;
    return true;
  },
  cancel(board) {
    // nothing that was drawn is lost by choosing another tool
    if (drawn.value.length > 1) void finish(board);
    else drawn.value = [];
    board.sketch("line", []);
  },
};
