// Painted tiles of the page. While the page is moved, what is there is moved with it; where it rests, tiles are painted
// for exactly that zoom, and take the place of what was there one by one.
import ViewHint from "ol/ViewHint.js";
import Layer from "ol/layer/Layer.js";
import type { FrameState } from "ol/Map.js";
import type { Easel } from "../drawn/Easel";
import { SIDE, type TileWanted } from "../drawn/messages";

const KEPT = 72;
const OVERVIEW = 1024;

interface Tile {
  readonly picture: ImageBitmap | null;
  readonly version: number;
}

interface Wanted {
  readonly key: string;
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** What is seen: the corner in millimetres, device pixels to a millimetre, and the size in device pixels. */
interface Sight {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

/** By their boxes: a layer that comes right after another draws on its canvas, for each canvas costs every frame. */
const byBox = new WeakMap<HTMLElement, TileLayer>();

export class TileLayer extends Layer {
  private readonly box = document.createElement("div");
  private readonly canvas = document.createElement("canvas");
  private readonly tiles = new Map<string, Tile>();
  private readonly asked = new Set<string>();
  private wanted: readonly Wanted[] = [];
  private layers: TileWanted["layers"] = [];
  private level = 0;
  private before = 0;
  private ratio = 1;
  private version = 0;
  private drawn = "";
  private sight: Sight = { left: 0, top: 0, scale: 1, width: 0, height: 0 };
  /** How often its own canvas was drawn. */
  private composed = 0;
  /** The layer on whose canvas it draws, if not on its own. */
  private host: TileLayer | null = null;
  /** How many pictures have come, so that a frame that would be the same is not drawn again. */
  private came = 0;

  constructor(
    private readonly easel: () => Easel,
    private readonly page: () => { readonly width: number; readonly height: number },
    zIndex: number,
  ) {
    super({ zIndex });
    this.box.style.position = "absolute";
    this.box.style.inset = "0";
    this.box.append(this.canvas);
    byBox.set(this.box, this);
  }

  /** What the tiles show, from the bottom up. */
  show(layers: TileWanted["layers"]): void {
    if (JSON.stringify(layers) === JSON.stringify(this.layers)) return;
    this.layers = layers;
    this.setVisible(layers.length > 0);
    this.leave(null);
    this.renew();
  }

  get shown(): TileWanted["layers"] {
    return this.layers;
  }

  /** Draw on another canvas from now on; what is on the one before is drawn again without it. */
  private leave(host: TileLayer | null): void {
    if (this.host && this.host !== host) {
      this.host.drawn = "";
      this.host.changed();
    }
    this.host = host;
  }

  /** Paint all tiles again; what is there stays until then. */
  renew(): void {
    this.version += 1;
    this.changed();
  }

  /** Forget everything: the page is another one. */
  clear(): void {
    for (const tile of this.tiles.values()) tile.picture?.close();
    this.tiles.clear();
    this.renew();
  }

  /** Ask for what the last frame lacked. */
  ask(): void {
    const easel = this.easel();
    for (const { key, level, column, row } of this.wanted) {
      if (!easel.takes) return;
      if (this.asked.has(key) || this.tiles.get(key)?.version === this.version) continue;
      this.asked.add(key);
      const { version, ratio } = this;
      // names in the size of another zoom would only be in the way
      const layers = level === this.overview ? this.layers.filter(({ name }) => name !== "names") : this.layers;
      easel.paint({ layers, level, column, row, ratio }, (picture) => {
        this.asked.delete(key);
        this.tiles.get(key)?.picture?.close();
        this.tiles.delete(key);
        this.tiles.set(key, { picture, version });
        this.came += 1;
        this.changed();
      });
    }
  }

  private get overview(): number {
    const { width, height } = this.page();
    return OVERVIEW / Math.max(width, height);
  }

  override render(frame: FrameState | null, target: HTMLElement): HTMLElement {
    if (!frame) return this.box;
    const ratio = frame.pixelRatio;
    const [width, height] = [Math.round((frame.size[0] ?? 0) * ratio), Math.round((frame.size[1] ?? 0) * ratio)];
    const { center, resolution } = frame.viewState;
    const scale = ratio / resolution;
    this.sight = { left: (center[0] ?? 0) - width / 2 / scale, top: -(center[1] ?? 0) - height / 2 / scale, scale, width, height };
    const moves = (frame.viewHints[ViewHint.ANIMATING] ?? 0) > 0 || (frame.viewHints[ViewHint.INTERACTING] ?? 0) > 0;
    this.ratio = ratio;
    if (scale !== this.level && (!moves || this.level === 0)) {
      this.before = this.level;
      this.level = scale;
    }
    // there is none below the first layer, though its type does not say so
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
    const host = (target && byBox.get(target)) || null;
    this.leave(host);
    const { left, top } = this.sight;
    const now = `${left} ${top} ${scale} ${width} ${height} ${this.level} ${this.came} ${this.version}`;
    if (`${now} ${host?.composed ?? ""}` !== this.drawn) {
      if (host && this.drawn.endsWith(` ${host.composed}`)) host.redraw();
      if (host) this.compose(host.canvas);
      else this.redraw();
      this.drawn = `${now} ${host?.composed ?? ""}`;
    }
    return host?.box ?? this.box;
  }

