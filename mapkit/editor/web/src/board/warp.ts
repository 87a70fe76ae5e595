// How the printed page moves places of the true map, and back: the same splines as mapkit/kinds/rail/render/spread/warps.py.
import type { SolvedStep } from "../generated";
import type { Point } from "../wire";

const NEAR_MM = 1e-6;
const ROUNDS = 60;

/** The four cubic B-splines at t from 0 to 1 between the second and the third knot. */
function basis(t: number): readonly [number, number, number, number] {
  const u = 1 - t;
  return [(u * u * u) / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * u * u + 3 * u * u * u) / 6, (t * t * t) / 6];
}

class Step {
  constructor(private readonly step: SolvedStep) {}

  /** The knot at a row and column; those beyond an edge are reflected there, so that nothing crosses it. */
  private knot(row: number, column: number): Point {
    const { knots } = this.step;
    const [rows, columns] = [knots.length - 1, (knots[0]?.length ?? 1) - 1];
    const [r, down] = row < 0 ? [-row, -1] : row > rows ? [2 * rows - row, -1] : [row, 1];
    const [c, across] = column < 0 ? [-column, -1] : column > columns ? [2 * columns - column, -1] : [column, 1];
    const [x, y] = knots[r]![c]!;
    return [x * across, y * down];
  }

  /** How far a place is moved. */
  move([x, y]: Point): Point {
    const { frame, knots } = this.step;
    const [left, top, right, bottom] = frame;
    const [rows, columns] = [knots.length - 1, (knots[0]?.length ?? 1) - 1];
    const at = (value: number, from: number, to: number, cells: number): number =>
      ((Math.min(Math.max(value, from), to) - from) / (to - from)) * cells;
    const [u, v] = [at(x, left, right, columns), at(y, top, bottom, rows)];
    const [column, row] = [Math.min(Math.floor(u), columns - 1), Math.min(Math.floor(v), rows - 1)];
    const [across, down] = [basis(u - column), basis(v - row)];
    let [dx, dy] = [0, 0];
    for (let j = 0; j < 4; j += 1)
      for (let i = 0; i < 4; i += 1) {
        const weight = down[j]! * across[i]!;
        const [kx, ky] = this.knot(row + j - 1, column + i - 1);
        dx += weight * kx;
        dy += weight * ky;
      }
    return [dx, dy];
  }

  /** Where a place came from: a step moves neighbours less apart than they are, so this closes in on it. */
  back(to: Point): Point {
    let at = to;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [dx, dy] = this.move(at);
      const next: Point = [to[0] - dx, to[1] - dy];
      const far = Math.hypot(next[0] - at[0], next[1] - at[1]);
      at = next;
      if (far < NEAR_MM) break;
    }
    return at;
  }
}

/** A map of the page onto itself that never folds; without steps every place stays. */
export class Warp {
  private readonly steps: readonly Step[];

  constructor(steps: readonly SolvedStep[] = []) {
    this.steps = steps.map((step) => new Step(step));
  }

  get still(): boolean {
    return this.steps.length === 0;
  }

  to(place: Point): Point {
    let [x, y] = place;
    for (const step of this.steps) {
      const [dx, dy] = step.move([x, y]);
      [x, y] = [x + dx, y + dy];
    }
    return [x, y];
  }

  from(place: Point): Point {
    return this.steps.reduceRight<Point>((at, step) => step.back(at), place);
  }
}
