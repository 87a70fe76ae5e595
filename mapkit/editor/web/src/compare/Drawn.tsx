// A board drawn from its figures: fast, and the same for any version. Dragging moves, the wheel zooms; several of them
// move together because they share `camera`.
import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Box } from "../board";
import type { DrawnBoard } from "../wire";
import { UNKNOWN } from "../colours";

/** What is seen, in page millimetres; null for the whole page. */
export type Camera = Signal<{ x: number; y: number; width: number; height: number } | null>;
export const camera: Camera = signal(null);

export function lookAt(box: Box | null): void {
  if (!box) return;
  const around = Math.max(30, (box.right - box.left) * 0.2, (box.bottom - box.top) * 0.2);
  camera.value = {
    x: box.left - around,
    y: box.top - around,
    width: box.right - box.left + 2 * around,
    height: box.bottom - box.top + 2 * around,
  };
}

export function zoomCamera(factor: number, whole: { width: number; height: number }): void {
  const now = camera.value ?? { x: 0, y: 0, ...whole };
  const [width, height] = [now.width / factor, now.height / factor];
  camera.value = { x: now.x + (now.width - width) / 2, y: now.y + (now.height - height) / 2, width, height };
}

function paths(drawn: DrawnBoard): Map<string, string> {
  const out = new Map<string, string>();
  for (const [, railroad, path] of drawn.segments) {
    const d = path.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    out.set(railroad, (out.get(railroad) ?? "") + d);
  }
  return out;
}

/** The cities whose names have room, the first of those that are in each other's way. */
function named(cities: readonly DrawnBoard["mileposts"][number][], scale: number): ReadonlySet<string> {
  const boxes: (readonly [number, number, number])[] = [];
  const out = new Set<string>();
  for (const [id, x, y, , name] of cities) {
    const [left, middle] = [x * scale, y * scale];
    const right = left + 8 + (name ?? "").length * 6.4;
    if (boxes.some(([l, r, m]) => left < r && right > l && Math.abs(m - middle) < 13)) continue;
    boxes.push([left, right, middle]);
    out.add(id);
  }
  return out;
}

