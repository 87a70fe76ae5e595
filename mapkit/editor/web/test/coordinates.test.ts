import assert from "node:assert/strict";
import { test } from "node:test";
import { readCoordinates, readDegrees, sayDegrees } from "../src/draw/coordinates";

const SEATTLE = { lat: 47.6, lon: -122.33 };
const ROUGH = { lat: 47.6, lon: -122.33333 };

for (const [text, wanted] of [
  ["47.6, -122.33", SEATTLE],
  ["47.6,-122.33", SEATTLE],
  ["47.6 -122.33", SEATTLE],
  ["47.6; −122.33", SEATTLE],
  ["(47.6, -122.33)", SEATTLE],
  ["geo:47.6,-122.33", SEATTLE],
  ["47,6 -122,33", SEATTLE],
  ["47,6, -122,33", SEATTLE],
  ["47,6; -122,33", SEATTLE],
  ["47,6,-122,33", SEATTLE],
  ["lat: 47.6 lon: -122.33", SEATTLE],
  ["Latitude 47.6, longitude -122.33", SEATTLE],
  ["47.6° N, 122.33° W", SEATTLE],
  ["47.6N 122.33W", SEATTLE],
  ["122.33 W, 47.6 N", SEATTLE],
  ["N47.6 W122.33", SEATTLE],
  ["W 122.33 N 47.6", SEATTLE],
  ["47.6 north 122.33 west", SEATTLE],
  ["47°36'N 122°20'W", ROUGH],
  ["47° 36′ 0″ N, 122° 20′ 0″ W", ROUGH],
  ["47º36’00”n 122º20’00”w", ROUGH],
  ["N 47° 36.0' W 122° 20.0'", ROUGH],
  ["47°36', -122°20'", ROUGH],
  ["47 36 0 -122 20 0", ROUGH],
  ["47 36 N 122 20 W", ROUGH],
  ["47d36'N 122d20'W", ROUGH],
  ["47°36'30,5\"N 122°20'15\"W", { lat: 47.60847, lon: -122.3375 }],
  ["-33.9 151.2", { lat: -33.9, lon: 151.2 }],
  ["0 0", { lat: 0, lon: 0 }],
  ["90 -180", { lat: 90, lon: -180 }],
] as const)
  test(`coordinates are read: ${text}`, () => assert.deepEqual(readCoordinates(text), wanted));

for (const [text, why] of [
  ["47.6", /two figures/],
  ["47.6 N", /two figures/],
  ["47.6, -122.33, 12", /two figures/],
  ["47°36'", /two figures/],
  ["-122.33, 47.6", /Latitude -122.33 is beyond the poles; it comes first/],
  ["47.6, -190", /Longitude -190 is beyond 180/],
  ["47.6 N 122.33 S", /Both figures are north or south/],
  ["-47.6 N 122.33 W", /a sign and a letter/],
  ["47°75'N 122°20'W", /60 minutes/],
  ["47.5°36'N 122°20'W", /fraction before its last/],
  ["47..6, 122", /no angle/],
] as const)
  test(`coordinates are refused: ${text}`, () => {
    const found = readCoordinates(text);
    assert.ok(found && "problem" in found);
    assert.match(found.problem, why);
  });

test("names are no coordinates, even with digits and letters of the compass", () => {
  for (const name of ["Seattle", "Boston MA", "Milepost 1", "NEWS", "", "Ñ 1", "Neuss", "@-72.1,43.2", "100 Mile House"]) assert.equal(readCoordinates(name), null, name);
});

test("what was read is said again, and read the same", () => {
  assert.equal(sayDegrees(SEATTLE), "47.6° N, 122.33° W");
  for (let i = 0; i < 500; i += 1) {
    const place = { lat: Number((((i * 7919) % 18001) / 100 - 90).toFixed(2)) || 0, lon: Number((((i * 104729) % 36001) / 100 - 180).toFixed(2)) || 0 };
    assert.deepEqual(readCoordinates(sayDegrees(place)), place);
    assert.deepEqual(readCoordinates(`${place.lat}, ${place.lon}`), place);
    assert.deepEqual(readCoordinates(`${place.lat} ${place.lon}`.replaceAll(".", ",")), place);
  }
});

test("one figure is read as latitude or longitude, or refused with what to type", () => {
  assert.equal(readDegrees("47,6", "lat"), 47.6);
  assert.equal(readDegrees("122°20'W", "lon"), -122.33333);
  assert.equal(readDegrees("87.63 w", "lon"), -87.63);
  assert.equal(readDegrees("12 E", "lat"), "12 E is no latitude.");
  assert.equal(readDegrees("91", "lat"), "91 is no latitude; type degrees from -90 to 90.");
  assert.match(String(readDegrees("here", "lon")), /type a longitude/);
});
