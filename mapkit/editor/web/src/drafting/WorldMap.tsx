// A small map of the world on which a box is drawn: by dragging, or by the four fields beside it.
import { useRef, useState } from "preact/hooks";

/** West, south, east, north in degrees; west is more than east across longitude 180. */
export type Box = readonly [number, number, number, number];

const tenth = (degrees: number): number => Math.round(degrees * 10) / 10;

/** The box as `mapkit draft --bbox` writes it. */
export const boxText = (box: Box | null): string => (box ? box.map(tenth).join(",") : "");

/** The box of a text, if it is one. */
export function boxOf(text: string): Box | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const [west, south, east, north] = parts;
  if (parts.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) return null;
  if (!parts.every(Number.isFinite) || Math.max(Math.abs(west), Math.abs(east)) > 180) return null;
  return south < north && Math.max(Math.abs(south), Math.abs(north)) <= 90 ? [west, south, east, north] : null;
}

/** The rectangles that show a box: two across longitude 180. */
function shown(box: Box): readonly { x: number; width: number }[] {
  const [west, , east] = box;
  if (west <= east) return [{ x: west, width: east - west }];
  return [
    { x: west, width: 180 - west },
    { x: -180, width: east + 180 },
  ];
}

export function WorldMap({ land, box, onBox }: { land: string; box: Box | null; onBox: (box: Box) => void }) {
  const svg = useRef<SVGSVGElement>(null);
  const [from, setFrom] = useState<readonly [number, number] | null>(null);
  const at = (event: PointerEvent): readonly [number, number] => {
    const area = svg.current?.getBoundingClientRect();
    if (!area) return [0, 0];
    const lon = ((event.clientX - area.left) / area.width) * 360 - 180;
    const lat = 85 - ((event.clientY - area.top) / area.height) * 145;
    return [Math.max(-180, Math.min(180, lon)), Math.max(-60, Math.min(85, lat))];
  };
  const stretch = (event: PointerEvent): void => {
    if (!from) return;
    const [lon, lat] = at(event);
    if (Math.abs(lon - from[0]) < 0.5 || Math.abs(lat - from[1]) < 0.5) return;
    onBox([Math.min(lon, from[0]), Math.min(lat, from[1]), Math.max(lon, from[0]), Math.max(lat, from[1])]);
  };
  return (
    <svg
      ref={svg}
      class="world"
      viewBox="-180 -85 360 145"
      role="img"
      aria-label="A map of the world; drag over it to draw a box"
      onPointerDown={(event) => {
        event.preventDefault();
        svg.current?.setPointerCapture(event.pointerId);
        setFrom(at(event));
      }}
      onPointerMove={stretch}
      onPointerUp={(event) => {
        stretch(event);
        setFrom(null);
      }}
    >
      <path class="land" d={land} />
      {box && shown(box).map(({ x, width }) => <rect key={x} class="box" x={x} y={-box[3]} width={width} height={box[3] - box[1]} />)}
    </svg>
  );
}
