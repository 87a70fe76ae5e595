// The board: its own drawing below, and over it a light layer with what is pointed at, chosen, or not drawn yet.
import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../shell/theme";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { pathOf, type Point } from "./grid";
import { cities, cityAt, colourOf, edgeKinds, fresh, grid, query, revision, terrainOf, view, type City } from "./store";
import { before, brush, cursor, described, edgeKind, ends, finishLine, moveCity, paint, picked, selected, setEdges, side, terrain, tool, use, way } from "./tools";
import { NO_PIGMENT } from "../colours";

const REST = 250;
const FAR = 5;
/** The height of the bar of the tool, which lies over the top. */
const BAR = 56;
const picture = signal<{ url: string; revision: number } | null>(null);
const hover = signal<{ hex: string | null; edge: string | null }>({ hex: null, edge: null });
const stroke = signal<ReadonlySet<string>>(new Set());
const dragged = signal<City | null>(null);
/** Where a finding is, until the next click. */
export const marked = signal<readonly Point[]>([]);
const focused = signal(false);

/** Pixels per millimetre, and where the corner of the drawing is. */
interface Camera {
  k: number;
  x: number;
  y: number;
}
const camera: Camera = { k: 1, x: 0, y: 0 };
let base = 1;
let stage: HTMLElement | null = null;
let box: HTMLElement | null = null;
let settling: ReturnType<typeof setTimeout> | undefined;

