// Edit lines: drag a place, drag a stretch to bend it, choose a section; keys split, join, turn, delete.
import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { board as canvas } from "../board";
import type { At, BoardView, Sketch, Tool } from "../board/BoardView";
import { degrees } from "../commands";
import { reshaping } from "../draw/actions";
import { drawnRailroad, railroadColour, railroadWord, showError } from "../draw/common";
import { bentBetween, Dragging, letGo, pulled, shifted } from "../draw/dragging";
import { edit, edited, editedLine, editedSection, editedStop } from "../draw/edited";
import { beside, nearestOn, places, snap, stretches, type Snap, type Stretch } from "../draw/track";
import { run } from "../edit";
import { currentRailroad } from "../selection";
import { lines, revision, segments } from "../store";
import { ActionButton } from "../ui";
import { toast } from "../ui/Toast";
import type { StopInput } from "../generated";
import type { Point, Segment } from "../wire";

const PIXELS = 9;
type Gesture = { from: Point; seen: number; moved: boolean; own: boolean; drag: Dragging } & (
  | { kind: "place"; place: string; line: string; at: number }
  | { kind: "stretch"; stretch: Stretch }
);
let gesture: Gesture | null = null;

/** The line that a click means: the edited one, then one of the railroad under the pointer, then any. */
function find(at: At, board: BoardView): { line: string; index: number; exact: boolean } | { stretch: Stretch } | null {
  const reach = PIXELS * board.resolution;
  const over = at.item?.kind === "segment" ? segments.value[at.item.id]?.railroad : undefined;
  const weigh = (id: string): number => {
    if (id === edited.value?.line) return 0;
    const { railroad } = lines.value[id]!;
    return railroad === over ? 1 : railroad === drawnRailroad() ? 2 : 3;
  };
  let best = null as { line: string; index: number; exact: boolean; weight: number; away: number } | null;
  for (const [id, line] of Object.entries(lines.value))
    line.stops.forEach((stop, index) => {
      const away = Math.hypot(stop.x - at.x, stop.y - at.y);
      if (away > reach) return;
      const weight = weigh(id);
      if (!best || away < best.away - 1e-6 || (away <= best.away + 1e-6 && weight < best.weight)) best = { line: id, index, exact: true, weight, away };
    });
  if (best) return best;
  let on: { stretch: Stretch; weight: number; away: number } | null = null;
  for (const stretch of stretches.value) {
    const { away } = nearestOn(stretch, at.x, at.y);
    const slack = stretch.railroad === over ? 2.2 * reach : reach;
    if (away > slack) continue;
    const weight = weigh(stretch.line);
    if (!on || weight < on.weight || (weight === on.weight && away < on.away)) on = { stretch, weight, away };
  }
  return on;
}

function shapes(): Sketch[] {
  const [now, line] = [edited.value, editedLine.value];
  if (!now || !line) return [];
  const colour = railroadColour(line.railroad);
  const path: Point[] = line.stops.map((stop) => [stop.x, stop.y]);
  const out: Sketch[] = path.length > 1 ? [{ kind: "line", path, colour, width: 2 }] : [];
  const section = editedSection.value;
  if (section) out.push({ kind: "line", path: section.stops.map((stop) => [stop.x, stop.y]), width: 6 });
  line.stops.forEach((stop, i) => {
    const chosen = i === now.b;
    out.push({ kind: stop.kind === "via" ? "dot" : "square", at: [stop.x, stop.y], radius: chosen ? 7 : stop.kind === "via" ? 3.5 : 4, ...(chosen ? {} : { colour }) });
  });
  return out;
}

