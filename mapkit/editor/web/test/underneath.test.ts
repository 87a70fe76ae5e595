import assert from "node:assert/strict";
import { test } from "node:test";
import { LineIndex } from "../src/draw/beneathIndex";

// a line along the top, a detour below it, and one that touches neither
const index = new LineIndex([
  [[0, 0], [10, 0], [20, 0], [30, 0]],
  [[0, 0], [0, 20], [30, 20], [30, 0]],
  [[0, 60], [30, 60]],
]);

test("a place near a vertex is the vertex, near a line the nearest point of it, elsewhere nothing", () => {
  assert.deepEqual(index.near(10.4, 0.3, 2)?.at, [10, 0]);
  assert.deepEqual(index.near(15, 1, 2)?.at, [15, 0]);
  assert.equal(index.near(15, 9, 2), null);
});

test("the way along lines is the shortest, and there is none between lines that do not meet", () => {
  const [from, to, away] = [index.near(5, 0, 2), index.near(25, 0, 2), index.near(15, 60, 2)];
  assert.ok(from && to && away);
  assert.deepEqual(index.way(from, to), [[10, 0], [20, 0]]);
  assert.equal(index.way(from, away), null);
});