function place(): void {
  if (!stage) return;
  stage.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.k / base})`;
  clearTimeout(settling);
  settling = setTimeout(settle, 180);
}

/** Draw at the true size once the view rests; while it moves, the finished picture is only stretched. */
function settle(): void {
  const at = view.peek()?.grid;
  if (!stage || !at || base === camera.k) return;
  base = camera.k;
  stage.style.width = `${at.width * base}px`;
  stage.style.height = `${at.height * base}px`;
  stage.style.transform = `translate(${camera.x}px, ${camera.y}px)`;
}

export function fitBoard(): void {
  const at = view.peek()?.grid;
  if (!box || !at) return;
  const [w, h] = [box.clientWidth, box.clientHeight];
  camera.k = Math.min(w / at.width, (h - BAR) / at.height) * 0.98;
  camera.x = (w - at.width * camera.k) / 2;
  camera.y = BAR + (h - BAR - at.height * camera.k) / 2;
  place();
}

function zoom(by: number, px: number, py: number): void {
  const at = view.peek()?.grid;
  if (!at || !box) return;
  const least = (Math.min(box.clientWidth / at.width, box.clientHeight / at.height) * 0.98) / 2;
  const k = Math.max(least, Math.min(9, camera.k * by));
  camera.x = px - ((px - camera.x) * k) / camera.k;
  camera.y = py - ((py - camera.y) * k) / camera.k;
  camera.k = k;
  place();
}
export const zoomBy = (by: number): void => zoom(by, (box?.clientWidth ?? 0) / 2, (box?.clientHeight ?? 0) / 2);

/** Bring a place of the drawing into the middle. */
export function flyTo(at: Point): void {
  if (!box) return;
  camera.k = Math.max(camera.k, 2.2);
  camera.x = box.clientWidth / 2 - at[0] * camera.k;
  camera.y = box.clientHeight / 2 - at[1] * camera.k;
  place();
}

function keepInSight(hex: string): void {
  const at = grid.peek()?.centre(hex);
  if (!at || !box) return;
  const [x, y] = [at[0] * camera.k + camera.x, at[1] * camera.k + camera.y];
  const rim = 40;
  camera.x += Math.max(0, rim - x) - Math.max(0, x - box.clientWidth + rim);
  camera.y += Math.max(0, rim - y) - Math.max(0, y - box.clientHeight + rim);
  place();
}

// the drawing is made again when the author rests, in the colours of the page
let waiting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const [at, dark, then, known] = [revision.value, isDark.value, before.value, view.value !== null];
  if (!known) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    query("picture", { theme: dark ? "dark" : "classic", at: then ? "saved" : "now" }).then(
      (found) => {
        if (revision.peek() !== at || typeof found["svg"] !== "string") return;
        const old = picture.peek();
        picture.value = { url: URL.createObjectURL(new Blob([found["svg"]], { type: "image/svg+xml" })), revision: at };
        if (old) setTimeout(() => URL.revokeObjectURL(old.url), 1000);
      },
      () => undefined,
    );
  }, picture.peek() ? REST : 0);
});

function pointOf(event: { clientX: number; clientY: number }): Point {
  const at = box!.getBoundingClientRect();
  return [(event.clientX - at.left - camera.x) / camera.k, (event.clientY - at.top - camera.y) / camera.k];
}

interface Gesture {
  kind: "pan" | "stroke" | "edges" | "city" | "click";
  x: number;
  y: number;
  moved: boolean;
}
let gesture: Gesture | null = null;
const fingers = new Map<number, Point>();

function begin(event: PointerEvent): void {
  const g = grid.peek();
  if (!g || !box) return;
  box.focus({ preventScroll: true });
  box.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  marked.value = [];
  focused.value = false;
  const at = pointOf(event);
  const hex = g.hexAt(at);
  const start = { x: event.clientX, y: event.clientY, moved: false };
  const city = hex ? cityAt(hex) : undefined;
  if (fingers.size > 1 || event.button === 1 || !hex || before.value) {
    stroke.value = new Set();
    gesture = { kind: "pan", ...start };
  } else if (tool.value === "paint") {
    stroke.value = new Set(brush(hex));
    gesture = { kind: "stroke", ...start };
  } else if (tool.value === "edge") {
    const edge = g.edgeAt(at);
    stroke.value = new Set(edge ? [edge] : []);
    gesture = { kind: "edges", ...start };
  } else if (tool.value === "select" && city) {
    dragged.value = city;
    gesture = { kind: "city", ...start };
  } else gesture = { kind: "click", ...start };
  cursor.value = hex ?? cursor.value;
}

function pinch(event: PointerEvent): void {
  const rect = box!.getBoundingClientRect();
  const [one, two] = [...fingers.values()];
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  const [three, four] = [...fingers.values()];
  if (!one || !two || !three || !four) return;
  const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
  const [ax, ay] = [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2];
  const [bx, by] = [(three[0] + four[0]) / 2, (three[1] + four[1]) / 2];
  camera.x += bx - ax;
  camera.y += by - ay;
  zoom(far(three, four) / far(one, two), bx - rect.left, by - rect.top);
}

function move(event: PointerEvent): void {
  const g = grid.peek();
  if (!g || !box) return;
  if (fingers.size > 1 && fingers.has(event.pointerId)) return pinch(event);
  const at = pointOf(event);
  const hex = g.hexAt(at);
  const edge = tool.value === "edge" ? g.edgeAt(at) : null;
  if (hover.peek().hex !== hex || hover.peek().edge !== edge) hover.value = { hex, edge };
  if (!gesture) return;
  if (Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) > FAR) gesture.moved = true;
  if (gesture.kind === "stroke" && hex) {
    const more = brush(hex).filter((one) => !stroke.peek().has(one));
    if (more.length > 0) stroke.value = new Set([...stroke.peek(), ...more]);
  } else if (gesture.kind === "edges" && edge && !stroke.peek().has(edge)) stroke.value = new Set([...stroke.peek(), edge]);
  else if ((gesture.kind === "pan" || gesture.kind === "click") && gesture.moved) {
    camera.x += event.clientX - gesture.x;
    camera.y += event.clientY - gesture.y;
    [gesture.x, gesture.y] = [event.clientX, event.clientY];
    place();
  }
}

function end(event: PointerEvent): void {
  fingers.delete(event.pointerId);
  const done = gesture;
  gesture = fingers.size > 0 ? gesture : null;
  const g = grid.peek();
  const taken = stroke.peek();
  const city = dragged.peek();
  stroke.value = new Set();
  dragged.value = null;
  if (!done || !g || event.type === "pointercancel") return;
  const at = pointOf(event);
  const hex = g.hexAt(at);
  if (done.kind === "stroke") paint([...taken]);
  else if (done.kind === "edges") setEdges([...taken]);
  else if (done.kind === "city" && city && hex && done.moved) moveCity(city, hex);
  else if (!done.moved && hex && done.kind !== "pan") use(hex, g.edgeAt(at));
}

function key(event: KeyboardEvent): void {
  const g = grid.peek();
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!g || !plain) return;
  focused.value = true;
  const at = cursor.peek() ?? "1-1";
  const to = g.step(at, event.key);
  if (to) {
    cursor.value = to;
    if (tool.peek() === "select") selected.value = to;
    keepInSight(to);
  } else if (event.key === "Enter" && tool.peek() === "line" && picked.peek().length > 1) void finishLine();
  else if (event.key === "Enter" || event.key === " ") use(at, g.edge(at, side.peek()));
  else if (event.key === "+" || event.key === "=") zoomBy(1.3);
  else if (event.key === "-") zoomBy(1 / 1.3);
  else if (event.key === "0") fitBoard();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const edgeColour = (kind: string): string => `var(--edge-${kind}, var(--board-ink))`;

function Line({ edge, colour, width, dash }: { edge: string; colour: string; width: number; dash?: string }) {
  const at = grid.value?.ends(edge);
  if (!at) return null;
  const [[x1, y1], [x2, y2]] = at;
  return <line x1={x1} y1={y1} x2={x2} y2={y2} stroke={colour} stroke-width={width} stroke-linecap="round" {...(dash ? { "stroke-dasharray": dash } : {})} />;
}

/** Hexagons and edges that the drawing does not show yet. */
function Fresh() {
  const g = grid.value;
  if (!g || before.value) return null;
  const unit = g.at.size / 22;
  const all = [...fresh.value];
  const pigments = view.value?.pigments ?? {};
  return (
    <g class="fresh">
      {all.filter((one) => !one.includes("--")).map((hex) => {
        const city = cityAt(hex);
        const [x, y] = g.centre(hex);
        const fill = city ? (pigments[city.colours[0] ?? "gray"] ?? NO_PIGMENT) : colourOf(terrainOf(hex));
        return (
          <g key={hex}>
            <path d={pathOf(g.corners(hex))} fill={fill} class="hex" />
            {city && (
              <text x={x} y={y + 1.2 * unit} font-size={3.4 * unit} class="name">
                {city.name}
              </text>
            )}
          </g>
        );
      })}
      {all.filter((one) => one.includes("--")).map((edge) => {
        const kinds = edgeKinds(edge);
        return <Line key={edge} edge={edge} colour={edgeColour(kinds[0] ?? "clear")} width={(kinds.length ? 2.2 : 1) * unit} />;
      })}
    </g>
  );
}

function Pointed() {
  const g = grid.value;
  if (!g || before.value) return null;
  const unit = g.at.size / 22;
  const { hex, edge } = hover.value;
  const shape = tool.value === "paint" && hex ? brush(hex) : hex && tool.value !== "edge" ? [hex] : [];
  const at = cursor.value;
  return (
    <g>
      {[...stroke.value].map((one) =>
        one.includes("--") ? (
          <Line key={one} edge={one} colour={edgeColour(edgeKind.value)} width={2.4 * unit} />
        ) : (
          <path key={one} d={pathOf(g.corners(one))} fill={colourOf(terrain.value)} class="hex" />
        ),
      )}
      {shape.map((one) => (
        <path key={one} d={pathOf(g.corners(one))} class="hover" />
      ))}
      {edge && <Line edge={edge} colour="var(--board-accent)" width={2.2 * unit} />}
      {focused.value && at && <path d={pathOf(g.corners(at))} class="cursor" />}
      {focused.value && at && tool.value === "edge" && g.edge(at, side.value) && (
        <Line edge={g.edge(at, side.value)!} colour="var(--board-accent)" width={2.2 * unit} />
      )}
      {dragged.value && hex && <path d={pathOf(g.corners(hex))} class="target" />}
    </g>
  );
}

function Chosen() {
  const g = grid.value;
  if (!g) return null;
  const [a, b] = ends.value ?? [];
  const hexOf = (id: string | undefined): string | undefined => cities.value.find((city) => city.id === id)?.hex;
  const [from, to] = [hexOf(a), hexOf(b)];
  const found = way.value;
  const line = found && found.cost !== null && from && to ? [from, ...found.hexes, to].map((hex) => g.centre(hex)) : [];
  return (
    <g>
      {line.length > 0 && <polyline class="way-casing" points={line.map((at) => at.join(",")).join(" ")} />}
      {line.length > 0 && <polyline class="way" points={line.map((at) => at.join(",")).join(" ")} />}
      {selected.value && <path d={pathOf(g.corners(selected.value))} class="selected" />}
      {picked.value.map((id) => {
        const hex = hexOf(id);
        return hex ? <path key={id} d={pathOf(g.corners(hex))} class="picked" /> : null;
      })}
      {picked.value.length > 1 && (
        <polyline class="way" points={picked.value.flatMap((id) => hexOf(id) ?? []).map((hex) => g.centre(hex).join(",")).join(" ")} />
      )}
      {marked.value.map(([x, y]) => (
        <circle key={`${x},${y}`} cx={x} cy={y} r={g.at.size * 0.8} class="finding" />
      ))}
    </g>
  );
}

/** What is under the pointer, or at the cursor. */
function Tip() {
  const hex = hover.value.hex ?? (focused.value ? cursor.value : null);
  return hex ? <p class="tip">{described(hex)}</p> : null;
}

export function Board() {
  const ready = view.value !== null;
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const at = view.value?.grid;
  const shape = at ? `${at.width} ${at.height}` : "";
  useEffect(() => {
    [box, stage] = [outer.current, inner.current];
    if (!ready || !box) return undefined;
    base = 0;
    fitBoard();
    settle();
    const element = box;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const rect = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * 0.0016), event.clientX - rect.left, event.clientY - rect.top);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [ready, shape]);
  const hex = cursor.value;
  return (
    <section class="canvas" aria-label="Board">
      <div
        ref={outer}
        class={`map tool-${tool.value}`}
        tabIndex={0}
        role="application"
        aria-label="Board of hexagons. Arrow keys move over it, Enter uses the tool."
        aria-describedby="hex-here"
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onPointerLeave={() => (hover.value = { hex: null, edge: null })}
        onKeyDown={key}
        onFocus={(event) => (focused.value = event.currentTarget.matches(":focus-visible"))}
        onBlur={() => (focused.value = false)}
      >
        <div class="stage" ref={inner}>
          {at && picture.value && (
            <img
              src={picture.value.url}
              alt=""
              draggable={false}
              onLoad={() => {
                if (picture.peek()?.revision === revision.peek()) fresh.value = new Set();
              }}
            />
          )}
          {at && (
            <svg viewBox={`0 0 ${at.width} ${at.height}`} aria-hidden="true">
              <Fresh />
              <Chosen />
              <Pointed />
            </svg>
          )}
        </div>
      </div>
      <p class="unseen" id="hex-here" role="status" aria-live="polite">
        {hex ? described(hex) : ""}
      </p>
      <Tip />
      {before.value && (
        <p class="saved-note">
          The saved board{" "}
          <Button kind="quiet" onClick={() => (before.value = false)}>
            Back to now
          </Button>
        </p>
      )}
      <div class="zooms" role="group" aria-label="View">
        <Button aria-label="Zoom in" title="Zoom in" onClick={() => zoomBy(1.4)}>
          <Icon of="zoom-in" />
        </Button>
        <Button aria-label="Zoom out" title="Zoom out" onClick={() => zoomBy(1 / 1.4)}>
          <Icon of="zoom-out" />
        </Button>
        <Button aria-label="Show the whole board" title="Show the whole board" onClick={fitBoard}>
          <Icon of="fit" />
        </Button>
      </div>
    </section>
  );
}
