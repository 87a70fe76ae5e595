import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { momentOf, versionName } from "../src/compare/versions";
import { cities, findings, hear, history, mileposts, onView, rows, table, title, toRedo, toUndo } from "../src/store";
import { TABLES, type Finding, type FromServer, type Milepost, type Tables } from "../src/wire";

const post = (x: number): Milepost => ({ name: "Albany", kind: "city", x, y: 2, lon: -73, lat: 42, cities: ["albany"], region: null });
const finding = (code: string): Finding => ({
  code, name: "", severity: "note", elements: [], place: {}, message: "", accepted: null, data: {}, id: code, x: null, y: null, at: [], table: null, key: null, follows: null,
});
const steps = (position: number) =>
  [0, 1, 2].map((n) => ({ n, parent: n ? n - 1 : null, label: `Step ${n}`, client: "", done: n <= position, checkpoints: n === 1 ? ["first"] : [], branches: [] }));
const empty = Object.fromEntries(TABLES.map((name) => [name, {}])) as unknown as Tables;
const hello: FromServer = {
  type: "hello", revision: 0, position: 1, board: "mymap", title: "My map", client: "aaaa", kind: "rail", unsaved: false,
  tables: {
    ...empty,
    settings: { title: { rank: 0, value: "My map" } },
    cities: {
      boston: { rank: 2, name: "Boston", region: "east", lon: -71, lat: 42, milepost: "", weight: null, mark: null },
      albany: { rank: 1, name: "Albany", region: "east", lon: -73, lat: 42, milepost: "", weight: null, mark: null },
    },
  },
  view: {
    mileposts: { albany: post(1) }, segments: {}, junctions: {}, lines: {},
    page: { width: 100, height: 50, frame: [0, 0, 100, 50], projection: { name: "", crs: "", scale_mm_per_m: 1, offset_x_mm: 0, offset_y_mm: 0 } },
  },
  history: { position: 1, saved: 0, steps: steps(1), other: [] },
  findings: [finding("N01")], notices: [], writable: true, disk: null, limits: { step: 1, request: 1, files: {} },
};

beforeEach(() => hear(hello));

test("a hello is the whole board", () => {
  assert.equal(title.value, "My map");
  assert.deepEqual(rows("cities").map((row) => row.key), ["albany", "boston"]);
  assert.equal(toUndo.value, "Step 1");
  assert.equal(toRedo.value, "Step 2");
  hear({ ...hello, tables: empty });
  assert.deepEqual(table("cities").value, {});
});

test("a change alters the rows and shapes that it names, and nothing else", () => {
  const boston = cities.value["boston"];
  const heard: unknown[] = [];
  const stop = onView((delta) => heard.push(delta));
  const view = { mileposts: { albany: null, troy: post(7) }, segments: {}, junctions: {}, lines: {} };
  hear({
    type: "changed", revision: 1, position: 2, client: "bbbb", id: null, label: "", unsaved: true, view, history: history.value,
    changes: [
      { table: "cities", key: "albany", after: null },
      { table: "accepted", key: "N01", after: { rank: 0, reason: "so it is" } },
    ],
  });
  stop();
  assert.deepEqual(Object.keys(cities.value), ["boston"]);
  assert.equal(cities.value["boston"], boston);
  assert.equal(table("accepted").value["N01"]?.reason, "so it is");
  assert.deepEqual(Object.keys(mileposts.value), ["troy"]);
  assert.deepEqual(heard, [view]);
});

test("findings of the drawing stay until the drawing is checked again", () => {
  hear({ type: "findings", revision: 0, drawing: true, findings: [finding("N01"), finding("R02")], checks: {} });
  hear({ type: "findings", revision: 1, drawing: false, findings: [finding("N05")], checks: {} });
  assert.deepEqual(findings.value.map((one) => one.code), ["N05", "R02"]);
  hear({ type: "findings", revision: 1, drawing: true, findings: [], checks: {} });
  assert.deepEqual(findings.value, []);
});

test("versions have names that people know", () => {
  assert.equal(versionName({ at: "now", variants: ["rich-start"] }), "As it is now with rich-start");
  assert.equal(versionName({ at: 1, variants: [] }), "Checkpoint first");
  assert.equal(versionName({ at: 2, variants: [] }), "After “Step 2”");
  assert.deepEqual(["saved", "now", "12"].map(momentOf), ["saved", "now", 12]);
});
