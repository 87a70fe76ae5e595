// Shapes as Python draws them, made ready for a canvas: paths with the box that each covers, so that a tile draws only
// what it shows. Everything is in millimetres of the page.
import type { PartLayer, Paint } from "../../generated";
import type { Point } from "../../wire";
import type { Sizes } from "../looks";
import type { LayerName } from "./messages";

export type Box = readonly [left: number, top: number, right: number, bottom: number];

export interface Ready {
  readonly paint: Paint;
  /** With which symbols it grows on the screen: by its stroke alone, or as a whole about its middle. */
  readonly grows: { readonly as: keyof Sizes; readonly about: Point | null } | null;
  readonly box: Box;
  readonly d?: string;
  readonly text?: string;
  readonly x: number;
  readonly y: number;
  readonly turn: number;
  path?: Path2D;
}

/** The type of printed boards. */
export const FONT = "'Fira Sans Condensed', 'Arial Narrow', 'Liberation Sans Narrow', Arial, sans-serif";
const NUMBER = /-?\d*\.?\d+/g;

/** The box of path data that holds absolute lines only, or one circle; wider on every side by so much. */
export function boxOf(d: string, more: number): Box {
  const numbers = (d.match(NUMBER) ?? []).map(Number);
  if (d.includes("a")) {
    const [x = 0, y = 0, r = 0] = numbers;
    return [x - more, y - r - more, x + 2 * r + more, y + r + more];
  }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    left = Math.min(left, numbers[i]!);
    right = Math.max(right, numbers[i]!);
    top = Math.min(top, numbers[i + 1]!);
    bottom = Math.max(bottom, numbers[i + 1]!);
  }
  return [left - more, top - more, right + more, bottom + more];
}

/** The middle of a box. */
const middleOf = ([left, top, right, bottom]: Box): Point => [(left + right) / 2, (top + bottom) / 2];

/** How a path of the track grows: lines and bars by their strokes, dots about themselves, squares about their milepost, which twins share. */
function growing(name: LayerName, paint: Paint, d: string, box: Box, cities: readonly Point[]): Ready["grows"] {
  if (name === "lines") return { as: "line", about: null };
  if (name !== "symbols") return null;
  if (d.includes("a")) return { as: "dot", about: middleOf(box) };
  if (!paint.fill) return { as: "dot", about: null };
  const near = cities.find((city) => covers(wider(box, BESIDE), city));
  return { as: "square", about: near ?? middleOf(box) };
}

/** Millimetres beside a square at which its milepost may be: twins stand a little apart. */
const BESIDE = 0.3;

const wider = ([left, top, right, bottom]: Box, by: number): Box => [left - by, top - by, right + by, bottom + by];
const covers = ([left, top, right, bottom]: Box, [x, y]: Point): boolean => left <= x && x <= right && top <= y && y <= bottom;

/**
 * The shapes of a layer; lines that were drawn together become one each, for few tiles show more than some of them.
 * `cities` are the places of cities.
 */
export function readied(layer: PartLayer, name: LayerName = "ground", cities: readonly Point[] = []): Ready[] {
  const out: Ready[] = [];
  for (const shape of layer.shapes) {
    const paint = layer.paints[shape.paint]!;
    const [x, y, turn] = [shape.x ?? 0, shape.y ?? 0, shape.turn ?? 0];
    if (shape.text !== undefined) {
      const reach = (paint.size ?? 0) * (shape.text.length + 1) + (paint.spacing ?? 0) * shape.text.length;
      out.push({ paint, grows: null, box: [x - reach, y - reach, x + reach, y + reach], text: shape.text, x, y, turn });
    } else if (shape.d !== undefined) {
      // a mitre reaches further than half of the line
      const more = paint.stroke ? (paint.width ?? 1) * (paint.join ? 0.5 : 2) : 0;
      const parts = paint.fill ? [shape.d] : shape.d.split(/ (?=M)/);
      for (const d of parts) {
        const box = boxOf(d, more);
        out.push({ paint, grows: growing(name, paint, d, box, cities), box, d, x, y, turn });
      }
    }
  }
  return out;
}

export const meets = (one: Box, other: Box): boolean => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** The box of a shape that is so many times as large as in print. */
export function grownBox({ box, grows, paint }: Ready, times: number): Box {
  if (!grows || times === 1) return box;
  if (!grows.about) return wider(box, ((paint.width ?? 1) * (times - 1)) / 2);
  const [x, y] = grows.about;
  return [x + (box[0] - x) * times, y + (box[1] - y) * times, x + (box[2] - x) * times, y + (box[3] - y) * times];
}

/** Whether a shape of the symbols stands at one of some places. */
export const standsAt = ({ box, grows }: Ready, spots: readonly Point[]): boolean => grows !== null && spots.some((spot) => covers(wider(box, BESIDE), spot));

/** Draw what a box shows, with symbols so many times as large as in print; says whether that was anything. */
export function draw(context: OffscreenCanvasRenderingContext2D, shapes: readonly Ready[], box: Box, growth: Sizes): boolean {
  let some = false;
  for (const shape of shapes) {
    const { paint, grows } = shape;
    const times = grows ? growth[grows.as] : 1;
    if (!meets(grownBox(shape, times), box)) continue;
    some = true;
    const stroke = grows?.about ? 1 : times;
    if (paint.fill) context.fillStyle = paint.fill;
    if (paint.stroke) {
      context.strokeStyle = paint.stroke;
      context.lineWidth = (paint.width ?? 1) * stroke;
      context.lineCap = paint.cap ?? "butt";
      context.lineJoin = paint.join ?? "miter";
      context.setLineDash((paint.dash ?? []).map((mm) => mm * stroke));
      context.lineDashOffset = (paint.shift ?? 0) * stroke;
    }
    if (shape.text !== undefined) write(context, shape, shape.text);
    else {
      shape.path ??= new Path2D(shape.d);
      const about = times === 1 ? null : (grows?.about ?? null);
      if (about) {
        context.save();
        context.translate(about[0] * (1 - times), about[1] * (1 - times));
        context.scale(times, times);
      }
      if (paint.fill) context.fill(shape.path, paint.evenodd ? "evenodd" : "nonzero");
      if (paint.stroke) context.stroke(shape.path);
      if (about) context.restore();
    }
  }
  return some;
}

function write(context: OffscreenCanvasRenderingContext2D, shape: Ready, text: string): void {
  const { paint } = shape;
  context.font = `${paint.bold ? "bold " : ""}${paint.size ?? 1}px ${FONT}`;
  context.textAlign = paint.anchor === "middle" ? "center" : (paint.anchor ?? "start");
  context.letterSpacing = `${paint.spacing ?? 0}px`;
  context.save();
  context.translate(shape.x, shape.y);
  context.rotate((shape.turn * Math.PI) / 180);
  if (paint.fill) context.fillText(text, 0, 0);
  if (paint.stroke) context.strokeText(text, 0, 0);
  context.restore();
}