/** Sizes are in pixels, of which there are `scale` in a millimetre. */
function Track({ drawn, scale }: { drawn: DrawnBoard; scale: number }) {
  const px = (pixels: number): number => pixels / scale;
  const line = px(Math.max(1.2, Math.min(5, scale * 1.4)));
  const square = px(Math.max(2.5, Math.min(8, scale * 2)));
  const all = useMemo(() => paths(drawn), [drawn]);
  const dots = useMemo(
    () =>
      drawn.mileposts
        .filter((post) => post[4] === null)
        .map(([, x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`)
        .join(""),
    [drawn],
  );
  const casing = useMemo(() => [...all.values()].join(""), [all]);
  const cities = drawn.mileposts.filter((post) => post[4] !== null);
  const shown = named(cities, scale);
  return (
    <>
      <path d={casing} fill="none" stroke="var(--board-casing)" stroke-width={line + px(2)} stroke-linejoin="round" />
      {[...all].map(([railroad, d]) => (
        <path key={railroad} d={d} fill="none" stroke={drawn.railroads[railroad]?.colour ?? UNKNOWN} stroke-width={line} stroke-linejoin="round" />
      ))}
      <path d={dots} fill="none" stroke="var(--board-ink)" stroke-width={line * 1.1} stroke-linecap="round" />
      {cities.map(([id, x, y, region, name]) => (
        <g key={id}>
          <rect x={x - square} y={y - square} width={2 * square} height={2 * square} fill={drawn.regions[region ?? ""] ?? "var(--board-around)"} stroke="var(--board-ink)" stroke-width={px(1)} />
          <text x={x + square + px(2)} y={y + px(4)} font-size={px(11)} fill="var(--board-text)" stroke="var(--board-halo)" stroke-width={px(3)} paint-order="stroke">
            {shown.has(id) ? name : ""}
          </text>
        </g>
      ))}
    </>
  );
}

/** Elements of a difference, drawn in a light of their own. */
function Lit({ drawn, elements, scale }: { drawn: DrawnBoard; elements: readonly string[]; scale: number }) {
  const lit = new Set(elements);
  if (lit.size === 0) return null;
  const d = drawn.segments
    .filter(([id]) => lit.has(`segment:${id}`))
    .map(([, , path]) => path.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join(""))
    .join("");
  return (
    <g fill="none" stroke="var(--board-accent)" data-lit="">
      {d && <path d={d} stroke-width={12 / scale} opacity="0.5" stroke-linecap="round" />}
      {drawn.mileposts
        .filter(([id]) => lit.has(`milepost:${id}`))
        .map(([id, x, y]) => (
          <circle key={id} cx={x} cy={y} r={10 / scale} stroke-width={3 / scale} />
        ))}
    </g>
  );
}

export function Drawn(props: { drawn: DrawnBoard; label: string; lit?: readonly string[]; picture?: string | null }) {
  const { drawn } = props;
  const element = useRef<SVGSVGElement>(null);
  const held = useRef<{ x: number; y: number; at: { x: number; y: number; width: number; height: number } } | null>(null);
  const now = camera.value ?? { x: -5, y: -5, width: drawn.width + 10, height: drawn.height + 10 };
  const [room, setRoom] = useState({ width: 600, height: 500 });
  const scale = Math.min(room.width / now.width, room.height / now.height) || 1;
  useEffect(() => {
    const svg = element.current;
    if (!svg) return undefined;
    const watch = new ResizeObserver(() => setRoom({ width: svg.clientWidth, height: svg.clientHeight }));
    watch.observe(svg);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const svg = element.current;
    if (!svg) return undefined;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const matrix = svg.getScreenCTM()?.inverse();
      if (!matrix) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
      const seen = camera.value ?? { x: -5, y: -5, width: drawn.width + 10, height: drawn.height + 10 };
      const by = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008);
      const width = Math.max(8, Math.min(drawn.width * 3, seen.width * by));
      const real = width / seen.width;
      camera.value = {
        x: at.x - (at.x - seen.x) * real,
        y: at.y - (at.y - seen.y) * real,
        width,
        height: seen.height * real,
      };
    };
    svg.addEventListener("wheel", wheel, { passive: false });
    return () => svg.removeEventListener("wheel", wheel);
  }, [drawn]);
  const move = (dx: number, dy: number): void => {
    camera.value = { ...now, x: now.x + dx * now.width, y: now.y + dy * now.height };
  };
  return (
    <svg
      ref={element}
      viewBox={`${now.x} ${now.y} ${now.width} ${now.height}`}
      role="img"
      aria-label={props.label}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, y: event.clientY, at: now };
      }}
      onPointerMove={(event) => {
        const from = held.current;
        const scale = event.currentTarget.getScreenCTM()?.a;
        if (!from || !scale) return;
        camera.value = { ...from.at, x: from.at.x - (event.clientX - from.x) / scale, y: from.at.y - (event.clientY - from.y) / scale };
      }}
      onPointerUp={() => (held.current = null)}
      onKeyDown={(event) => {
        const by: Record<string, () => void> = {
          ArrowLeft: () => move(-0.15, 0),
          ArrowRight: () => move(0.15, 0),
          ArrowUp: () => move(0, -0.15),
          ArrowDown: () => move(0, 0.15),
          "+": () => zoomCamera(1.5, drawn),
          "=": () => zoomCamera(1.5, drawn),
          "-": () => zoomCamera(1 / 1.5, drawn),
          "0": () => (camera.value = null),
        };
        const doIt = by[event.key];
        if (!doIt || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        doIt();
      }}
    >
      <rect width={drawn.width} height={drawn.height} fill="var(--board-paper)" />
      {props.picture ? <image href={props.picture} width={drawn.width} height={drawn.height} /> : <Track drawn={drawn} scale={scale} />}
      <Lit drawn={drawn} elements={props.lit ?? []} scale={scale} />
    </svg>
  );
}
