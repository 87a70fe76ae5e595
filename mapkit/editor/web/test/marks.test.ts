import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKS, marks } from "../src/compare/marks";
import type { ShownStep } from "../src/generated";
import type { DrawnBoard, Point } from "../src/wire";

const drawn = (posts: Record<string, Point>, lines: Record<string, Point[]>): DrawnBoard => ({
  title: "", variants: [], width: 100, height: 100, railroads: {}, regions: {}, figures: { mileposts: 0, segments: 0, railroads: 0, cities: 0 },
  mileposts: Object.entries(posts).map(([id, [x, y]]) => [id, x, y, null, null]),
  segments: Object.entries(lines).map(([id, path]) => [id, "pa", path]),
});
const step = (elements: string[], box: ShownStep["box"] = null): ShownStep => ({ kind: "track" as ShownStep["kind"], text: "", elements, box });

const BEFORE = drawn({ a: [0, 0], b: [9, 9] }, { one: [[0, 0], [9, 9]], two: [[0, 0], [5, 0]] });
const AFTER = drawn({ a: [1, 0], c: [7, 7] }, { one: [[1, 0], [9, 9]], three: [[1, 0], [7, 7]] });

test("what is new, gone and changed is marked where it lies, what is gone where it lay", () => {
  const found = marks([step(["segment:one", "segment:two", "segment:three"]), step(["milepost:a", "milepost:b", "milepost:c", "segment:one"])], BEFORE, AFTER);
  const line = (kind: keyof typeof MARKS, path: Point[]) => ({ kind: "line", path, colour: MARKS[kind].colour, width: 5, dashed: kind === "gone" });
  const ring = (kind: keyof typeof MARKS, at: Point) => ({ kind: "ring", at, colour: MARKS[kind].colour });
  assert.deepEqual(found, [
    line("changed", [[1, 0], [9, 9]]),
    line("gone", [[0, 0], [5, 0]]),
    line("new", [[1, 0], [7, 7]]),
    ring("changed", [1, 0]),
    ring("gone", [9, 9]),
    ring("new", [7, 7]),
  ]);
});

test("what has no place of its own is marked in the middle of its box", () => {
  const found = marks([step(["city:x"], { left: 10, top: 20, right: 30, bottom: 60 }), step(["rules"])], BEFORE, AFTER);
  assert.deepEqual(found, [{ kind: "ring", at: [20, 40], colour: MARKS.changed.colour }]);
});
