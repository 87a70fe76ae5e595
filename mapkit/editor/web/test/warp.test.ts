import assert from "node:assert/strict";
import { test } from "node:test";
import { Warp } from "../src/board/warp";
import type { SolvedStep } from "../src/generated";

/** A step of 8 by 6 cells over 80 by 60 mm with one knot moved. */
function bump(row: number, column: number, move: readonly [number, number]): SolvedStep {
  const knots = Array.from({ length: 7 }, (_, r) => Array.from({ length: 9 }, (_, c): readonly [number, number] => (r === row && c === column ? move : [0, 0])));
  return { frame: [10, 20, 90, 80], knots };
}

test("without steps every place stays", () => {
  assert.deepEqual(new Warp().to([3, 4]), [3, 4]);
  assert.deepEqual(new Warp().from([3, 4]), [3, 4]);
});

test("a place on a moved knot goes by the middle of the spline, and others no further than three cells stay", () => {
  const warp = new Warp([bump(3, 4, [4.5, -2.25])]);
  const [x, y] = warp.to([50, 50]);
  assert.ok(Math.abs(x - 52) < 1e-9 && Math.abs(y - 49) < 1e-9);
  assert.deepEqual(warp.to([20, 50]), [20, 50]);
});

test("nothing crosses the frame", () => {
  const warp = new Warp([bump(3, 1, [-4, 0])]);
  assert.equal(warp.to([10, 50])[0], 10);
});

test("what is moved comes back from where it is shown", () => {
  const warp = new Warp([bump(3, 4, [4, -2]), bump(2, 3, [-3, 3])]);
  for (const [x, y] of [[50, 50], [47.3, 51.9], [33, 44], [0, 0], [89.9, 79]] as const) {
    const [u, v] = warp.from(warp.to([x, y]));
    assert.ok(Math.hypot(u - x, v - y) < 1e-5, `${x}, ${y}`);
  }
});
