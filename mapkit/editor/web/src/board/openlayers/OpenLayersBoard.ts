import type { FeatureLike } from "ol/Feature.js";
import Feature from "ol/Feature.js";
import LineString from "ol/geom/LineString.js";
import Point from "ol/geom/Point.js";
import Polygon from "ol/geom/Polygon.js";
import VectorLayer from "ol/layer/Vector.js";
import OlMap from "ol/Map.js";
import Projection from "ol/proj/Projection.js";
import VectorSource from "ol/source/Vector.js";
import type Style from "ol/style/Style.js";
import View from "ol/View.js";
import { defaults } from "ol/interaction/defaults.js";
import { hovered, itemKey, selection, type Item, type ItemKind } from "../../selection";
import { junctions, mileposts, page, railroads, regions, revision, segments, table, view as whole } from "../../store";
import type { Milepost, Point as XY, Segment, ViewDelta } from "../../wire";
import type { BoardView, Box, Drawn, Ground, Layer, Picture, Sketch, Tool } from "../BoardView";
import { cityChances } from "../chances";
import { Easel } from "../drawn/Easel";
import type { LayerName } from "../drawn/messages";
import { Lanes, palette, sizes, USUAL, type Look } from "../looks";
import { NONE, tint } from "../tint";
import { PictureLayer } from "./PictureLayer";
import { Pointing } from "./Pointing";
import { triedLooks } from "../../vision/preview";
import { seen } from "../sight";
import { Warp } from "../warp";
import { Styles } from "./styles";
import { TileLayer } from "./TileLayer";
import { UNKNOWN } from "../../colours";

const flip = ([x, y]: XY): [number, number] => [x, -y];
const FAR = 4;

/** How a layer that the author can see is shown, whichever of the canvas's own layers draw it. */
interface Shown {
  label: string;
  visible: boolean;
  opacity: number;
  painted: LayerName;
}

/** The page is yet to be fitted: there is no window. */
const NOWHERE = "";

export class OpenLayersBoard implements BoardView {
  private readonly pageSource = new VectorSource();
  private readonly trackSource = new VectorSource();
  private readonly postSource = new VectorSource();
  private readonly sketchSource = new VectorSource();
  private readonly lightSource = new VectorSource();
  /** What changed since the drawing was made; the same features as in the other two. */
  private readonly freshSource = new VectorSource();
  private readonly fresh = new Map<string, number>();
  /** Where the drawing has what changed since: the drawn line of a segment, or the middle of a symbol. */
  private readonly outdated = new Map<string, { line: readonly XY[] } | { spot: XY }>();
  private printSize = false;
  private readonly layersById = new Map<string, { label: string; layer: VectorLayer | PictureLayer }>();
  private readonly board: Readonly<Record<string, Shown>> = {
    ground: { label: "Land, water and regions", visible: true, opacity: 1, painted: "ground" },
    lines: { label: "Railroads", visible: true, opacity: 1, painted: "lines" },
    mileposts: { label: "Mileposts and cities", visible: true, opacity: 1, painted: "symbols" },
    names: { label: "Names", visible: true, opacity: 1, painted: "names" },
  };
  private readonly light_: Readonly<Record<"lines" | "mileposts", VectorLayer>>;
  /** The page before its ground is drawn. */
  private readonly sheet: VectorLayer;
  private readonly below: TileLayer;
  private readonly above: TileLayer;
  private easel_: Easel | null = null;
  /** The drawn lines of segments, as the drawing has them; a segment that changed since has none. */
  private drawnLines: Record<string, readonly XY[]> = {};
  private readonly known = new Set<"ground" | "track">();
  private look: Drawn | null = null;
  private readonly sketches = new Map<string, Feature[]>();
  private readonly lanes = new Lanes();
  private readonly map: OlMap;
  private styles!: Styles;
  private pointing: Pointing | null = null;
  private element: HTMLElement | null = null;
  private fitted = NOWHERE;
  private warp = new Warp();
  private readonly grounds = new Map<string, { label: string; shapes: readonly Ground[] }>();
  private readonly pictures = new Map<string, Picture>();
  tool: Tool | null = null;

