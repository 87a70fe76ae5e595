// The painter: draws tiles of the board beside the page, so that the page never waits for a drawing.
import { chosen, typeSize, type Shown } from "./names";
import { draw, FONT, readied, type Box, type Ready } from "./paper";
import { SIDE, type FromPainter, type LayerName, type NamesToShow, type TileWanted, type ToPainter } from "./messages";

const layers = new Map<LayerName, readonly Ready[]>();
let naming: NamesToShow | null = null;
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
  if (shown?.scale !== scale) shown = { scale, names: chosen(all.names, scale, { ...all, wide }) };
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

function paint(tile: TileWanted): ImageBitmap | null {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d")!;
  const side = SIDE / tile.level;
  const box: Box = [tile.column * side, tile.row * side, (tile.column + 1) * side, (tile.row + 1) * side];
  let some = false;
  for (const { name, opacity } of tile.layers) {
    context.globalAlpha = opacity;
    if (name === "names") some = (naming !== null && write(context, naming, tile)) || some;
    else {
      context.setTransform(tile.level, 0, 0, tile.level, -tile.column * SIDE, -tile.row * SIDE);
      some = draw(context, layers.get(name) ?? [], box) || some;
    }
  }
  return some ? canvas.transferToImageBitmap() : null;
}

self.addEventListener("message", ({ data }: MessageEvent<ToPainter>) => {
  switch (data.kind) {
    case "layer":
      if (data.layer) layers.set(data.name, readied(data.layer));
      else layers.delete(data.name);
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
