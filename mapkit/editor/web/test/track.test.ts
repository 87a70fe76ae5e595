import assert from "node:assert/strict";
import { before, test } from "node:test";
import { armsOf, coordinateName, freeNames, kindFor, simplified, snap, way } from "../src/draw/track";
import { showBoard } from "./board";
import { board } from "./canvas";

before(showBoard);

const caught = (x: number, y: number, options = {}) => {
  const { kind, at, place } = snap(x, y, board, options);
  return [kind, at, place];
};

test("a place of a line is caught before the line, the nearest first", () => {
  assert.deepEqual(caught(3, 4), ["milepost", [0, 0], "Albany"]);
  assert.deepEqual(caught(32, 1), ["bend", [30, 0], "@30,0"]);
  assert.deepEqual(caught(303, 2), ["milepost", [300, 0], "York"]);
});

test("lines are caught where no place is, and where two cross the crossing", () => {
  assert.deepEqual(caught(50, 6), ["line", [50, 0], null]);
  assert.deepEqual(caught(72, 3), ["crossing", [70, 0], null]);
  assert.deepEqual(snap(72, 3, board).on.map((one) => one.railroad).sort(), ["bo", "pa"]);
  assert.deepEqual(caught(202, 2), ["junction", [200, 0], null]);
});

test("nothing is caught out of reach, with Alt, or of what is left out", () => {
  assert.deepEqual(caught(50, 11), ["free", [50, 11], null]);
  assert.deepEqual(caught(3, 4, { off: true }), ["free", [3, 4], null]);
  assert.deepEqual(caught(3, 4, { but: new Set(["Albany"]) }), ["free", [3, 4], null]);
});

test("the way along lines goes from place to place, and there is none between lines that do not meet", () => {
  assert.deepEqual(way("Albany", "Boston"), ["Albany", "@30,0", "Boston"]);
  assert.deepEqual(way("Albany", "Albany"), ["Albany"]);
  assert.equal(way("Albany", "Troy"), null);
  assert.equal(way("Albany", "Boston", new Set(["Boston"])), null);
});

test("a place is to a railroad what it is already, else what it is to the others", () => {
  assert.equal(kindFor("@30,0", "pa"), "via");
  assert.equal(kindFor("Albany", "bo"), "milepost");
  assert.equal(kindFor("nowhere", "bo"), "milepost");
  assert.deepEqual([armsOf("@30,0", "pa"), armsOf("Albany", "pa"), armsOf("Albany", "bo")], [2, 1, 0]);
});

test("a line loses the points that hardly bend it, never its ends", () => {
  assert.deepEqual(simplified([[0, 0], [5, 0.1], [10, 0], [10, 9], [10, 10]], 0.3), [[0, 0], [10, 0], [10, 10]]);
  assert.deepEqual(simplified([[0, 0], [0, 0]], 0.3), [[0, 0], [0, 0]]);
});

test("names that nobody has", () => {
  assert.equal(freeNames().next().value, "Milepost 1");
  assert.equal(coordinateName([-0.000001, 4.5]), "@0.00000,4.50000");
});
