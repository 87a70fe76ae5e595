// How items look: widths in pixels by zoom, colours of railroads, lanes of railroads that run side by side.
import type { Segment } from "../wire";

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
  const value = (name: string): string => css.getPropertyValue(`--board-${name}`).trim() || "#888";
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

const clamp = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));

/** Sizes in pixels at so many millimetres per pixel. */
export function sizes(resolution: number): { line: number; dot: number; square: number; names: boolean; cities: boolean } {
  return {
    line: clamp(1.6, 0.9 / resolution, 6),
    dot: clamp(1.4, 0.8 / resolution, 5.5),
    square: clamp(2.4, 1.5 / resolution, 9),
    names: resolution < 0.16,
    cities: resolution < 1.6,
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
