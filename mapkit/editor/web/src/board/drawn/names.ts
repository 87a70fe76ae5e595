// Which names are shown at a zoom, and where: those of the likeliest cities first, then of places where most lines meet,
// each where it is free of others and of squares. The choice is of the whole page, so that no name comes or goes while the page is moved.
export interface Named {
  readonly text: string;
  /** Millimetres of the page. */
  readonly x: number;
  readonly y: number;
  readonly city: boolean;
  /** How likely a trip goes there, from 0 to 1. */
  readonly chance: number;
  /** How many segments end there. */
  readonly lines: number;
}

/** A name in pixels from the corner of the page; `x` is where its text begins, `y` its baseline. */
export interface Shown {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly city: boolean;
}

/** The size of type in pixels: names grow with the board, though far less. */
export const typeSize = (city: boolean, scale: number): number =>
  Math.round(city ? Math.max(14, Math.min(22, 1.6 * scale)) : Math.max(12, Math.min(17, 1.2 * scale)));
/** Pixels to a millimetre from which names of dots are looked for. */
const DOTS_FROM = 1.7;
const CELL = 64;
const MARGIN = 2;
/** A name that would reach over the edge of the page stands on the other side of its place. */
const BEYOND = 8;

type Area = readonly [left: number, top: number, right: number, bottom: number];

/** What is taken, found by cells. */
class Taken {
  private readonly cells = new Map<number, Area[]>();

  private *at([left, top, right, bottom]: Area): Iterable<number> {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) yield x * 65536 + y;
  }

  add(area: Area): void {
    for (const cell of this.at(area)) {
      const there = this.cells.get(cell);
      if (there) there.push(area);
      else this.cells.set(cell, [area]);
    }
  }

  free(area: Area): boolean {
    for (const cell of this.at(area))
      for (const one of this.cells.get(cell) ?? [])
        if (one[0] < area[2] && area[0] < one[2] && one[1] < area[3] && area[1] < one[3]) return false;
    return true;
  }
}

/**
 * The names to show.
 *
 * `scale` is in pixels to a millimetre, `square` and `dot` are half the side of a square and the radius of a dot in
 * pixels, `wide` measures a text in pixels, and `page` is the width and height of the page in millimetres.
 */
export function chosen(
  names: readonly Named[],
  scale: number,
  { square, dot, page, wide }: { square: number; dot: number; page: readonly [number, number]; wide: (text: string, city: boolean, size: number) => number },
): Shown[] {
  const taken = new Taken();
  const dots = scale >= DOTS_FROM;
  const order = names
    .filter((name) => name.text && (name.city || dots))
    .sort((a, b) => Number(b.city) - Number(a.city) || b.chance - a.chance || b.lines - a.lines || (a.text < b.text ? -1 : 1));
  const half = (name: Named): number => (name.city ? square : dot);
  for (const name of order) {
    const [x, y, r] = [name.x * scale, name.y * scale, half(name)];
    taken.add([x - r, y - r, x + r, y + r]);
  }
  const [right, bottom] = [page[0] * scale + BEYOND, page[1] * scale + BEYOND];
  const out: Shown[] = [];
  for (const name of order) {
    const size = typeSize(name.city, scale);
    const long = wide(name.text, name.city, size);
    const [x, y, r] = [name.x * scale, name.y * scale, half(name) + 2];
    const [up, middle, down] = [y - r - 2, y + size * 0.35, y + r + size * 0.8];
    for (const [left, base] of [
      [x + r, up], [x + r, middle], [x - r - long, middle], [x - r - long, up], [x + r, down], [x - r - long, down],
      [x - long / 2, up], [x - long / 2, down],
    ] as const) {
      const area: Area = [left - MARGIN, base - size * 0.8 - MARGIN, left + long + MARGIN, base + size * 0.25 + MARGIN];
      if (area[0] < -BEYOND || area[1] < -BEYOND || area[2] > right || area[3] > bottom || !taken.free(area)) continue;
      taken.add(area);
      out.push({ text: name.text, x: left, y: base, wide: long, city: name.city });
      break;
    }
  }
  return out;
}
