// Miles on the page, without asking the server for each: a grid of degrees over the page, and its open water.
import { query } from "../edit";
import { inRings } from "../rings";
import { page } from "../store";
import type { AnswerTo, Point } from "../wire";

const EARTH_MILES = 3958.76;
type Place = readonly [number, number, number];

/** The page as a part of the globe. */
export class Earth {
  private readonly corners: readonly (Place | null)[];

  constructor(
    private readonly grid: Pick<AnswerTo<"page-grid">, "cell" | "columns" | "points">,
    private readonly rings: readonly (readonly Point[])[] = [],
  ) {
    this.corners = grid.points.map((point) => point && onGlobe(point));
  }

  /** A place of the page on the globe, as a direction from its middle; null off the map. */
  private globe([x, y]: Point): Place | null {
    const { cell, columns } = this.grid;
    const rows = this.corners.length / (columns + 1) - 1;
    const [u, v] = [x / cell[0], y / cell[1]];
    // beyond the edge it goes on as in the last cell
    const [column, row] = [Math.max(0, Math.min(columns - 1, Math.floor(u))), Math.max(0, Math.min(rows - 1, Math.floor(v)))];
    const [s, t] = [u - column, v - row];
    const sum = [0, 0, 0];
    for (const [dx, dy, share] of [[0, 0, (1 - s) * (1 - t)], [1, 0, s * (1 - t)], [0, 1, (1 - s) * t], [1, 1, s * t]] as const) {
      const corner = this.corners[(row + dy) * (columns + 1) + column + dx];
      if (!corner) return null;
      for (let k = 0; k < 3; k += 1) sum[k]! += share * corner[k]!;
    }
    const long = Math.hypot(...sum);
    return [sum[0]! / long, sum[1]! / long, sum[2]! / long];
  }

  /** Miles from one place to another; null if one of them is off the map. */
  miles(from: Point, to: Point): number | null {
    const [a, b] = [this.globe(from), this.globe(to)];
    if (!a || !b) return null;
    return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2));
  }

  /** Miles along a path. */
  along(path: readonly Point[]): number | null {
    let sum = 0;
    for (let i = 1; i < path.length; i += 1) {
      const step = this.miles(path[i - 1]!, path[i]!);
      if (step === null) return null;
      sum += step;
    }
    return sum;
  }

  /** Whether a place lies in open water. */
  wet(at: Point): boolean {
    return inRings(this.rings, at);
  }
}

function onGlobe([lon, lat]: Point): Place {
  const [l, b] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  return [Math.cos(b) * Math.cos(l), Math.cos(b) * Math.sin(l), Math.sin(b)];
}

let known: { of: string; earth: Earth } | null = null;
let asking = "";

/** The page on the globe; null until the server has said how it lies there. */
export const earth = (): Earth | null => (known?.of === JSON.stringify(page.value) ? known.earth : null);

/** Ask how the page lies on the globe, once for each page. */
export function askEarth(): void {
  const of = JSON.stringify(page.value);
  if (known?.of === of || asking === of) return;
  asking = of;
  Promise.all([query("page-grid", {}), query("open-water", {})])
    .then(([grid, water]) => (known = { of, earth: new Earth(grid, water.rings) }))
    // miles are those of the page until the next drag asks again
    .catch(() => undefined)
    .finally(() => (asking = ""));
}
