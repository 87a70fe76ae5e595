import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { along, deleteDoomed, listed, milepostCommands, milepostNames, sectionCommands, sectionName, segmentsOf, warning } from "../src/draw/deleting";
import { sectionOf } from "../src/draw/edited";
import { followed, nowCalled } from "../src/draw/following";
import { selectCities, selectPlace, selectTrack } from "../src/draw/made";
import { itemInSight } from "../src/draw/sight";
import { hovered, select, selection } from "../src/selection";
import { batch } from "@preact/signals";
import { mileposts, segments } from "../src/store";
import type { Milepost, Segment } from "../src/wire";
import { showBoard } from "./board";
import { board } from "./canvas";

before(showBoard);
afterEach(showBoard);

const change = (id: string, values: Partial<Milepost>): void => void (mileposts.value = { ...mileposts.value, [id]: { ...mileposts.value[id]!, ...values } });
const segment = (railroad: string, a: string, b: string, path: Segment["path"]): Segment => ({ railroad, a, b, path, miles: 1, junctions: [] }) as unknown as Segment;

test("one thing in sight goes without a word; more, unseen, or with payoffs is named first", () => {
  assert.equal(warning({ names: ["Troy"], count: 1, seen: true }, ""), "");
  assert.equal(warning({ names: ["Denver"], count: 1, seen: true }, "66 payoffs"), "Denver, with 66 payoffs.\nUndo brings all of it back.");
  assert.equal(warning({ names: ["Troy"], count: 1, seen: false }, ""), "Troy.\nIt is not in sight now.\nUndo brings all of it back.");
  assert.equal(
    warning({ names: ["track of PA from Albany to Boston"], count: 3, seen: false }, ""),
    "Track of PA from Albany to Boston.\nNot all of it is in sight now.\nUndo brings all of it back.",
  );
  const many = warning({ names: Array.from({ length: 11 }, (_, i) => `M${i}`), count: 11, seen: true }, "");
  assert.equal(many, "M0, M1, M2, M3, M4, M5, M6, M7 and 3 more.\nUndo brings all of it back.");
});

test("what goes along is counted in words", () => {
  assert.equal(along({ payoffs: 66, destinations: 2, lines: 4, cities: 1 }), "66 payoffs and 2 cells of the destination charts");
  assert.equal(along({ payoffs: 1, wanted: 1, accepted: 2 }), "1 payoff, 1 wish for the charts and 2 accepted findings");
  assert.equal(along({ cities: 1, lines: 2 }), "");
  assert.equal(listed(["a"]), "a");
});

test("a milepost without a city leaves the track its shape, one with cities takes all of them", () => {
  assert.deepEqual(milepostCommands("troy"), [{ kind: "delete-place", place: "Troy", track: "join" }]);
  change("troy", { cities: ["troy", "cohoes"] });
  assert.deepEqual(milepostCommands("troy"), [{ kind: "delete-city", id: "troy" }, { kind: "delete-city", id: "cohoes" }]);
  assert.deepEqual(milepostNames("troy"), ["troy", "cohoes"]);
});

test("sections are named by railroad and ends, and deleted from the end of a line", () => {
  const whole = sectionOf("pa/1", 0, 2)!;
  const first = sectionOf("pa/1", 0, 1)!;
  const last = sectionOf("pa/1", 1, 2)!;
  assert.equal(sectionName(whole), "track of PA from Albany to Boston");
  assert.equal(sectionName(first), "track of PA from Albany to a bend");
  assert.equal(segmentsOf(whole), 1);
  assert.deepEqual(sectionCommands([whole]), [{ kind: "delete-line", lines: ["pa/1"] }]);
  assert.deepEqual(sectionCommands([first, last]).map((one) => ("start" in one ? one.start : null)), [2, 1]);
});

test("nothing is sent while the author has not said yes", async () => {
  const sent = await Promise.race([
    deleteDoomed("x", { names: ["Troy"], count: 1, commands: milepostCommands("troy"), items: [], seen: false }),
    new Promise((settle) => setTimeout(() => settle("asked"), 20)),
  ]);
  assert.equal(sent, "asked");
});