function bent(now: Gesture, to: Point): Sketch[] {
  if (now.kind === "stretch") {
    const { from, to: end } = now.stretch;
    return [{ kind: "line", path: [[from.x, from.y], to, [end.x, end.y]], colour: railroadColour(now.stretch.railroad), dashed: true }, { kind: "dot", at: to }];
  }
  const out: Sketch[] = [];
  for (const { from, to: end, line, railroad } of stretches.value) {
    if (now.own && line !== now.line) continue;
    const other = from.place === now.place ? end : end.place === now.place ? from : null;
    if (other) out.push({ kind: "line", path: [[other.x, other.y], to], colour: railroadColour(railroad), dashed: true });
  }
  return [...out, { kind: "dot", at: to }];
}

/** The path of a segment with one more bend in a stretch, if it runs there. */
function pathWith(segment: Segment, { railroad, from, to: end }: Stretch, to: Point, own: boolean): Point[] | null {
  return own && segment.railroad !== railroad ? null : bentBetween(segment.path, [from.x, from.y], [end.x, end.y], to);
}

/** Say the figures of what is dragged. */
function say(now: Gesture, to: Point): void {
  if (now.kind === "stretch") return now.drag.show(() => null, (segment) => pathWith(segment, now.stretch, to, now.own) ?? segment.path);
  const place = places.value.get(now.place);
  const moved = (id: string): Point | null => (id === place?.milepost ? to : null);
  now.drag.show(moved, (segment) => (place?.milepost ? pulled(segment, moved) : place ? (shifted(segment.path, place.at, to) ?? segment.path) : segment.path));
}

async function settle(now: Gesture, to: Snap): Promise<void> {
  const [at] = await degrees([to.at]);
  const [lon, lat] = at!;
  const known = to.place !== null && places.value.has(to.place) ? to.place : null;
  if (now.kind === "stretch") {
    const { stretch } = now;
    const kind = known ? (places.value.get(known)?.kinds.get(stretch.railroad) ?? "via") : "via";
    const stop: StopInput = known ? { place: known, kind } : { kind: "via", lon, lat };
    await run({ kind: "add-stop", line: stretch.line, index: stretch.index, stop, railroads: now.own ? [] : beside(stretch) }, { seen: now.seen });
    const index = lines.value[stretch.line]?.stops.findIndex((one) => one.at === stretch.index) ?? -1;
    if (index >= 0) edit({ line: stretch.line, a: index, b: index });
    return;
  }
  const kind = places.value.get(now.place)?.kinds.get(lines.value[now.line]?.railroad ?? "") ?? "via";
  const stop: StopInput = known ? { place: known, kind: places.value.get(known)?.kinds.get(lines.value[now.line]?.railroad ?? "") ?? kind } : { kind, lon, lat };
  if (known || now.own) await run({ kind: "reshape-line", line: now.line, start: now.at, end: now.at, stops: [stop] }, { seen: now.seen });
  else await run({ kind: "edit-place", place: now.place, lon, lat }, { seen: now.seen });
}

function Card() {
  useEffect(() => {
    reshaping.value = true;
    return () => {
      reshaping.value = false;
      edit(null);
    };
  }, []);
  const [line, stop, section] = [editedLine.value, editedStop.value, editedSection.value];
  if (!line) return <p class="hint">Click a line. Drag its places, or drag between them to bend it.</p>;
  const called = (place: string): string => (place.startsWith("@") ? "a bend" : place);
  return (
    <>
      <h3>
        {railroadWord(line.railroad)}: {line.name}
      </h3>
      <p>
        {section
          ? `From ${called(section.stops[0]!.place)} to ${called(section.stops.at(-1)!.place)}`
          : stop
            ? `At ${called(stop.place)}, place ${stop.at + 1} of ${line.stops.length}`
            : ""}
      </p>
      <div class="bar">
        {["delete", "split", "join", "reverse", "convert", "name", "set-railroad", "copy"].map((id) => (
          <ActionButton id={id} key={id}>
            {{ delete: section ? "Delete section" : "Delete place", split: "Split", join: "Join", reverse: "Reverse", convert: stop?.kind === "via" ? "To milepost" : "To bend", name: "Name …", "set-railroad": "To railroad …", copy: "Copy" }[id]}
          </ActionButton>
        ))}
      </div>
      <p class="hint">Shift+click: a section. [ and ]: place before and after. Shift while dragging: this railroad alone. Alt: no snapping.</p>
    </>
  );
}

