import assert from "node:assert/strict";
import { test } from "node:test";
import { Grid } from "../src/hex/grid";

const OFFSETS = ["odd-r", "even-r", "odd-q", "even-q"] as const;
const of = (offset: (typeof OFFSETS)[number]): Grid =>
  new Grid({ offset, columns: 7, rows: 6, size: 20, left: 5, top: 9, width: 200, height: 200 });
const names = Array.from({ length: 42 }, (_, n) => `${(n % 7) + 1}-${Math.floor(n / 7) + 1}`);

test("a hexagon is found at its centre, whatever the grid", () => {
  for (const grid of OFFSETS.map(of)) for (const name of names) assert.equal(grid.hexAt(grid.centre(name)), name);
});

test("an edge is found at its middle, from both hexagons, and its ends are corners of both", () => {
  for (const grid of OFFSETS.map(of))
    for (const name of names)
      for (let side = 0; side < 6; side += 1) {
        const other = grid.neighbour(name, side);
        const edge = grid.edge(name, side);
        if (!other || !edge) continue;
        assert.equal(grid.edge(other, side + 3), edge);
        const [[x1, y1], [x2, y2]] = grid.ends(edge)!;
        const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
        const [cx, cy] = grid.centre(name);
        assert.equal(grid.edgeAt([cx + 0.9 * (mx - cx), cy + 0.9 * (my - cy)]), edge);
        const [ox, oy] = grid.centre(other);
        assert.ok(Math.hypot((cx + ox) / 2 - mx, (cy + oy) / 2 - my) < 1e-9);
      }
});

test("a brush has all hexagons so many steps away", () => {
  const grid = of("odd-q");
  assert.deepEqual([0, 1, 2].map((far) => grid.around("4-3", far).length), [1, 7, 19]);
  assert.equal(grid.around("1-1", 1).length, new Set(grid.around("1-1", 1)).size);
});
