// Dragging a city or region over cells: all cells that the pointer passes get it, in one step.
import { signal } from "@preact/signals";
import { armed, chart, fill, type CellKey } from "./state";

export interface Brush {
  readonly item: string;
  readonly x: number;
  readonly y: number;
  readonly cells: ReadonlySet<CellKey>;
}

export const brush = signal<Brush | null>(null);

const STEP = 6;
let stop: AbortController | null = null;

function under(x: number, y: number): CellKey | null {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-chart-cell]");
  return (element?.dataset["chartCell"] as CellKey | undefined) ?? null;
}

function move(event: PointerEvent): void {
  const now = brush.value;
  if (!now) return;
  const cells = new Set(now.cells);
  const [dx, dy] = [event.clientX - now.x, event.clientY - now.y];
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP));
  for (let i = 1; i <= steps; i += 1) {
    const cell = under(now.x + (dx * i) / steps, now.y + (dy * i) / steps);
    if (cell) cells.add(cell);
  }
  brush.value = { ...now, x: event.clientX, y: event.clientY, cells };
}

export function dropBrush(): void {
  stop?.abort();
  stop = null;
  brush.value = null;
}

/** Begin at a pointer that is down. */
export function startBrush(item: string, x: number, y: number): void {
  dropBrush();
  armed.value = item;
  brush.value = { item, x, y, cells: new Set() };
  stop = new AbortController();
  const options = { signal: stop.signal, capture: true };
  window.addEventListener("pointermove", move, options);
  window.addEventListener(
    "pointerup",
    (event) => {
      move(event);
      const ended = brush.value;
      dropBrush();
      if (ended && ended.cells.size > 0) void fill(chart.value, ended.cells, ended.item);
    },
    options,
  );
  window.addEventListener("pointercancel", dropBrush, options);
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      dropBrush();
    },
    options,
  );
}
