// Parallel track: along an existing line from one milepost to another, for one or many railroads in one gesture.
import { signal } from "@preact/signals";
import type { At, BoardView, Tool } from "../board/BoardView";
import { drawnRailroad, RailroadChecks, railroadColour, railroadWord } from "../draw/common";
import { layParallel } from "../draw/laying";
import { places, snap, way, type Snap } from "../draw/track";
import { revision } from "../store";
import { toast } from "../ui/Toast";

const chosen = signal<string[] | null>(null);
const path = signal<readonly string[]>([]);
let moved = false;
let seen = 0;

const wanted = (): string[] => chosen.value ?? (drawnRailroad() === null ? [] : [drawnRailroad()!]);

function here(at: At, board: BoardView): Snap | null {
  const found = snap(at.x, at.y, board, { railroad: drawnRailroad() });
  if (found.place !== null && places.value.has(found.place)) return found;
  const stretch = found.on[0];
  if (!stretch) return null;
  const end = [stretch.from, stretch.to].sort((a, b) => Math.hypot(a.x - at.x, a.y - at.y) - Math.hypot(b.x - at.x, b.y - at.y))[0]!;
  return { kind: "bend", at: [end.x, end.y], place: end.place, milepost: end.milepost, on: [] };
}

function towards(to: string): string[] | null {
  const from = path.value.at(-1);
  if (from === undefined) return null;
  const more = way(from, to);
  return more && [...path.value, ...more.slice(1)];
}

function show(board: BoardView, names: readonly string[]): void {
  const at = names.flatMap((name) => (places.value.get(name) ? [places.value.get(name)!.at] : []));
  const list = wanted();
  board.sketch("parallel", [
    ...(at.length > 1 ? list.map((id, i) => ({ kind: "line" as const, path: at, colour: railroadColour(id), width: 4 + 4 * (list.length - i) })) : []),
    ...at.filter((_, i) => i === 0 || i === at.length - 1).map((point) => ({ kind: "dot" as const, at: point })),
  ]);
}

function lay(board: BoardView, names: readonly string[]): void {
  path.value = [];
  if (names.length < 2) {
    board.sketch("parallel", []);
    return;
  }
  if (wanted().length === 0) {
    board.sketch("parallel", []);
    toast("Choose the railroads that get the track, in the corner of the board.", "error");
    return;
  }
  void layParallel(wanted(), names, seen).finally(() => board.sketch("parallel", []));
}

function Card() {
  return (
    <>
      <RailroadChecks chosen={wanted()} onChange={(ids) => (chosen.value = ids)} />
      <p class="hint">
        {path.value[0] !== undefined
          ? `From ${path.value[0]}. Click where it ends; Shift+click to go by another place first.`
          : `Drag along a line, or click two of its mileposts. It is laid for ${wanted().map(railroadWord).join(", ") || "nobody yet"}.`}
      </p>
    </>
  );
}

export const parallel: Tool = {
  id: "parallel",
  label: "Parallel: lay track beside a line",
  short: "Parallel",
  key: "P",
  hint: "Drag along a line from one milepost to another, or click both; the chosen railroads get track there.",
  cursor: "crosshair",
  card: Card,
  down(at, board) {
    moved = false;
    const found = here(at, board);
    if (!found?.place) {
      if (path.value.length === 0) toast("Begin on a milepost of a line.");
      return;
    }
    if (path.value.length === 0) {
      seen = revision.value;
      path.value = [found.place];
      return;
    }
    const whole = towards(found.place);
    if (whole === null) return void toast("No line leads there.", "error");
    if (at.shift) path.value = whole;
    else lay(board, whole);
  },
  move(at, board, pressed) {
    const found = here(at, board);
    const whole = found?.place ? towards(found.place) : null;
    if (pressed && path.value.length > 0 && found?.place && found.place !== path.value[0]) moved = true;
    if (path.value.length > 0) show(board, whole ?? path.value);
    else board.sketch("parallel", found ? [{ kind: "circle", at: found.at, radius: 7 * board.resolution }] : []);
  },
  up(at, board) {
    if (!moved || path.value.length === 0) return;
    moved = false;
    const found = here(at, board);
    const whole = found?.place ? towards(found.place) : null;
    if (whole) lay(board, whole);
  },
  onKey(event, board) {
    if (event.key !== "Escape" || path.value.length === 0) return false;
    parallel.cancel?.(board);
    return true;
  },
  cancel(board) {
    path.value = [];
    board.sketch("parallel", []);
  },
};