export const reshape: Tool = {
  id: "reshape",
  label: "Reshape: edit lines and their places",
  short: "Reshape",
  key: "E",
  hint: "Click a line; drag a place to move it, a stretch to bend it. Delete, X, J and Shift+R work on it.",
  cursor: "crosshair",
  card: Card,
  down(at, board) {
    const found = find(at, board);
    if (!found) return edit(null);
    const base = { from: [at.x, at.y] as Point, seen: revision.value, moved: false, own: at.shift };
    if ("stretch" in found) {
      const { stretch } = found;
      currentRailroad.value = stretch.railroad;
      const index = lines.value[stretch.line]?.stops.findIndex((stop) => stop.at === stretch.index) ?? 0;
      const nearer = nearestOn(stretch, at.x, at.y).along < 0.5 ? index - 1 : index;
      if (stretch.line !== edited.value?.line || !at.shift) edit({ line: stretch.line, a: nearer, b: nearer });
      gesture = { ...base, kind: "stretch", stretch, drag: Dragging.ofBend((segment) => pathWith(segment, stretch, base.from, base.own)) };
      return;
    }
    const stop = lines.value[found.line]?.stops[found.index];
    if (!stop) return;
    currentRailroad.value = lines.value[found.line]?.railroad ?? null;
    const extends_ = at.shift && edited.value?.line === found.line;
    edit({ line: found.line, a: extends_ ? edited.value!.a : found.index, b: found.index });
    const owner = base.own ? lines.value[found.line]?.railroad : undefined;
    const drag = stop.milepost
      ? Dragging.ofMileposts([stop.milepost], owner)
      : Dragging.ofBend((segment) => (owner === undefined || segment.railroad === owner ? shifted(segment.path, [stop.x, stop.y], base.from) : null));
    gesture = { ...base, kind: "place", place: stop.place, line: found.line, at: stop.at, drag };
  },
  move(at, board, pressed) {
    if (!pressed || gesture === null) return;
    gesture.moved ||= Math.hypot(at.x - gesture.from[0], at.y - gesture.from[1]) > 4 * board.resolution;
    if (!gesture.moved) return;
    const but = new Set(gesture.kind === "place" ? [gesture.place] : []);
    const to = snap(at.x, at.y, board, { off: at.alt, but, railroad: drawnRailroad(), beneath: true }).at;
    say(gesture, to);
    board.sketch("bent", bent(gesture, to));
  },
  up(at, board) {
    const ended = gesture;
    gesture = null;
    letGo();
    if (!ended?.moved) return board.sketch("bent", []);
    const but = new Set(ended.kind === "place" ? [ended.place] : [ended.stretch.from.place, ended.stretch.to.place]);
    const to = snap(at.x, at.y, board, { off: at.alt, but, railroad: drawnRailroad(), beneath: true });
    settle(ended, to).catch(showError).finally(() => board.sketch("bent", []));
  },
  onKey(event) {
    const [now, line] = [edited.value, editedLine.value];
    if (!now || !line || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") edit(null);
    else if (event.key === "[" || event.key === "]" || event.key === "{" || event.key === "}") {
      const b = Math.max(0, Math.min(line.stops.length - 1, now.b + (event.key === "[" || event.key === "{" ? -1 : 1)));
      edit({ line: now.line, a: event.key === "{" || event.key === "}" ? now.a : b, b });
    } else if (event.key === "Backspace") toast("Press Delete to delete the place.");
    else return false;
    return true;
  },
  cancel(board) {
    gesture = null;
    letGo();
    board.sketch("bent", []);
  },
};

effect(() => {
  canvas.sketch("reshape", shapes());
});
