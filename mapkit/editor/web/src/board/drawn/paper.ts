// Shapes as Python draws them, made ready for a canvas: paths with the box that each covers, so that a tile draws only
// what it shows. Everything is in millimetres of the page.
import type { PartLayer, Paint } from "../../generated";

export type Box = readonly [left: number, top: number, right: number, bottom: number];

export interface Ready {
  readonly paint: Paint;
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

/** The shapes of a layer; lines that were drawn together become one each, for few tiles show more than some of them. */
export function readied(layer: PartLayer): Ready[] {
  const out: Ready[] = [];
  for (const shape of layer.shapes) {
    const paint = layer.paints[shape.paint]!;
    const [x, y, turn] = [shape.x ?? 0, shape.y ?? 0, shape.turn ?? 0];
    if (shape.text !== undefined) {
      const reach = (paint.size ?? 0) * (shape.text.length + 1) + (paint.spacing ?? 0) * shape.text.length;
      out.push({ paint, box: [x - reach, y - reach, x + reach, y + reach], text: shape.text, x, y, turn });
    } else if (shape.d !== undefined) {
      // a mitre reaches further than half of the line
      const more = paint.stroke ? (paint.width ?? 1) * (paint.join ? 0.5 : 2) : 0;
      const parts = paint.fill ? [shape.d] : shape.d.split(/ (?=M)/);
      for (const d of parts) out.push({ paint, box: boxOf(d, more), d, x, y, turn });
    }
  }
  return out;
}

export const meets = (one: Box, other: Box): boolean => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** Draw what a box shows; says whether that was anything. */
export function draw(context: OffscreenCanvasRenderingContext2D, shapes: readonly Ready[], box: Box): boolean {
  let some = false;
  for (const shape of shapes) {
    if (!meets(shape.box, box)) continue;
    some = true;
    const { paint } = shape;
    if (paint.fill) context.fillStyle = paint.fill;
    if (paint.stroke) {
      context.strokeStyle = paint.stroke;
      context.lineWidth = paint.width ?? 1;
      context.lineCap = paint.cap ?? "butt";
      context.lineJoin = paint.join ?? "miter";
      context.setLineDash((paint.dash ?? []) as number[]);
      context.lineDashOffset = paint.shift ?? 0;
    }
    if (shape.text !== undefined) write(context, shape, shape.text);
    else {
      shape.path ??= new Path2D(shape.d);
      if (paint.fill) context.fill(shape.path, paint.evenodd ? "evenodd" : "nonzero");
      if (paint.stroke) context.stroke(shape.path);
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