  constructor() {
    const layer = (source: VectorSource, zIndex: number, style: (f: FeatureLike, r: number) => Style | Style[] | undefined): VectorLayer =>
      new VectorLayer({ source, style, zIndex, renderBuffer: 60 });
    const either = (f: FeatureLike, r: number): Style | Style[] | undefined =>
      (f.get("item") as Item).kind === "milepost" ? this.postStyle(f, r) : this.trackStyle(f, r);
    const easel = (): Easel => this.easel;
    this.below = new TileLayer(easel, () => page.value, 1);
    this.above = new TileLayer(easel, () => page.value, 31);
    this.light_ = {
      lines: layer(this.trackSource, 20, (f, r) => this.trackStyle(f, r)),
      mileposts: layer(this.postSource, 30, (f, r) => this.postStyle(f, r)),
    };
    this.sheet = layer(this.pageSource, 0, () => this.styles.page());
    const layers = [
      this.sheet,
      this.below,
      layer(this.lightSource, 19, (f, r) => this.lightStyle(f, r)),
      this.light_.lines,
      this.light_.mileposts,
      this.above,
      layer(this.freshSource, 32, either),
      layer(this.sketchSource, 40, (f, r) => this.styles.sketch(f.get("shape") as Sketch, r)),
    ];
    this.map = new OlMap({ layers, controls: [], interactions: [] });
    this.map.on("moveend", () => {
      const [x = 0, y = 0] = this.map.getView().getCenter() ?? [];
      seen.value = { resolution: this.resolution, middle: this.truePlace([x, -y]) };
    });
    this.map.on("change:size", () => {
      // a notice that comes or goes leaves the whole page in sight, unless the author has looked elsewhere since
      if (this.fitted === NOWHERE || this.fitted === this.sight()) this.fit();
    });
  }

  mount(element: HTMLElement): void {
    this.element = element;
    this.styles = new Styles(palette(element));
    this.map.setTarget(element);
    this.pointing = new Pointing(this, this.map, element);
    const added = defaults({ altShiftDragRotate: false, pinchRotate: false, doubleClickZoom: false, keyboard: false, shiftDragZoom: false, dragPan: false });
    for (const interaction of added.getArray()) this.map.addInteraction(interaction);
    this.map.addInteraction(this.pointing.panning());
    this.newPage();
  }

  dispose(): void {
    this.pointing?.dispose();
    this.easel_?.dispose();
    this.easel_ = null;
    this.map.setTarget(undefined);
  }

  /** The page has a size of its own: a new coordinate system and the window over all of it. */
  private newPage(): void {
    const { width, height } = page.value;
    const extent = [0, -height, width, 0];
    const projection = new Projection({ code: `page-${width}-${height}`, units: "m", extent, global: false });
    const around = [-width * 0.5, -height * 1.5, width * 1.5, height * 0.5];
    this.map.setView(new View({ projection, extent: around, showFullExtent: true, minResolution: 0.01, maxResolution: FAR, constrainRotation: true }));
    this.pageSource.clear();
    const corners: XY[] = [[0, 0], [width, 0], [width, height], [0, height], [0, 0]];
    this.pageSource.addFeature(new Feature(new Polygon([corners.map(flip)])));
    this.known.clear();
    this.drawnLines = {};
    this.below.clear();
    this.above.clear();
    this.arrange();
    this.fit();
  }

  show(delta: ViewDelta | null): void {
    if (delta === null) {
      const all = whole();
      this.lanes.clear();
      this.trackSource.clear(true);
      this.postSource.clear(true);
      this.freshSource.clear(true);
      this.fresh.clear();
      this.outdated.clear();
      this.sendOutdated();
      this.drawnLines = {};
      const size = this.map.getView().getProjection().getExtent();
      if (size[2] !== all.page.width || -(size[1] ?? 0) !== all.page.height) this.newPage();
      this.take(all);
    } else {
      if (delta.page) this.newPage();
      this.outdate(delta);
      this.take(delta);
      this.freshen(delta);
    }
    if (delta === null || [delta.mileposts, delta.segments].some((changed) => Object.keys(changed).length > 0)) this.name();
    this.light();
  }

  private get symbols(): Look {
    const { line, square, dot } = this.look ?? USUAL;
    return { line, square, dot, atPrintSize: this.printSize || !this.warp.still };
  }

  setPrintSize(on: boolean): void {
    if (this.printSize === on) return;
    this.printSize = on;
    if (!this.element) return;
    this.name();
    this.restyle();
  }

  private get easel(): Easel {
    this.easel_ ??= new Easel(() => {
      this.above.ask();
      this.below.ask();
    });
    return this.easel_;
  }

