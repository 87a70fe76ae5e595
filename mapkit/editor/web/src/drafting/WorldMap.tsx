// A small map of the world on which a box is drawn by dragging, or a polygon corner by corner; it can be moved and zoomed.
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../asked";
import type { SmallMap } from "../generated";
import { Button } from "../ui";
import { type Box, type Corner, SHAPE, turned, type View, viewOf, WORLD, zoomed } from "./regions";

type Tool = "box" | "polygon" | "move";
const TOOLS: readonly (readonly [Tool, string, string])[] = [
  ["box", "Box", "drag over it to draw a box"],
  ["polygon", "Polygon", "click to add corners of a polygon, drag a corner to move it"],
  ["move", "Move", "drag it to see another part"],
];
const STEP = 2;
/** How near a pointer is to a corner that it takes, as a share of the map's width. */
const NEAR = 0.015;

/** The rectangles that show a box: two across longitude 180. */
function shown(box: Box): readonly { x: number; width: number }[] {
  const [west, , east] = box;
  if (west <= east) return [{ x: west, width: east - west }];
  return [
    { x: west, width: 180 - west },
    { x: -180, width: east + 180 },
  ];
}

/** Milliseconds that the map rests before what it shows is asked for. */
const REST = 120;

/** The part of the world that is in view and what is around it, as fine as it is shown; the last one until it is there. */
function useWorld(view: View): SmallMap | null {
  const [world, setWorld] = useState<SmallMap | null>(null);
  const asked = useRef(0);
  useEffect(() => {
    const now = ++asked.current;
    const ask = (): void => {
      const query = { west: String(view.west), north: String(view.north), width: String(view.width), height: String(view.width * SHAPE) };
      send("GET /api/drafts/map", { query }).then(
        (found) => {
          if (now === asked.current) setWorld(found);
        },
        () => undefined, // the map stays as it is; the fields beside it do without
      );
    };
    const timer = setTimeout(ask, world === null ? 0 : REST);
    return () => clearTimeout(timer);
  }, [view]);
  return world;
}

interface Props {
  box: Box | null;
  onBox: (box: Box) => void;
  /** The corners of a polygon, and who hears of others; without, there is no tool for it. */
  corners?: readonly Corner[];
  onCorners?: (corners: readonly Corner[]) => void;
}

export function WorldMap({ box, onBox, corners = [], onCorners }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [tool, setTool] = useState<Tool>("box");
  const [view, setView] = useState<View>(WORLD);
  const world = useWorld(view);
  const [from, setFrom] = useState<Corner | null>(null);
  const [held, setHeld] = useState<number | null>(null);
  const at = (event: MouseEvent): Corner => {
    const area = svg.current?.getBoundingClientRect();
    if (!area) return [0, 0];
    const lon = view.west + ((event.clientX - area.left) / area.width) * view.width;
    const lat = view.north - ((event.clientY - area.top) / area.height) * view.width * SHAPE;
    return [Math.max(-180, Math.min(180, lon)), Math.max(-60, Math.min(85, lat))];
  };
  useEffect(() => {
    const map = svg.current;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      setView(zoomed(view, event.deltaY < 0 ? 1.25 : 0.8, at(event)));
    };
    map?.addEventListener("wheel", wheel, { passive: false });
    return () => map?.removeEventListener("wheel", wheel);
  });
  const down = (event: PointerEvent): void => {
    event.preventDefault();
    svg.current?.setPointerCapture(event.pointerId);
    const here = at(event);
    setFrom(here);
    if (tool !== "polygon" || !onCorners) return;
    const near = corners.findIndex(([lon, lat]) => Math.hypot(lon - here[0], lat - here[1]) < view.width * NEAR);
    setHeld(near < 0 ? corners.length : near);
    if (near < 0) onCorners([...corners, here]);
  };
  const drag = (event: PointerEvent): void => {
    if (!from) return;
    const here = at(event);
    if (tool === "move") setView(zoomed({ ...view, west: view.west + from[0] - here[0], north: view.north + from[1] - here[1] }, 1, here));
    else if (tool === "polygon") {
      if (held !== null && onCorners && Math.hypot(here[0] - from[0], here[1] - from[1]) > view.width / 500) onCorners(corners.map((corner, n) => (n === held ? here : corner)));
    } else if (Math.abs(here[0] - from[0]) >= view.width / 720 && Math.abs(here[1] - from[1]) >= view.width / 720)
      onBox([Math.min(here[0], from[0]), Math.min(here[1], from[1]), Math.max(here[0], from[0]), Math.max(here[1], from[1])]);
  };
  const middle: Corner = [view.west + view.width / 2, view.north - (view.width * SHAPE) / 2];
  const drawn = box ? ([[box[0], box[1]], [box[2] < box[0] ? 180 : box[2], box[3]]] as const) : corners;
  const ring = turned(corners);
  const line = ring.map(([lon, lat]) => `${String(lon)},${String(-lat)}`).join(" ");
  const what = TOOLS.find(([id]) => id === tool)?.[2] ?? "";
  return (
    <div class="worldmap">
      <div class="tools" role="toolbar" aria-label="Tools of the map">
        {TOOLS.filter(([id]) => id !== "polygon" || onCorners).map(([id, label, tip]) => (
          <Button key={id} aria-pressed={tool === id} title={`On the map: ${tip}`} onClick={() => setTool(id)}>
            {label}
          </Button>
        ))}
        <Button aria-label="Zoom in" title="Zoom in (the wheel does too)" onClick={() => setView(zoomed(view, STEP, middle))}>
          +
        </Button>
        <Button aria-label="Zoom out" title="Zoom out" disabled={view.width >= WORLD.width} onClick={() => setView(zoomed(view, 1 / STEP, middle))}>
          −
        </Button>
        <Button title="Show what is drawn, or the whole world" onClick={() => setView(viewOf(drawn))}>
          Show it
        </Button>
        {onCorners && (
          <Button disabled={corners.length === 0} onClick={() => onCorners(corners.slice(0, -1))}>
            Remove last corner
          </Button>
        )}
      </div>
      <svg
        ref={svg}
        class={`world ${tool}`}
        viewBox={[view.west, -view.north, view.width, view.width * SHAPE].map(String).join(" ")}
        role="img"
        aria-label={`A map of the world; ${what}`}
        onPointerDown={down}
        onPointerMove={drag}
        onPointerUp={(event) => {
          drag(event);
          setFrom(null);
          setHeld(null);
        }}
      >
        {world && (
          <>
            <path class="land" d={world.land} />
            <path class="lakes" d={world.lakes} />
            <path class="frontiers" d={world.borders} />
          </>
        )}
        {box && shown(box).map(({ x, width }) => <rect key={x} class="box" x={x} y={-box[3]} width={width} height={box[3] - box[1]} />)}
        {[-360, 0, 360].map((shift) => (
          <polygon key={shift} class="box" points={line} transform={`translate(${String(shift)} 0)`} />
        ))}
        {corners.map(([lon, lat], n) => (
          <circle key={n} class="corner" cx={lon} cy={-lat} r={view.width * 0.007} />
        ))}
      </svg>
    </div>
  );
}
