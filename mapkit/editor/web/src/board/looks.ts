// How items look: widths in pixels by zoom, colours of railroads, lanes of railroads that run side by side.
import type { Segment } from "../wire";
import { UNKNOWN } from "../colours";

export interface Palette {
  paper: string;
  around: string;
  ink: string;
  casing: string;
  dot: string;
  text: string;
  halo: string;
  accent: string;
}

export function palette(element: Element): Palette {
  const css = getComputedStyle(element);
  const value = (name: string): string => css.getPropertyValue(`--board-${name}`).trim() || UNKNOWN;
  return {
    paper: value("paper"),
    around: value("around"),
    ink: value("ink"),
    casing: value("casing"),
    dot: value("dot"),
    text: value("text"),
    halo: value("halo"),
    accent: value("accent"),
  };
}

/** Millimetres of symbols: the width of a line, the side of a square, the radius of a dot. */
export interface Millimetres {
  readonly line: number;
  readonly square: number;
  readonly dot: number;
}

/** As boards usually have them. */
export const USUAL: Millimetres = { line: 1.3, square: 4.6, dot: 1.4 };

/** Symbols with their millimetres, and whether they are shown in these or in a size that suits the screen. */
export interface Look extends Millimetres {
  readonly atPrintSize: boolean;
}

/** Sizes in pixels: the width of a line, the radius of a dot, half the side of a square. */
export interface Sizes {
  readonly line: number;
  readonly dot: number;
  readonly square: number;
}

/** The least and the most pixels of symbols on the screen; the casing of a square adds some. */
const ON_SCREEN: Readonly<Record<keyof Sizes, readonly [least: number, most: number]>> = { line: [1.4, 5], dot: [1.7, 5], square: [4.5, 8] };

/** Sizes in pixels at so many millimetres per pixel: those of the print, or what can be seen and worked on at any zoom. */
export function sizes(resolution: number, { line, square, dot, atPrintSize }: Look): Sizes {
  const size = (of: keyof Sizes, mm: number): number => {
    const [least, most] = ON_SCREEN[of];
    const inPrint = mm / resolution;
    return atPrintSize ? Math.max(least / 2, inPrint) : Math.max(least, Math.min(most, inPrint));
  };
  return { line: size("line", line), dot: size("dot", dot), square: size("square", square / 2) };
}

/** How many times larger than in print symbols are shown, at so many millimetres per pixel. */
export function growth(resolution: number, look: Look): Sizes {
  if (look.atPrintSize) return { line: 1, dot: 1, square: 1 };
  const { line, dot, square } = sizes(resolution, look);
  const times = (pixels: number, mm: number): number => (mm > 0 ? (pixels * resolution) / mm : 1);
  return { line: times(line, look.line), dot: times(dot, look.dot), square: times(square, look.square / 2) };
}

export const pairOf = (segment: Segment): string =>
  segment.a < segment.b ? `${segment.a}|${segment.b}` : `${segment.b}|${segment.a}`;

/** Which segments join the same two mileposts, and so lie beside each other. */
export class Lanes {
  private readonly pairs = new Map<string, string[]>();
  private readonly of = new Map<string, { pair: string; railroad: string }>();

  /** Add, change or remove (null) a segment; returns the ids that look different now. */
  set(id: string, segment: Segment | null): string[] {
    const old = this.of.get(id);
    const touched: string[] = [];
    if (old) {
      const left = (this.pairs.get(old.pair) ?? []).filter((other) => other !== id);
      if (left.length > 0) this.pairs.set(old.pair, left);
      else this.pairs.delete(old.pair);
      this.of.delete(id);
      touched.push(...left);
    }
    if (segment) {
      const pair = pairOf(segment);
      const all = [...(this.pairs.get(pair) ?? []), id];
      this.of.set(id, { pair, railroad: segment.railroad });
      all.sort((a, b) => ((this.of.get(a)?.railroad ?? "") < (this.of.get(b)?.railroad ?? "") ? -1 : 1));
      this.pairs.set(pair, all);
      touched.push(...all);
    }
    return touched;
  }

  clear(): void {
    this.pairs.clear();
    this.of.clear();
  }

  /** How many lanes to the right of the middle a segment lies, seen from the first of its mileposts by id. */
  lane(id: string): number {
    const pair = this.of.get(id)?.pair;
    const all = pair === undefined ? undefined : this.pairs.get(pair);
    return all === undefined ? 0 : all.indexOf(id) - (all.length - 1) / 2;
  }
}