  /** Note where the drawing has what changes, so that it is not seen twice; before it is taken over. */
  private outdate(delta: ViewDelta): void {
    for (const id of Object.keys(delta.segments)) {
      const line = this.drawnLines[id];
      if (line) this.outdated.set(itemKey({ kind: "segment", id }), { line });
    }
    for (const kind of ["junction", "milepost"] as const)
      for (const id of Object.keys(delta[`${kind}s`])) {
        const key = itemKey({ kind, id });
        const geometry = this.feature(kind, id)?.getGeometry();
        if (!(geometry instanceof Point) || this.outdated.has(key)) continue;
        const [x = 0, y = 0] = geometry.getCoordinates();
        this.outdated.set(key, { spot: [x, -y] });
      }
    this.sendOutdated();
  }

  private sendOutdated(): void {
    const all = [...this.outdated.values()];
    this.easel.setOutdated({ lines: all.flatMap((one) => ("line" in one ? [one.line] : [])), spots: all.flatMap((one) => ("spot" in one ? [one.spot] : [])) });
  }

  /** Draw what has changed, and the ends of its lines, over the drawing, until there is one that has it. */
  private freshen(delta: ViewDelta): void {
    const ends = Object.values(delta.segments).flatMap((segment) => (segment ? [segment.a, segment.b] : []));
    const ids = { segment: Object.keys(delta.segments), junction: Object.keys(delta.junctions), milepost: [...Object.keys(delta.mileposts), ...ends] };
    const changed = (["segment", "junction", "milepost"] as const).flatMap((kind) =>
      ids[kind].map((id) => ({ key: itemKey({ kind, id }), feature: this.feature(kind, id) })),
    );
    for (const { key, feature } of changed) {
      this.fresh.set(key, revision.value);
      const there = this.freshSource.getFeatureById(key);
      if (there instanceof Feature && there !== feature) this.freshSource.removeFeature(there);
      if (feature && there !== feature) this.freshSource.addFeature(feature);
    }
  }

  setDrawing(part: "ground" | "track", drawn: Drawn): void {
    this.known.add(part);
    for (const name of ["ground", "lines", "symbols"] as const) {
      const layer = drawn.layers[name];
      if (layer) this.easel.setLayer(name, layer);
    }
    if (part === "track") this.settle(drawn);
    if (!drawn.same) (part === "ground" ? this.below : this.above).renew();
    const was = this.look;
    this.look = drawn;
    if (this.element) this.element.dataset[part] = String(drawn.revision);
    if ((["ink", "halo", "line", "square", "dot"] as const).some((what) => was?.[what] !== drawn[what])) this.name();
    this.arrange();
  }

  /** Lay features where the drawing has them, and let go of those that it shows as they are now. */
  private settle(drawn: Drawn): void {
    for (const [key, since] of this.fresh) {
      if (since > drawn.revision) continue;
      this.fresh.delete(key);
      this.outdated.delete(key);
      const feature = this.freshSource.getFeatureById(key);
      if (feature instanceof Feature) this.freshSource.removeFeature(feature);
    }
    this.sendOutdated();
    if (drawn.same) return void this.above.renew();
    for (const [id, path] of Object.entries(drawn.lines)) {
      if (this.fresh.has(`segment:${id}`)) continue;
      const was = this.drawnLines[id];
      if (was && was.length === path.length && was.every(([x, y], i) => path[i]![0] === x && path[i]![1] === y)) continue;
      this.drawnLines[id] = path;
      this.feature("segment", id)?.setGeometry(new LineString(path.map(flip)));
    }
    this.light();
  }

  /** Whether the canvas shows the board as it is drawn, not figures in its place. */
  private get exact(): boolean {
    return this.known.has("track") && !tint.value && Object.keys(triedLooks.value).length === 0;
  }

  /** Show in each layer what the author wants to see, drawn exactly where that is known. */
  private arrange(): void {
    const { exact } = this;
    const painted = (names: readonly string[]): { name: LayerName; opacity: number }[] =>
      names.flatMap((id) => {
        const { visible, opacity, painted: name } = this.board[id]!;
        return visible && opacity > 0 ? [{ name, opacity }] : [];
      });
    this.sheet.setVisible(!this.known.has("ground") || !this.board["ground"]!.visible || this.board["ground"]!.opacity < 1);
    this.below.show(this.known.has("ground") ? painted(["ground"]) : []);
    this.above.show(painted(exact ? ["lines", "mileposts", "names"] : ["names"]));
    for (const id of ["lines", "mileposts"] as const) {
      this.light_[id].setVisible(!exact && this.board[id]!.visible);
      this.light_[id].setOpacity(this.board[id]!.opacity);
    }
  }

