// A picture in its own pixels laid on the page by any map of pixels to millimetres, tile by tile.
import Layer from "ol/layer/Layer.js";
import type { FrameState } from "ol/Map.js";
import { pictureAt } from "../../entry";
import type { Picture } from "../BoardView";

const KEPT = 400;
const MESH = 4;

export class PictureLayer extends Layer {
  /** Other layers draw into a canvas that comes before theirs, and would become as faint as the picture; not into this. */
  private readonly box = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  private readonly tiles = new Map<string, HTMLImageElement>();

  constructor(private picture: Picture) {
    super({ render: (frame) => this.draw(frame), opacity: picture.opacity });
    this.box.className = "picture";
    this.box.style.position = "absolute";
    this.box.style.inset = "0";
    this.box.append(this.canvas);
  }

  update(picture: Picture): void {
    if (picture.url !== this.picture.url) this.tiles.clear();
    this.picture = picture;
    this.setOpacity(picture.opacity);
    this.changed();
  }

  private tile(level: number, column: number, row: number): HTMLImageElement {
    const key = `${level}/${column}/${row}`;
    let found = this.tiles.get(key);
    if (found) {
      this.tiles.delete(key);
    } else {
      found = this.load(this.picture.url(level, column, row));
      if (this.tiles.size > KEPT) {
        const oldest = this.tiles.keys().next().value;
        if (oldest !== undefined) this.tiles.delete(oldest);
      }
    }
    this.tiles.set(key, found);
    return found;
  }

  /** An image, drawn once it has come; one that does not come stays blank. */
  private load(address: string): HTMLImageElement {
    const image = new Image();
    pictureAt(address).then(
      (own) => {
        image.onload = () => {
          URL.revokeObjectURL(own);
          this.changed();
        };
        image.src = own;
      },
      () => undefined,
    );
    return image;
  }

  private draw(frame: FrameState): HTMLElement {
    const [width, height] = [frame.size[0] ?? 0, frame.size[1] ?? 0];
    const ratio = frame.pixelRatio;
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.style.opacity = String(this.getOpacity());
    const context = this.canvas.getContext("2d");
    if (!context) return this.box;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const { center, resolution } = frame.viewState;
    const to = (x: number, y: number): [number, number] => {
      const [px, py] = this.picture.warp(x, y);
      const sx = (px - (center[0] ?? 0)) / resolution + width / 2;
      return [sx * ratio, ((py + (center[1] ?? 0)) / resolution + height / 2) * ratio];
    };
    const { picture } = this;
    const mid = [picture.width / 2, picture.height / 2] as const;
    const [ax, ay] = to(mid[0], mid[1]);
    const [bx, by] = to(mid[0] + picture.width / 100, mid[1]);
    const scale = Math.hypot(bx - ax, by - ay) / (picture.width / 100);
    const level = Math.max(0, Math.min(picture.levels - 1, Math.floor(Math.log2(1 / Math.max(scale, 1e-9)))));
    const side = picture.tile * 2 ** level;
    for (let row = 0; row * side < picture.height; row += 1) {
      for (let column = 0; column * side < picture.width; column += 1) {
        const [left, top] = [column * side, row * side];
        const [right, bottom] = [Math.min(left + side, picture.width), Math.min(top + side, picture.height)];
        const corners = [to(left, top), to(right, top), to(right, bottom), to(left, bottom)];
        const xs = corners.map((c) => c[0]);
        const ys = corners.map((c) => c[1]);
        if (Math.max(...xs) < 0 || Math.min(...xs) > this.canvas.width) continue;
        if (Math.max(...ys) < 0 || Math.min(...ys) > this.canvas.height) continue;
        const image = this.tile(level, column, row);
        if (!image.complete || image.naturalWidth === 0) continue;
        const cuts = picture.affine ? 1 : MESH;
        for (let i = 0; i < cuts; i += 1) {
          for (let j = 0; j < cuts; j += 1) {
            const x = (k: number): number => left + ((right - left) * k) / cuts;
            const y = (k: number): number => top + ((bottom - top) * k) / cuts;
            patch(context, image, [x(i), y(j), x(i + 1), y(j + 1)], [left, top, right, bottom], to, picture.affine);
          }
        }
      }
    }
    return this.box;
  }
}

type Rect = readonly [number, number, number, number];

/** Draw one part of a tile: as a parallelogram, or as two triangles each with an affine map of its own. */
function patch(
  context: CanvasRenderingContext2D,
  image: HTMLImageElement,
  part: Rect,
  whole: Rect,
  to: (x: number, y: number) => [number, number],
  affine: boolean,
): void {
  const kx = image.naturalWidth / (whole[2] - whole[0]);
  const ky = image.naturalHeight / (whole[3] - whole[1]);
  const [u0, v0, u1, v1] = [(part[0] - whole[0]) * kx, (part[1] - whole[1]) * ky, (part[2] - whole[0]) * kx, (part[3] - whole[1]) * ky];
  const a = to(part[0], part[1]);
  const b = to(part[2], part[1]);
  const c = to(part[2], part[3]);
  const d = to(part[0], part[3]);
  const fill = (p: [number, number], x: [number, number], y: [number, number], corner: readonly [number, number][] | null): void => {
    context.save();
    if (corner) {
      context.beginPath();
      const mx = corner.reduce((sum, q) => sum + q[0], 0) / corner.length;
      const my = corner.reduce((sum, q) => sum + q[1], 0) / corner.length;
      for (const q of corner) {
        // half a pixel wider, so that no seam shows
        const long = Math.max(1, Math.hypot(q[0] - mx, q[1] - my));
        context.lineTo(q[0] + ((q[0] - mx) / long) * 0.7, q[1] + ((q[1] - my) / long) * 0.7);
      }
      context.clip();
    }
    const [w, h] = [u1 - u0, v1 - v0];
    context.setTransform(x[0] / w, x[1] / w, y[0] / h, y[1] / h, p[0] - (x[0] / w) * u0 - (y[0] / h) * v0, p[1] - (x[1] / w) * u0 - (y[1] / h) * v0);
    // a little wider, so that no seam shows between tiles
    const scale = Math.hypot(x[0], x[1]) / w;
    const more = corner || scale <= 0 ? 0 : Math.min(1, 0.7 / scale);
    context.drawImage(image, 0, 0, image.naturalWidth + more, image.naturalHeight + more);
    context.restore();
  };
  const minus = (p: [number, number], q: [number, number]): [number, number] => [p[0] - q[0], p[1] - q[1]];
  if (affine) {
    fill(a, minus(b, a), minus(d, a), null);
    return;
  }
  fill(a, minus(b, a), minus(d, a), [a, b, d]);
  const p: [number, number] = [b[0] + d[0] - c[0], b[1] + d[1] - c[1]];
  fill(p, minus(c, d), minus(c, b), [b, c, d]);
}
