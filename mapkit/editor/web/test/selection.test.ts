import assert from "node:assert/strict";
import { test } from "node:test";
import { select, selectedMileposts, selection } from "../src/selection";

const [a, b] = [{ kind: "milepost", id: "a" } as const, { kind: "segment", id: "a" } as const];

test("things are selected alone, added once, and toggled", () => {
  select([a]);
  select([b], "add");
  select([b], "add");
  assert.deepEqual(selection.value, [a, b]);
  assert.deepEqual(selectedMileposts.value, ["a"]);
  select([a], "toggle");
  assert.deepEqual(selection.value, [b]);
  select([a]);
  assert.deepEqual(selection.value, [a]);
});