  /** Hand the names to the painter. */
  private name(): void {
    const lines = new Map<string, number>();
    for (const { a, b } of Object.values(segments.value)) for (const end of [a, b]) lines.set(end, (lines.get(end) ?? 0) + 1);
    const chances = cityChances(table("destinations").value);
    const names = Object.entries(mileposts.value).map(([id, { name, kind, cities, ...at }]) => {
      const [x, y] = this.warp.to([at.x, at.y]);
      const chance = cities.reduce((sum, city) => sum + (chances.get(city) ?? 0), 0);
      return { text: name, x, y, city: kind === "city", chance, lines: lines.get(id) ?? 0 };
    });
    const { width, height } = page.value;
    const { ink, halo } = this.look ?? { ink: this.styles.colours.text, halo: this.styles.colours.halo };
    this.easel.setNames({ names, page: [width, height], look: this.symbols, ink, halo });
    this.above.renew();
  }

  private take(delta: ViewDelta): void {
    const fresh: Feature[] = [];
    for (const [id, segment] of Object.entries(delta.segments)) {
      for (const other of this.lanes.set(id, segment)) if (other !== id) this.feature("segment", other)?.changed();
      delete this.drawnLines[id];
      this.put(this.trackSource, "segment", id, segment && new LineString(segment.path.map(this.place)), fresh);
    }
    for (const [id, junction] of Object.entries(delta.junctions))
      this.put(this.trackSource, "junction", id, junction && new Point(this.place([junction.x, junction.y])), fresh);
    this.trackSource.addFeatures(fresh);
    const posts: Feature[] = [];
    for (const [id, post] of Object.entries(delta.mileposts))
      this.put(this.postSource, "milepost", id, post && new Point(this.place([post.x, post.y])), posts);
    this.postSource.addFeatures(posts);
  }

  setWarp(warp: Warp): void {
    if (warp.still && this.warp.still) return;
    this.pointing?.breakOff();
    this.tool?.cancel?.(this);
    this.warp = warp;
    // what is drawn is of other places; until the new drawing is there, the light version stands in
    this.known.clear();
    this.show(null);
    for (const [id, { label, shapes }] of [...this.grounds]) this.setGround(id, label, shapes);
    for (const picture of this.pictures.values()) this.setPicture(picture);
    this.arrange();
  }

  truePlace(shown: XY): XY {
    return this.warp.from(shown);
  }

  shownPlace(place: XY): XY {
    return this.warp.to(place);
  }

  /** Where the canvas has a place of the true map. */
  private readonly place = (at: XY): [number, number] => flip(this.warp.to(at));

  private put(source: VectorSource, kind: ItemKind, id: string, geometry: LineString | Point | null, fresh: Feature[]): void {
    const key = `${kind}:${id}`;
    const old = source.getFeatureById(key);
    const had = old instanceof Feature ? old : null;
    if (geometry === null) {
      if (had) source.removeFeature(had);
    } else if (had) had.setGeometry(geometry);
    else {
      const made = new Feature(geometry);
      made.setId(key);
      made.set("item", { kind, id }, true);
      fresh.push(made);
    }
  }

  private feature(kind: ItemKind, id: string): Feature | null {
    const source = kind === "milepost" ? this.postSource : this.trackSource;
    const found = source.getFeatureById(`${kind}:${id}`);
    return found instanceof Feature ? found : null;
  }

  restyle(): void {
    if (this.element) this.styles = new Styles(palette(this.element));
    for (const { layer } of this.layersById.values()) layer.changed();
    for (const layer of Object.values(this.light_)) layer.changed();
    this.arrange();
    this.pageSource.changed();
    this.freshSource.changed();
    this.sketchSource.changed();
    this.light();
  }

  /** The selected and hovered items, drawn once more in a light of their own. */
  light(): void {
    const lit = new Map(selection.value.map((item) => [itemKey(item), { item, strong: true }]));
    const over = hovered.value;
    if (over && !lit.has(itemKey(over))) lit.set(itemKey(over), { item: over, strong: false });
    this.lightSource.clear(true);
    const features: Feature[] = [];
    for (const { item, strong } of lit.values()) {
      const geometry = this.feature(item.kind, item.id)?.getGeometry();
      if (!geometry) continue;
      const feature = new Feature(geometry);
      feature.set("item", item, true);
      feature.set("strong", strong, true);
      features.push(feature);
    }
    this.lightSource.addFeatures(features);
    this.lightSource.changed();
  }

