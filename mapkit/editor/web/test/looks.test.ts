import assert from "node:assert/strict";
import { test } from "node:test";
import { grownBox, readied, standsAt } from "../src/board/drawn/paper";
import { growth, sizes, USUAL } from "../src/board/looks";

const look = { ...USUAL, atPrintSize: false };

test("symbols have a size for the screen at every zoom, and their own at print size", () => {
  for (let resolution = 0.01; resolution <= 4; resolution *= 1.2) {
    const { square, dot, line } = sizes(resolution, look);
    assert.ok(2 * square >= 8 && 2 * square <= 20);
    assert.ok(line < 2 * dot && dot < square);
    assert.ok(Math.abs((growth(resolution, look).square * USUAL.square) / resolution - 2 * square) < 1e-9);
  }
  assert.equal(sizes(0.1, { ...USUAL, atPrintSize: true }).line, 13);
  assert.deepEqual(growth(0.1, { ...USUAL, atPrintSize: true }), { line: 1, dot: 1, square: 1 });
});

test("twins grow about their milepost, dots about themselves, lines by their strokes; the ground does not grow", () => {
  const square = (left: number): string => `M${left},8 L${left + 4},8 ${left + 4},12 ${left},12Z`;
  const layer = { paints: [{ fill: "#000000" }, { stroke: "#000000", width: 2, join: "round" as const }], shapes: [{ paint: 0, d: square(5.8) }, { paint: 0, d: square(10.2) }, { paint: 0, d: "M30,20 a1,1 0 1 0 2,0 a1,1 0 1 0 -2,0Z" }] };
  const [left, right, dot] = readied(layer, "symbols", [[10, 10]]);
  assert.ok(left && right && dot);
  assert.deepEqual(grownBox(left, 2).map((side) => Math.round(side * 10) / 10), [1.6, 6, 9.6, 14]);
  assert.deepEqual(grownBox(right, 2).map((side) => Math.round(side * 10) / 10), [10.4, 6, 18.4, 14]);
  assert.deepEqual(grownBox(dot, 0.5), [30.5, 19.5, 31.5, 20.5]);
  assert.deepEqual([left, right, dot].map((one) => standsAt(one, [[10, 10]])), [true, true, false]);
  const line = { paints: layer.paints, shapes: [{ paint: 1, d: "M0,0 L10,0" }] };
  assert.deepEqual(grownBox(readied(line, "lines")[0]!, 3), [-3, -3, 13, 3]);
  assert.deepEqual(grownBox(readied(line)[0]!, 3), [-1, -1, 11, 1]);
});