test("what lies outside the window or under something else is not in sight", () => {
  const canvas = { getBoundingClientRect: () => ({ left: 0, top: 0, right: 80, bottom: 60 }), contains: () => false };
  let top: unknown = canvas;
  Object.assign(document, { getElementById: () => canvas, elementFromPoint: () => top });
  board.toScreen = ([x, y]) => ({ x, y });
  const spot = (id: string): boolean => itemInSight({ kind: "milepost", id });
  assert.deepEqual([spot("albany"), spot("boston"), spot("utica"), spot("gone")], [true, false, true, false]);
  segments.value = { "s:1": segment("pa", "albany", "boston", [[-50, 20], [300, 20]]), "s:2": segment("pa", "albany", "york", [[-50, 90], [300, 90]]) };
  assert.equal(itemInSight({ kind: "segment", id: "s:1" }), true);
  assert.equal(itemInSight({ kind: "segment", id: "s:2" }), false);
  top = { contains: () => false }; // a card over the board
  assert.equal(spot("albany"), false);
});

test("what a step made is selected: a milepost, cities, track between two mileposts", () => {
  selectPlace("Boston");
  assert.deepEqual(selection.value, [{ kind: "milepost", id: "boston" }]);
  selectPlace("Nowhere");
  assert.deepEqual(selection.value, [{ kind: "milepost", id: "boston" }]);
  change("york", { cities: ["york", "jork"] });
  selectCities(["york", "jork"]);
  assert.deepEqual(selection.value, [{ kind: "milepost", id: "york" }]);
  segments.value = { ab: segment("pa", "boston", "albany", []), other: segment("bo", "albany", "boston", []), tu: segment("bo", "troy", "utica", []) };
  selectTrack(["pa"], ["Albany", "@30,0", "Boston"]);
  assert.deepEqual(selection.value, [{ kind: "segment", id: "ab" }]);
  selectTrack(["bo"], ["Troy", "Utica"]);
  assert.deepEqual(selection.value, [{ kind: "segment", id: "tu" }]);
});

test("the selection follows a milepost to its new id, and forgets what is gone", () => {
  change("troy", { cities: ["troy"] });
  change("utica", { cities: ["utica"] });
  segments.value = { tu: segment("bo", "troy", "utica", []), ab: segment("pa", "albany", "boston", []) };
  select([{ kind: "milepost", id: "troy" }, { kind: "milepost", id: "utica" }, { kind: "milepost", id: "boston" }, { kind: "segment", id: "ab" }]);
  hovered.value = { kind: "milepost", id: "utica" };
  // twins: Utica joins Troy's milepost, which gets another id; Boston is gone, and its track
  const { troy, utica, boston, ...rest } = mileposts.value;
  assert.ok(troy && utica && boston);
  batch(() => {
    mileposts.value = { ...rest, "troy-utica": { ...troy, cities: ["troy", "utica"] } };
    segments.value = {};
  });
  assert.deepEqual(selection.value, [{ kind: "milepost", id: "troy-utica" }]);
  assert.equal(hovered.value, null);
  // and apart again: both are selected
  mileposts.value = { ...rest, troy: { ...troy, cities: ["troy"] }, utica: { ...utica, cities: ["utica"] } };
  assert.deepEqual(selection.value, [{ kind: "milepost", id: "troy" }, { kind: "milepost", id: "utica" }]);
});

test("a renamed milepost is the new one where it stood, and its track is known by both ends", () => {
  const was = mileposts.value;
  const { albany, ...rest } = was;
  const now = { ...rest, "albany-ny": { ...albany!, name: "Albany NY" } };
  assert.deepEqual(nowCalled("albany", was, now), ["albany-ny"]);
  assert.deepEqual(nowCalled("nowhere", was, now), []);
  const [before, after] = [{ mileposts: was, segments: { ab: segment("pa", "albany", "boston", []) } }, { mileposts: now, segments: { "ab-2": segment("pa", "albany-ny", "boston", []) } }];
  assert.deepEqual(followed({ kind: "segment", id: "ab" }, before, after), [{ kind: "segment", id: "ab-2" }]);
  assert.deepEqual(followed({ kind: "segment", id: "ab" }, before, { ...after, segments: {} }), []);
});