  private offset(id: string, segment: Segment, width: number): number {
    if (this.drawnLines[id]) return 0;
    const lane = this.lanes.lane(id) * (width + 1.4);
    return segment.a < segment.b ? lane : -lane;
  }

  private trackStyle(feature: FeatureLike, resolution: number): Style | Style[] | undefined {
    const item = feature.get("item") as Item;
    const { line } = sizes(resolution, this.symbols);
    const width = Math.round(line * 4) / 4;
    if (item.kind === "junction") {
      const owner = junctions.value[item.id]?.railroad ?? "";
      const colour = tint.value ? NONE : ((triedLooks.value[owner] ?? railroads.value[owner])?.colour ?? UNKNOWN);
      return resolution < 0.4 ? this.styles.junction(Math.max(1.5, width * 0.55), colour) : undefined;
    }
    const segment = segments.value[item.id];
    if (!segment) return undefined;
    const railroad = triedLooks.value[segment.railroad] ?? railroads.value[segment.railroad];
    const offset = Math.round(this.offset(item.id, segment, width) * 4) / 4;
    if (tint.value) return [this.styles.casing(width, offset, this.styles.colours.paper), this.styles.line(tint.value.segments[item.id]?.colour ?? NONE, "solid", width, offset)];
    return [this.styles.casing(width, offset), this.styles.line(railroad?.colour ?? UNKNOWN, railroad?.pattern ?? "solid", width, offset)];
  }

  private postStyle(feature: FeatureLike, resolution: number): Style | undefined {
    const { id } = feature.get("item") as Item;
    const post = mileposts.value[id];
    if (!post) return undefined;
    const { dot, square } = sizes(resolution, this.symbols);
    const { colours } = this.styles;
    // beside the drawing, what is fresh looks as it does there
    const [ink, edge] = this.exact && this.look ? [this.look.ink, this.look.halo] : [null, colours.ink];
    if (post.kind === "dot") return this.styles.dot(Math.round(dot * 4) / 4, ink ?? colours.dot, edge);
    const colour = tint.value ? (tint.value.mileposts[id]?.colour ?? colours.dot) : (ink ?? this.regionColour(post));
    return this.styles.square(Math.round(square * 4) / 4, colour, edge);
  }

  private regionColour(post: Milepost): string {
    return (post.region && regions.value[post.region]?.colour) || this.styles.colours.dot;
  }

  private lightStyle(feature: FeatureLike, resolution: number): Style | undefined {
    const item = feature.get("item") as Item;
    const strong = feature.get("strong") as boolean;
    const { line, dot, square } = sizes(resolution, this.symbols);
    if (item.kind === "segment") {
      const segment = segments.value[item.id];
      const width = Math.round(line * 4) / 4;
      return segment && this.styles.glow(width, Math.round(this.offset(item.id, segment, width) * 4) / 4, strong);
    }
    return this.styles.ring(mileposts.value[item.id]?.kind === "city" ? square * 1.3 : dot, strong);
  }

  setTool(tool: Tool): void {
    this.pointing?.breakOff();
    this.tool?.cancel?.(this);
    this.tool = tool;
    if (this.element) this.element.style.cursor = tool.cursor ?? "default";
  }

  get resolution(): number {
    return this.map.getView().getResolution() ?? 1;
  }

  hit(trueX: number, trueY: number, kinds: readonly ItemKind[] = ["milepost", "junction", "segment"], pixels = 8): Item | null {
    const [x, y] = this.warp.to([trueX, trueY]);
    const at = [x, -y];
    const reach = pixels * this.resolution;
    let best = null as Item | null;
    let least = Infinity;
    const look = (source: VectorSource, slack: number): void => {
      const extent = [x - reach * slack, -y - reach * slack, x + reach * slack, -y + reach * slack];
      source.forEachFeatureInExtent(extent, (feature) => {
        const item = feature.get("item") as Item;
        if (!kinds.includes(item.kind)) return;
        const near = feature.getGeometry()?.getClosestPoint(at) ?? [Infinity, Infinity];
        let far = Math.hypot((near[0] ?? 0) - x, (near[1] ?? 0) + y);
        if (item.kind === "segment") far += this.laneMiss(item.id, feature, at, far);
        if (far < least && far <= reach * slack) {
          least = far;
          best = item;
        }
      });
    };
    look(this.postSource, 1);
    if (best === null) look(this.trackSource, 1.6);
    return best;
  }

