import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, boxText, cornersOf, polygonText, turned, viewOf, WORLD, zoomed } from "../src/drafting/regions";

test("boxes and polygons are read as they are written", () => {
  assert.deepEqual(boxOf(boxText([-10.74, 51.3, -5.3, 55.46])), [-10.7, 51.3, -5.3, 55.5]);
  assert.equal(boxOf("1,2,3"), null);
  assert.equal(boxOf("1,5,3,4"), null);
  const corners = [
    [-9.5, 38],
    [-7, 38.25],
    [-8, 40],
  ] as const;
  assert.equal(polygonText(corners), "-9.5,38 -7,38.25 -8,40");
  assert.deepEqual(cornersOf(polygonText(corners)), corners);
  assert.deepEqual(cornersOf("  "), []);
});

for (const text of ["area.geojson", "1,2,3 4,5", "190,0 1,1 2,2", "1, 2", "1,91"]) test(`${text} is no polygon`, () => assert.equal(cornersOf(text), null));

test("a polygon goes on across longitude 180", () => {
  const ring = [
    [177, -17],
    [-179, -17],
    [-179, -19],
    [177, -19],
  ] as const;
  assert.deepEqual(
    turned(ring).map(([lon]) => lon),
    [177, 181, 181, 177],
  );
});

test("zooming keeps the place under the pointer and ends at the whole world", () => {
  const near = zoomed(WORLD, 4, [10, 50]);
  assert.equal(near.width, 90);
  assert.equal((10 - near.west) / near.width, (10 + 180) / 360);
  assert.equal((near.north - 50) / near.width, (85 - 50) / 360);
  assert.deepEqual(zoomed(near, 1 / 8, [10, 50]), WORLD);
  assert.equal(zoomed(WORLD, 1000, [179.9, -59]).width, 3);
});

test("a view of corners shows them all; of none, the world", () => {
  const view = viewOf([
    [-9, 37],
    [-6, 42],
  ]);
  assert.ok(view.west < -9 && view.west + view.width > -6 && view.north > 42 && view.north - (view.width * 145) / 360 < 37);
  assert.deepEqual(viewOf([]), WORLD);
});
