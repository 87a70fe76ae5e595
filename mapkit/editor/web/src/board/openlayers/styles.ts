// Styles, made once for each look and kept.
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import RegularShape from "ol/style/RegularShape.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import type { Ground, Sketch } from "../BoardView";
import type { Palette } from "../looks";
import { UNKNOWN } from "../../colours";

/** Pixels of a circle from which it is drawn as a line alone. */
const WIDE = 160;

/** A colour, or that of a token such as `--board-route`. */
const named = (colour: string): string =>
  colour.startsWith("--") ? getComputedStyle(document.documentElement).getPropertyValue(colour).trim() || UNKNOWN : colour;

const FONT = "system-ui, 'Segoe UI', sans-serif";

export class Styles {
  private readonly kept = new Map<string, Style | Style[]>();
  constructor(readonly colours: Palette) {}

  private once<T extends Style | Style[]>(key: string, make: () => T): T {
    let found = this.kept.get(key) as T | undefined;
    if (found === undefined) {
      found = make();
      this.kept.set(key, found);
    }
    return found;
  }

  casing(width: number, offset: number, colour = this.colours.casing): Style {
    return this.once(`c${width}:${offset}:${colour}`, () => {
      const stroke = new Stroke({ color: colour, width: width + 2.4, offset, lineCap: "round" });
      return new Style({ stroke, zIndex: 0 });
    });
  }

  line(colour: string, pattern: string, width: number, offset: number): Style {
    return this.once(`l${colour}:${pattern}:${width}:${offset}`, () => {
      const dash =
        pattern === "solid" || pattern === "" ? undefined : pattern === "dotted" ? [0.1, width * 2] : [width * 3, width * 2];
      const lineCap = pattern === "dashed" ? "butt" : "round";
      const stroke = new Stroke({ color: colour, width, offset, lineCap, ...(dash ? { lineDash: dash } : {}) });
      return new Style({ stroke, zIndex: 1 });
    });
  }

  glow(width: number, offset: number, strong: boolean): Style {
    return this.once(`g${width}:${offset}:${strong}`, () => {
      const color = this.colours.accent + (strong ? "e6" : "80");
      return new Style({ stroke: new Stroke({ color, width: width + 6, offset, lineCap: "round" }) });
    });
  }

  dot(radius: number, colour: string, edge: string): Style {
    return this.once(`d${radius}:${colour}:${edge}`, () => {
      const image = new CircleStyle({
        radius,
        fill: new Fill({ color: colour }),
        stroke: new Stroke({ color: edge, width: Math.min(1.6, radius / 2) }),
      });
      return new Style({ image, zIndex: 2 });
    });
  }

  square(radius: number, colour: string, edge: string): Style {
    return this.once(`s${radius}:${colour}:${edge}`, () => {
      const image = new RegularShape({
        points: 4,
        angle: Math.PI / 4,
        radius: radius * Math.SQRT2,
        fill: new Fill({ color: colour }),
        stroke: new Stroke({ color: edge, width: Math.min(2, radius / 2.5) }),
      });
      return new Style({ image, zIndex: 3 });
    });
  }

  junction(radius: number, colour: string): Style {
    return this.once(`j${radius}:${colour}`, () => {
      const stroke = new Stroke({ color: colour, width: 1.5 });
      const image = new CircleStyle({ radius, fill: new Fill({ color: this.colours.casing }), stroke });
      return new Style({ image, zIndex: 2 });
    });
  }

  ring(radius: number, strong: boolean): Style {
    return this.once(`r${radius}:${strong}`, () => {
      const stroke = new Stroke({ color: this.colours.accent, width: strong ? 3 : 2 });
      return new Style({ image: new CircleStyle({ radius: radius + 3.5, stroke }) });
    });
  }

  page(): Style {
    return this.once("page", () => {
      const stroke = new Stroke({ color: this.colours.ink, width: 1 });
      return new Style({ fill: new Fill({ color: this.colours.paper }), stroke });
    });
  }

  ground(shape: Ground): Style {
    return this.once(`ground${JSON.stringify({ ...shape, path: 0, at: 0 })}`, () => {
      switch (shape.kind) {
        case "line": {
          const dash = shape.dashed ? { lineDash: [6, 5] } : {};
          return new Style({ stroke: new Stroke({ color: named(shape.colour), width: shape.width, ...dash }) });
        }
        case "dot":
          return new Style({ image: new CircleStyle({ radius: shape.radius, stroke: new Stroke({ color: named(shape.colour), width: 1.5 }) }) });
      }
    });
  }

  sketch(shape: Sketch, resolution: number): Style {
    const color = named(shape.colour ?? this.colours.accent);
    switch (shape.kind) {
      case "line": {
        const lineDash = shape.dashed ? [6, 6] : undefined;
        const stroke = new Stroke({ color, width: shape.width ?? 3, lineCap: "round", ...(lineDash ? { lineDash } : {}) });
        return new Style({ stroke });
      }
      case "area":
        return new Style({
          stroke: new Stroke({ color, width: 1.5, lineDash: [5, 4] }),
          fill: new Fill({ color: shape.fill ? `${shape.fill}99` : `${this.colours.accent}22` }),
        });
      case "circle": {
        const radius = Math.max(2, shape.radius / resolution);
        const image = new CircleStyle({ radius, stroke: new Stroke({ color, width: 2 }), // one that fills the window would only dye the board
          ...(radius < WIDE ? { fill: new Fill({ color: `${this.colours.accent}33` }) } : {}) });
        return new Style({ image });
      }
      case "text":
        return new Style({
          text: new Text({
            text: shape.text,
            font: `600 13px ${FONT}`,
            offsetY: -14,
            fill: new Fill({ color }),
            stroke: new Stroke({ color: this.colours.halo, width: 3 }),
          }),
        });
      case "cross": {
        const stroke = new Stroke({ color, width: 2 });
        return new Style({ image: new RegularShape({ points: 4, radius: shape.radius ?? 14, radius2: 0, stroke }) });
      }
      case "square":
        return new Style({
          image: new RegularShape({
            points: 4,
            angle: Math.PI / 4,
            radius: (shape.radius ?? 6) * Math.SQRT2,
            fill: new Fill({ color }),
            stroke: new Stroke({ color: this.colours.ink, width: 1.5 }),
          }),
        });
      case "frame":
        return new Style({
          image: new RegularShape({ points: 4, angle: Math.PI / 4, radius: (shape.radius ?? 8) * Math.SQRT2, stroke: new Stroke({ color, width: 3 }) }),
        });
      case "ring":
        return new Style({ image: new CircleStyle({ radius: shape.radius ?? 9, stroke: new Stroke({ color, width: 3 }) }) });
      case "dot":
        return new Style({
          image: new CircleStyle({
            radius: shape.radius ?? 5,
            fill: new Fill({ color }),
            stroke: new Stroke({ color: this.colours.casing, width: 1.5 }),
          }),
        });
    }
  }
}
