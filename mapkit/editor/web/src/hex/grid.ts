// Where hexagons and edges lie on the drawing, in its millimetres; the counterpart of mapkit/kinds/hex/grid.
import type { GridView } from "./wire";

export type Point = readonly [number, number];
type Cube = readonly [number, number];

const ROOT = Math.sqrt(3);
const DIRECTIONS: readonly Cube[] = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];

export class Grid {
  readonly flat: boolean;
  readonly odd: boolean;
  readonly radius: number;

  constructor(readonly at: GridView) {
    this.flat = at.offset.endsWith("q");
    this.odd = at.offset.startsWith("odd");
    this.radius = at.size / ROOT;
  }

  private push(line: number): number {
    return this.odd ? -(line & 1) : line & 1;
  }

  private cube(name: string): Cube {
    const [column = 1, row = 1] = name.split("-").map(Number);
    const [c, r] = [column - 1, row - 1];
    return this.flat ? [c, r - (c + this.push(c)) / 2] : [c - (r + this.push(r)) / 2, r];
  }

  /** The name of a hexagon, or null if it is off the grid. */
  private name([q, r]: Cube): string | null {
    const [column, row] = this.flat ? [q, r + (q + this.push(q)) / 2] : [q + (r + this.push(r)) / 2, r];
    return column >= 0 && row >= 0 && column < this.at.columns && row < this.at.rows ? `${column + 1}-${row + 1}` : null;
  }

  /** The names of all hexagons. */
  all(): string[] {
    const { columns, rows } = this.at;
    return Array.from({ length: columns * rows }, (_, n) => `${(n % columns) + 1}-${Math.floor(n / columns) + 1}`);
  }

  centre(name: string): Point {
    const [q, r] = this.cube(name);
    const { size, left, top } = this.at;
    const half = this.odd ? size / 2 : size;
    return this.flat
      ? [left + this.radius * (1.5 * q + 1), top + size * (r + q / 2) + half]
      : [left + size * (q + r / 2) + half, top + this.radius * (1.5 * r + 1)];
  }

  corners(name: string): Point[] {
    const [x, y] = this.centre(name);
    const first = this.flat ? 0 : -Math.PI / 6;
    return DIRECTIONS.map((_, i) => {
      const turn = first - (i * Math.PI) / 3;
      return [x + this.radius * Math.cos(turn), y + this.radius * Math.sin(turn)];
    });
  }

  /** The hexagon at a point, or null beside the grid. */
  hexAt([px, py]: Point): string | null {
    const { size, left, top } = this.at;
    const half = this.odd ? size / 2 : size;
    const [x, y] = [px - left, py - top];
    let q: number;
    let r: number;
    if (this.flat) {
      q = (x / this.radius - 1) / 1.5;
      r = (y - half) / size - q / 2;
    } else {
      r = (y / this.radius - 1) / 1.5;
      q = (x - half) / size - r / 2;
    }
    return this.name(rounded(q, r));
  }

  neighbour(name: string, side: number): string | null {
    const [q, r] = this.cube(name);
    const [dq, dr] = DIRECTIONS[((side % 6) + 6) % 6]!;
    return this.name([q + dq, r + dr]);
  }

  /** The hexagons at most `far` steps away, the hexagon itself first. */
  around(name: string, far: number): string[] {
    const [q, r] = this.cube(name);
    const out = [name];
    for (let dq = -far; dq <= far; dq += 1)
      for (let dr = Math.max(-far, -dq - far); dr <= Math.min(far, -dq + far); dr += 1) {
        const found = dq === 0 && dr === 0 ? null : this.name([q + dq, r + dr]);
        if (found) out.push(found);
      }
    return out;
  }

  edge(name: string, side: number): string | null {
    const other = this.neighbour(name, side);
    if (!other) return null;
    const order = ([a = 0, b = 0]: number[], [c = 0, d = 0]: number[]): number => a - c || b - d;
    return [name, other].sort((one, two) => order(one.split("-").map(Number), two.split("-").map(Number))).join("--");
  }

  /** The edge nearest to a point in its hexagon. */
  edgeAt(point: Point): string | null {
    const name = this.hexAt(point);
    if (!name) return null;
    const [x, y] = this.centre(name);
    const first = this.flat ? -Math.PI / 6 : 0;
    const turn = Math.atan2(-(point[1] - y), point[0] - x) - first;
    return this.edge(name, Math.round(turn / (Math.PI / 3)));
  }

  /** The ends of an edge. */
  ends(edge: string): readonly [Point, Point] | null {
    const [one = "", other = ""] = edge.split("--");
    for (let side = 0; side < 6; side += 1) {
      if (this.neighbour(one, side) !== other) continue;
      const corners = this.corners(one);
      return [corners[(side + 5) % 6]!, corners[side]!];
    }
    return null;
  }

  /** The hexagon that an arrow key leads to; rows or columns that are shifted are walked in a zigzag. */
  step(name: string, key: string): string | null {
    const [column = 1, row = 1] = name.split("-").map(Number);
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!by) return null;
    const [c, r] = [column + (by[0] ?? 0), row + (by[1] ?? 0)];
    return c >= 1 && r >= 1 && c <= this.at.columns && r <= this.at.rows ? `${c}-${r}` : name;
  }
}

function rounded(q: number, r: number): Cube {
  const s = -q - r;
  let [rq, rr] = [Math.round(q), Math.round(r)];
  const rs = Math.round(s);
  const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return [rq, rr];
}

export const pathOf = (points: readonly Point[]): string => `M${points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}Z`;
