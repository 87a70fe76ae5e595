// Control points: click a spot of the picture, then where it lies; the picture follows while a point is dragged.
import { effect, signal } from "@preact/signals";
import { board as canvas } from "../board";
import type { At, BoardView, Sketch, Tool } from "../board/BoardView";
import { useEffect } from "preact/hooks";
import { degrees } from "../commands";
import { aligned, backward, chosenPoint, controlPoints, deletePoint, forward, place, placed, proposed } from "../draw/background";
import { showError } from "../draw/common";
import { snap, type Snap } from "../draw/track";
import { run } from "../edit";
import { counted } from "../shell/line";
import { revision } from "../store";
import { Button } from "../ui";
import { toast } from "../ui/Toast";
import type { PutControlPoint } from "../generated";
import type { Point } from "../wire";

const on = signal(false);
const pending = signal<Point | null>(null);
let dragged: { key: string; from: Point; moved: boolean; seen: number } | null = null;

function pointAt(at: At, board: BoardView): string | null {
  let best: string | null = null;
  let least = 10 * board.resolution;
  for (const point of placed.value?.points ?? []) {
    const away = Math.hypot(point.page[0] - at.x, point.page[1] - at.y);
    if (away <= least) [best, least] = [point.key, away];
  }
  return best;
}

async function where(found: Snap): Promise<Pick<PutControlPoint, "city" | "lon" | "lat">> {
  if (found.place !== null && found.kind === "milepost" && !found.place.startsWith("@")) return { city: found.place };
  const [spot] = await degrees([found.at]);
  return { lon: spot![0], lat: spot![1] };
}

async function add(pixel: Point, found: Snap): Promise<void> {
  const round = (value: number): number => Math.round(value * 10) / 10;
  await run({ kind: "put-control-point", x: round(pixel[0]), y: round(pixel[1]), ...(await where(found)) });
}

async function move(key: string, found: Snap, seen: number): Promise<void> {
  const row = controlPoints.value[key];
  if (!row) return;
  await run({ kind: "put-control-point", key, x: row.x, y: row.y, note: row.note, ...(await where(found)) }, { seen });
}

function markers(): Sketch[] {
  const now = placed.value;
  if (!now || (!on.value && chosenPoint.value === null && proposed.value === null)) return [];
  return now.points.flatMap((point, i): Sketch[] => {
    const bad = point.key === now.worst;
    const colour = bad ? "--board-wrong" : point.key === chosenPoint.value ? "--board-accent" : "--board-control";
    return [
      { kind: "line", path: [point.page, forward(now.map, point.x, point.y)], colour, width: 2 },
      { kind: "dot", at: point.page, radius: 6, colour },
      { kind: "text", at: point.page, text: point.name || String(i + 1), ...(bad ? { colour: "--board-wrong" } : {}) },
    ];
  });
}

function Card() {
  useEffect(() => {
    on.value = true;
    return () => {
      on.value = false;
      pending.value = null;
      chosenPoint.value = null;
    };
  }, []);
  const now = placed.value;
  const about = aligned();
  if (!about) return <p class="hint">There is no picture yet. Add one in the panel Background, or let it fall on the board.</p>;
  const worst = now?.points.find((point) => point.key === now.worst);
  return (
    <>
      <h3>{about.name}</h3>
      <p>{pending.value ? "Now click where this spot lies: a milepost, or anywhere." : "Click a spot that you know in the picture."}</p>
      {now && now.points.length > 0 && (
        <p>
          {counted(now.points.length, "1 control point", "control points")}
          {now.rms === null ? "" : `, ${now.rms.toFixed(2)} mm off on the average`}.
          {worst ? ` The worst is ${worst.name || `the one at pixel ${worst.x}, ${worst.y}`}.` : ""}
        </p>
      )}
      {chosenPoint.value !== null && chosenPoint.value in controlPoints.value && (
        <Button kind="danger" onClick={() => void deletePoint(chosenPoint.value!)}>
          Delete this point
        </Button>
      )}
    </>
  );
}

export const controlTool: Tool = {
  id: "control",
  label: "Align: set control points of the picture",
  short: "Align",
  key: "Y",
  hint: "Click a spot of the picture, then its place; drag a point to move it, Alt for no snapping.",
  cursor: "crosshair",
  card: Card,
  down(at, board) {
    dragged = null;
    if (!aligned() || !placed.value) return void toast("Add a picture first, in the panel Background.", "error");
    const key = pending.value ? null : pointAt(at, board);
    if (key === null) return;
    chosenPoint.value = key;
    dragged = { key, from: [at.x, at.y], moved: false, seen: revision.value };
  },
  move(at, board, pressed) {
    const found = snap(at.x, at.y, board, { off: at.alt, beneath: true });
    const now = placed.value;
    if (pressed && dragged && now) {
      dragged.moved ||= Math.hypot(at.x - dragged.from[0], at.y - dragged.from[1]) > 4 * board.resolution;
      const row = controlPoints.value[dragged.key];
      if (dragged.moved && row) void place([{ key: dragged.key, x: row.x, y: row.y, at: found.at }]);
      return;
    }
    const shapes: Sketch[] = [{ kind: "cross", at: found.at, radius: 10 }];
    if (found.kind === "milepost") shapes.push({ kind: "text", at: found.at, text: found.place ?? "" });
    if (pending.value && now) {
      const from = forward(now.map, pending.value[0], pending.value[1]);
      shapes.push({ kind: "dot", at: from, radius: 5 }, { kind: "line", path: [from, found.at], width: 2, dashed: true });
    }
    board.sketch("control", shapes);
  },
  up(at, board) {
    const [ended, now, about] = [dragged, placed.value, aligned()];
    dragged = null;
    if (!now || !about) return;
    const found = snap(at.x, at.y, board, { off: at.alt, beneath: true });
    if (ended) {
      if (ended.moved) void move(ended.key, found, ended.seen).catch(showError).finally(() => void place());
      return;
    }
    if (pending.value === null) {
      const pixel = backward(now.map, [at.x, at.y], about);
      const inside = pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] <= about.width && pixel[1] <= about.height;
      if (!inside) return void toast("Click inside the picture.");
      pending.value = pixel;
      return;
    }
    const pixel = pending.value;
    pending.value = null;
    board.sketch("control", []);
    void add(pixel, found).catch(showError);
  },
  onKey(event, board) {
    if (event.key === "Escape" && pending.value) {
      pending.value = null;
      board.sketch("control", []);
    } else if ((event.key === "Delete" || event.key === "Backspace") && chosenPoint.value !== null && chosenPoint.value in controlPoints.value)
      void deletePoint(chosenPoint.value);
    else return false;
    return true;
  },
  cancel(board) {
    if (dragged) void place();
    dragged = null;
    board.sketch("control", []);
  },
};

effect(() => {
  canvas.sketch("markers", markers());
});