  /** How much nearer or farther a segment is for lying beside its path. */
  private laneMiss(id: string, feature: Feature, at: readonly number[], far: number): number {
    const segment = segments.value[id];
    if (!segment) return 0;
    const width = sizes(this.resolution, this.symbols).line;
    const offset = this.offset(id, segment, width) * this.resolution;
    if (offset === 0) return 0;
    const line = (feature.getGeometry() as LineString).getCoordinates();
    let least = Infinity;
    let side = 0;
    for (let i = 1; i < line.length; i += 1) {
      const [p, q] = [line[i - 1]!, line[i]!];
      const [dx, dy] = [q[0]! - p[0]!, q[1]! - p[1]!];
      const long = Math.hypot(dx, dy) || 1;
      const t = Math.max(0, Math.min(1, ((at[0]! - p[0]!) * dx + (at[1]! - p[1]!) * dy) / (long * long)));
      const away = Math.hypot(at[0]! - p[0]! - t * dx, at[1]! - p[1]! - t * dy);
      if (away < least) {
        least = away;
        // to the right of the line is positive
        side = ((at[0]! - p[0]!) * dy - (at[1]! - p[1]!) * dx) / long;
      }
    }
    return Math.abs(Math.sign(side || 1) * far - offset) - far;
  }

  within(path: readonly XY[], kinds: readonly ItemKind[]): Item[] {
    const ring = path.map(this.place);
    if (ring.length < 3) return [];
    const area = new Polygon([[...ring, ring[0]!]]);
    const out: Item[] = [];
    for (const source of [this.postSource, this.trackSource]) {
      source.forEachFeatureInExtent(area.getExtent(), (feature) => {
        const item = feature.get("item") as Item;
        const geometry = feature.getGeometry();
        if (!kinds.includes(item.kind) || !geometry) return;
        const points = geometry instanceof LineString ? geometry.getCoordinates() : geometry instanceof Point ? [geometry.getCoordinates()] : [];
        if (points.some((p) => area.intersectsCoordinate(p))) out.push(item);
      });
    }
    return out.sort((a, b) => (itemKey(a) < itemKey(b) ? -1 : 1));
  }

  sketch(name: string, shapes: readonly Sketch[]): void {
    for (const feature of this.sketches.get(name) ?? []) this.sketchSource.removeFeature(feature);
    const made = shapes.map((shape) => {
      const geometry =
        shape.kind === "line"
          ? new LineString(shape.path.map(this.place))
          : shape.kind === "area"
            ? new Polygon([shape.path.map(this.place)])
            : new Point(this.place(shape.at));
      const feature = new Feature(geometry);
      feature.set("shape", shape, true);
      return feature;
    });
    if (made.length > 0) this.sketches.set(name, made);
    else this.sketches.delete(name);
    this.sketchSource.addFeatures(made);
  }

  fit(): void {
    const { width, height } = page.value;
    const size = this.map.getSize();
    this.fitted = NOWHERE;
    if (!size?.[0] || !size[1]) return;
    this.map.getView().fit([0, -height, width, 0], { padding: [16, 16, 16, 16], size });
    this.fitted = this.sight();
  }

  /** Where the window looks, and how near. */
  private sight(): string {
    const view = this.map.getView();
    return [...(view.getCenter() ?? []), view.getResolution() ?? 0].map((n) => n.toPrecision(9)).join(" ");
  }

  private get slow(): number {
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300;
  }

  zoom(factor: number): void {
    const view = this.map.getView();
    view.cancelAnimations();
    const resolution = view.getConstrainedResolution(this.resolution / factor) ?? this.resolution;
    if (this.slow) view.animate({ resolution, duration: 150 });
    else view.setResolution(resolution);
  }

  pan(dx: number, dy: number): void {
    const view = this.map.getView();
    const [w, h] = this.map.getSize() ?? [0, 0];
    const [x, y] = view.getCenter() ?? [0, 0];
    view.setCenter([(x ?? 0) + dx * (w ?? 0) * this.resolution, (y ?? 0) - dy * (h ?? 0) * this.resolution]);
  }