  private redraw(): void {
    const { canvas, sight, ratio } = this;
    if (canvas.width !== sight.width) canvas.width = sight.width;
    if (canvas.height !== sight.height) canvas.height = sight.height;
    canvas.style.width = `${sight.width / ratio}px`;
    canvas.style.height = `${sight.height / ratio}px`;
    canvas.getContext("2d")?.clearRect(0, 0, sight.width, sight.height);
    this.composed += 1;
    this.compose(canvas);
  }

  private compose(canvas: HTMLCanvasElement): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    const { sight } = this;
    const exact = this.inSight(sight, this.level);
    const lacking = exact.filter(({ key }) => this.tiles.get(key)?.version !== this.version);
    const overview = this.inSight({ ...sight, left: -1e9, top: -1e9, width: 2e9 * sight.scale, height: 2e9 * sight.scale }, this.overview);
    const bare = exact.filter(({ key }) => !this.tiles.has(key));
    if (bare.length > 0) {
      // what one sees through must not lie on an older picture of itself: each spot is painted once
      const old = this.before > 0 ? this.inSight(sight, this.before).filter(({ key }) => this.tiles.has(key)) : [];
      context.save();
      clip(context, bare.map((wanted) => placeOf(wanted, sight)));
      for (const wanted of old) this.put(context, wanted, sight);
      const all = [0, 0, sight.width, sight.height] as const;
      clip(context, [all, ...old.map((wanted) => placeOf(wanted, sight))], "evenodd");
      for (const wanted of overview) this.put(context, wanted, sight);
      context.restore();
    }
    for (const wanted of exact) this.put(context, wanted, sight);
    const still = sight.scale === this.level;
    this.wanted = [...(still ? lacking : []), ...overview.filter(({ key }) => this.tiles.get(key)?.version !== this.version)];
    this.forget(new Set([...exact, ...overview].map(({ key }) => key)));
    this.ask();
  }

  /** The tiles of a level that are seen and have something of the page. */
  private inSight(sight: Sight, level: number): Wanted[] {
    const { width, height } = this.page();
    const side = SIDE / level;
    // a name may reach over the edge of the page
    const edge = 40 / level;
    const range = (from: number, to: number, most: number): [number, number] => [
      Math.floor(Math.max(from, -edge) / side),
      Math.ceil(Math.min(to, most + edge) / side),
    ];
    const [left, right] = range(sight.left, sight.left + sight.width / sight.scale, width);
    const [top, bottom] = range(sight.top, sight.top + sight.height / sight.scale, height);
    const out: Wanted[] = [];
    for (let row = top; row < bottom; row += 1)
      for (let column = left; column < right; column += 1) out.push({ key: `${level} ${column} ${row}`, level, column, row });
    return out;
  }

  private put(context: CanvasRenderingContext2D, { key, level, column, row }: Wanted, sight: Sight): void {
    const tile = this.tiles.get(key);
    if (!tile?.picture) return;
    const [x, y, wide, high] = placeOf({ level, column, row }, sight);
    if (x >= sight.width || y >= sight.height || x + wide <= 0 || y + high <= 0) return;
    if (wide === SIDE && high === SIDE) context.drawImage(tile.picture, x, y);
    else context.drawImage(tile.picture, x, y, wide, high);
  }

  /** Let go what was painted longest ago, but nothing of what is needed. */
  private forget(needed: ReadonlySet<string>): void {
    let over = this.tiles.size - Math.max(KEPT, 3 * needed.size);
    for (const [key, tile] of this.tiles) {
      if (over <= 0) return;
      if (needed.has(key)) continue;
      tile.picture?.close();
      this.tiles.delete(key);
      over -= 1;
    }
  }
}

type Place = readonly [x: number, y: number, wide: number, high: number];

/** Where a tile lies on the canvas, in whole pixels without a seam to the next one. */
function placeOf({ level, column, row }: Omit<Wanted, "key">, sight: Sight): Place {
  const zoom = sight.scale / level;
  const [left, top] = [Math.round(-sight.left * sight.scale), Math.round(-sight.top * sight.scale)];
  const at = (k: number, from: number): number => Math.round(from + k * SIDE * zoom);
  const [x, y] = [at(column, left), at(row, top)];
  return [x, y, at(column + 1, left) - x, at(row + 1, top) - y];
}

function clip(context: CanvasRenderingContext2D, places: readonly Place[], rule: CanvasFillRule = "nonzero"): void {
  context.beginPath();
  for (const place of places) context.rect(...place);
  context.clip(rule);
}
