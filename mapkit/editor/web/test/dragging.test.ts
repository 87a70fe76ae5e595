import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { dragged, draggedText } from "../src/board/dragged";
import { bentBetween, Dragging, letGo, pulled, shifted } from "../src/draw/dragging";
import { Earth } from "../src/draw/earth";
import { batch } from "@preact/signals";
import { page, segments } from "../src/store";
import type { Point, Segment } from "../src/wire";
import { showBoard } from "./board";

// a page of 120 by 80 millimetres, two to a degree, its middle on the equator; a sea in its corner
const GRID = { cell: [20, 20] as Point, columns: 6, points: [...Array(35).keys()].map((k): Point => [(k % 7) * 10, 20 - Math.floor(k / 7) * 10]) };
const SEA: Point[] = [[80, 20], [120, 20], [120, 60], [80, 60]];
const ISLAND: Point[] = [[90, 30], [100, 30], [100, 40], [90, 40]];
const MILE = 3958.76 * (Math.PI / 180);

const segment = (railroad: string, a: string, b: string, miles: number, path: Point[]): Segment => ({ railroad, a, b, miles, path });

beforeEach(() => {
  showBoard();
  segments.value = {
    one: segment("pa", "albany", "boston", 200, [[0, 0], [30, 0], [100, 0]]),
    two: segment("bo", "albany", "boston", 200, [[0, 0], [30, 0], [100, 0]]),
    three: segment("bo", "troy", "utica", 50, [[70, -50], [70, 50]]),
  };
  letGo();
});

test("miles on the globe from a grid of degrees", () => {
  const earth = new Earth(GRID);
  assert.ok(Math.abs(earth.miles([0, 40], [20, 40])! - 10 * MILE) < 1e-6);
  // along a meridian, from within a cell to within another
  assert.ok(Math.abs(earth.miles([60, 8], [60, 74])! - 33 * MILE) < 0.003 * 33 * MILE);
  assert.equal(earth.along([[0, 40], [20, 40], [40, 40]])!.toFixed(3), (20 * MILE).toFixed(3));
  assert.equal(new Earth({ ...GRID, points: GRID.points.map(() => null) }).miles([0, 0], [1, 1]), null);
});

test("water is what lies in an odd number of rings", () => {
  const earth = new Earth(GRID, [SEA, ISLAND]);
  assert.deepEqual([[84, 24], [94, 34], [60, 34], [110, 50]].map((at) => earth.wet(at as unknown as Point)), [true, false, false, true]);
});

test("a milepost that is dragged has its neighbours, with the miles as they become", () => {
  const drag = Dragging.ofMileposts(["boston"]);
  const to = (id: string): Point | null => (id === "boston" ? [65, 0] : null);
  drag.show(to, (one) => pulled(one, to), ["Off its line, which bends to it."]);
  const now = dragged.value!;
  assert.equal(now.title, "Boston");
  assert.deepEqual(now.neighbours.map(({ name, railroads, miles, was }) => [name, railroads.map(({ short }) => short), miles, was]), [["Albany", ["PA", "B&O"], 130, 200]]);
  assert.equal(draggedText(), "Off its line, which bends to it. 130 miles to Albany on PA and B&O, was 200.");
  letGo();
  assert.equal(draggedText(), "");
});

test("mileposts that move together keep what lies between them", () => {
  const drag = Dragging.ofMileposts(["troy", "utica", "boston"]);
  drag.show(() => null, (one) => one.path);
  assert.equal(dragged.value!.title, "3 mileposts");
  assert.deepEqual(dragged.value!.neighbours.map(({ name }) => name), ["Albany"]);
});

test("a bend changes the segments that run over it, on every railroad", () => {
  const to: Point = [30, 40];
  const onto = (one: Segment): Point[] | null => shifted(one.path, [30, 0], to);
  Dragging.ofBend(onto).show(() => null, (one) => onto(one)!);
  const [only, ...others] = dragged.value!.neighbours;
  assert.equal(others.length, 0);
  assert.deepEqual([only!.name, only!.railroads.length], ["Albany – Boston", 2]);
  assert.ok(Math.abs(only!.miles - 2 * (50 + Math.hypot(70, 40))) < 1e-9);
});

test("a new bend stands between the places where the line is taken hold of, in either direction", () => {
  const path: Point[] = [[0, 0], [30, 0], [100, 0]];
  assert.deepEqual(bentBetween(path, [100, 0], [30, 0], [50, 9]), [[0, 0], [30, 0], [50, 9], [100, 0]]);
  assert.equal(bentBetween(path, [0, 0], [100, 0], [50, 9]), null);
});

test("the limits of the checks are said: too near, too long, in the water", async () => {
  const answers: Record<string, object> = {
    "spacing-limits": { near: 60, usual: { least: 100, middle: 200, most: 250 } },
    "page-grid": GRID,
    "open-water": { rings: [SEA] },
  };
  globalThis.fetch = (asked) => Promise.resolve(new Response(JSON.stringify({ ...answers[(asked as string).split("/").at(-1)!], revision: 7 })));
  batch(() => (page.value = { ...page.value, width: 120, height: 80, projection: { ...page.value.projection, scale_mm_per_m: 2 / (1609.344 * MILE) } }));
  const drag = Dragging.ofMileposts(["boston"]);
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  const at = (x: number, y: number): readonly string[] => {
    const to = (id: string): Point | null => (id === "boston" ? [x, y] : null);
    drag.show(to, (one) => pulled(one, to));
    return dragged.value!.notes;
  };
  assert.deepEqual(at(100, 0), []);
  assert.deepEqual(at(100, 35), ["In the water."]);
  assert.match(at(100, 79).join(), /^Albany: 2\d\d miles are too long; 200 are usual\.$/);
  assert.match(at(30.5, 0).join(), /^Albany: 6\d miles are too short; 200 are usual\.$/);
  assert.match(at(1, 0).join(), /^Only 3\d miles from Albany: too close together\.$/);
});
