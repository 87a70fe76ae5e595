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

/** Sizes in pixels at so many millimetres per pixel: those of the drawing, but never too small to be seen. */
export function sizes(resolution: number, { line, square, dot }: Millimetres): { line: number; dot: number; square: number } {
  return {
    line: Math.max(1.6, line / resolution),
    dot: Math.max(1.4, dot / resolution),
    square: Math.max(2.4, square / 2 / resolution),
  };
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