  flyTo(target: readonly Item[] | Box): void {
    const box = "left" in target ? this.shownBox(target) : this.around(target);
    if (!box) return;
    const around = 25;
    this.map.getView().fit([box.left - around, -box.bottom - around, box.right + around, -box.top + around], {
      duration: this.slow,
      maxZoom: 20,
      minResolution: 0.06,
    });
  }

  private shownBox({ left, top, right, bottom }: Box): Box {
    const [[l, t], [r, b]] = [this.warp.to([left, top]), this.warp.to([right, bottom])];
    return { left: Math.min(l, r), top: Math.min(t, b), right: Math.max(l, r), bottom: Math.max(t, b) };
  }

  /** The box around items; the cross goes to the middle of it. */
  private around(items: readonly Item[]): Box | null {
    const all = items.flatMap((item) => {
      const extent = this.feature(item.kind, item.id)?.getGeometry()?.getExtent();
      return extent ? [extent as [number, number, number, number]] : [];
    });
    if (all.length === 0) return null;
    const box = {
      left: Math.min(...all.map((e) => e[0])),
      top: Math.min(...all.map((e) => -e[3])),
      right: Math.max(...all.map((e) => e[2])),
      bottom: Math.max(...all.map((e) => -e[1])),
    };
    this.pointing?.setCross(...this.warp.from([(box.left + box.right) / 2, (box.top + box.bottom) / 2]));
    return box;
  }

  focus(): void {
    this.element?.focus();
  }

  toScreen(at: XY): { x: number; y: number } {
    this.map.renderSync();
    // null before the first drawing, though its type does not say so
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
    const [x, y] = this.map.getPixelFromCoordinate(this.place(at)) ?? [0, 0];
    const box = this.element?.getBoundingClientRect();
    return { x: (box?.x ?? 0) + (x ?? 0), y: (box?.y ?? 0) + (y ?? 0) };
  }

  layers(): readonly Layer[] {
    return [
      ...Object.entries(this.board).map(([id, { label, visible, opacity }]) => ({ id, label, visible, opacity })),
      ...[...this.layersById].map(([id, { label, layer }]) => ({ id, label, visible: layer.getVisible(), opacity: layer.getOpacity() })),
    ];
  }

  setLayer(id: string, change: Partial<Pick<Layer, "visible" | "opacity">>): void {
    const own = this.board[id];
    if (own) {
      Object.assign(own, change);
      this.arrange();
    }
    const layer = this.layersById.get(id)?.layer;
    if (change.visible !== undefined) layer?.setVisible(change.visible);
    if (change.opacity !== undefined) layer?.setOpacity(change.opacity);
  }

  setGround(id: string, label: string, shapes: readonly Ground[] | null): void {
    const had = this.layersById.get(id)?.layer;
    if (had && !(had instanceof PictureLayer)) {
      this.map.removeLayer(had);
      this.layersById.delete(id);
    }
    if (shapes === null) return void this.grounds.delete(id);
    this.grounds.set(id, { label, shapes });
    const features = shapes.map((shape) => {
      const geometry = shape.kind === "line" ? new LineString(shape.path.map(this.place)) : new Point(this.place(shape.at));
      const feature = new Feature(geometry);
      feature.set("ground", shape, true);
      return feature;
    });
    const source = new VectorSource({ features });
    const layer = new VectorLayer({ source, zIndex: 15, style: (f) => this.styles.ground(f.get("ground") as Ground) });
    if (had) {
      layer.setVisible(had.getVisible());
      layer.setOpacity(had.getOpacity());
    }
    this.layersById.set(id, { label, layer });
    this.map.addLayer(layer);
  }

  setPicture(own: Picture): void {
    this.pictures.set(own.id, own);
    const picture = this.warp.still ? own : { ...own, warp: (x: number, y: number): XY => this.warp.to(own.warp(x, y)), affine: false };
    const had = this.layersById.get(picture.id)?.layer;
    if (had instanceof PictureLayer) {
      had.update(picture);
      return;
    }
    const layer = new PictureLayer(picture);
    layer.setZIndex(10);
    this.layersById.set(picture.id, { label: picture.label, layer });
    this.map.addLayer(layer);
  }

  removePicture(id: string): void {
    this.pictures.delete(id);
    const had = this.layersById.get(id)?.layer;
    if (!(had instanceof PictureLayer)) return;
    this.map.removeLayer(had);
    this.layersById.delete(id);
  }
}
