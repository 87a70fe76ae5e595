// The painter: draws tiles of the board beside the page, so that the page never waits for a drawing.
import { growth, sizes, type Sizes } from "../looks";
import { chosen, typeSize, type Shown } from "./names";
import { draw, FONT, readied, standsAt, type Box, type Ready } from "./paper";
import { SIDE, type FromPainter, type LayerName, type NamesToShow, type Outdated, type TileWanted, type ToPainter } from "./messages";

const layers = new Map<LayerName, readonly Ready[]>();
let naming: NamesToShow | null = null;
let outdated: Outdated = { lines: [], spots: [] };
/** The widest stroke of the lines, in millimetres. */
let widest = 0;
let shown: { scale: number; names: readonly Shown[] } | null = null;
const widths = new Map<string, number>();
const ruler = new OffscreenCanvas(1, 1).getContext("2d")!;

const font = (city: boolean, size: number): string => `${city ? "bold " : ""}${size}px ${FONT}`;

function wide(text: string, city: boolean, size: number): number {
  const key = `${city ? "c" : "d"}${text}`;
  let found = widths.get(key);
  if (found === undefined) {
    ruler.font = font(city, 100);
    found = ruler.measureText(text).width / 100;
    widths.set(key, found);
  }
  return found * size;
}

function namesAt(scale: number, all: NamesToShow): readonly Shown[] {
  if (shown?.scale !== scale) shown = { scale, names: chosen(all.names, scale, { ...sizes(1 / scale, all.look), page: all.page, wide }) };
  return shown.names;
}

function write(context: OffscreenCanvasRenderingContext2D, all: NamesToShow, tile: TileWanted): boolean {
  const { ratio } = tile;
  const [left, top] = [(tile.column * SIDE) / ratio, (tile.row * SIDE) / ratio];
  const side = SIDE / ratio;
  const scale = tile.level / ratio;
  const tall = typeSize(true, scale);
  const near = namesAt(scale, all).filter(
    ({ x, y, wide: long }) => x - 3 < left + side && x + long + 3 > left && y - tall < top + side && y + tall > top,
  );
  context.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio);
  context.textAlign = "start";
  context.letterSpacing = "0px";
  context.lineJoin = "round";
  context.setLineDash([]);
  context.lineWidth = 3;
  context.strokeStyle = all.halo;
  context.fillStyle = all.ink;
  // all halos come first, so that none covers a name
  for (const put of [(name: Shown) => context.strokeText(name.text, name.x, name.y), (name: Shown) => context.fillText(name.text, name.x, name.y)])
    for (const city of [false, true]) {
      context.font = font(city, typeSize(city, scale));
      for (const name of near) if (name.city === city) put(name);
    }
  return near.length > 0;
}

/** Take out of what is painted so far the drawn lines of what has changed since. */
function wipe(context: OffscreenCanvasRenderingContext2D, width: number): void {
  context.save();
  context.globalCompositeOperation = "destination-out";
  context.globalAlpha = 1;
  context.lineWidth = width;
  context.lineCap = "butt";
  context.lineJoin = "round";
  context.setLineDash([]);
  context.stroke(new Path2D(outdated.lines.map((line) => `M${line.join(" L")}`).join(" ")));
  context.restore();
}

function drawLayer(context: OffscreenCanvasRenderingContext2D, name: LayerName, box: Box, grown: Sizes): boolean {
  const shapes = layers.get(name) ?? [];
  const { lines, spots } = outdated;
  const now = name === "symbols" && spots.length > 0 ? shapes.filter((shape) => !standsAt(shape, spots)) : shapes;
  const some = draw(context, now, box, grown);
  if (name === "lines" && lines.length > 0) wipe(context, widest * grown.line);
  return some;
}

function paint(tile: TileWanted): ImageBitmap | null {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d")!;
  const side = SIDE / tile.level;
  const box: Box = [tile.column * side, tile.row * side, (tile.column + 1) * side, (tile.row + 1) * side];
  const grown = naming ? growth(tile.ratio / tile.level, naming.look) : { line: 1, dot: 1, square: 1 };
  let some = false;
  for (const { name, opacity } of tile.layers) {
    context.globalAlpha = opacity;
    if (name === "names") some = (naming !== null && write(context, naming, tile)) || some;
    else {
      context.setTransform(tile.level, 0, 0, tile.level, -tile.column * SIDE, -tile.row * SIDE);
      some = drawLayer(context, name, box, grown) || some;
    }
  }
  return some ? canvas.transferToImageBitmap() : null;
}

self.addEventListener("message", ({ data }: MessageEvent<ToPainter>) => {
  switch (data.kind) {
    case "layer":
      if (data.layer) layers.set(data.name, readied(data.layer, data.name, (naming?.names ?? []).flatMap(({ city, x, y }) => (city ? [[x, y] as const] : []))));
      else layers.delete(data.name);
      if (data.name === "lines") widest = Math.max(0, ...(data.layer?.paints ?? []).map(({ width }) => width ?? 0));
      break;
    case "outdated":
      ({ outdated } = data);
      break;
    case "names":
      naming = data.names;
      shown = null;
      break;
    case "tile": {
      const picture = paint(data.tile);
      const reply: FromPainter = { ticket: data.tile.ticket, picture };
      self.postMessage(reply, { transfer: picture ? [picture] : [] });
    }
  }
});
