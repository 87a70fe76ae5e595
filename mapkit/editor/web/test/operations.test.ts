import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped } from "../src/panels/operationGroups";

const cell = (label: string) => ({ op: "set-destination", reason: "The region chart of United States", label });
const all = [
  { op: "edit-place", reason: "milepost Billings moved 14.5 miles", label: "billings, -108, 45" },
  cell("odd 2: Plains"),
  cell("even 2: Northeast"),
  { op: "set-payoff", reason: "The payoff chart of United States", label: "Albany, Atlanta: 12.5" },
];

test("operations with one reason say it once, and a single one that says all is not said twice", () => {
  assert.deepEqual(grouped(all), [
    { op: "edit-place", reason: "milepost Billings moved 14.5 miles", labels: [] },
    { op: "set-destination", reason: "The region chart of United States", labels: ["odd 2: Plains", "even 2: Northeast"] },
    { op: "set-payoff", reason: "The payoff chart of United States", labels: ["Albany, Atlanta: 12.5"] },
  ]);
});

test("operations are found by words of their kind, reason and label, in any order", () => {
  assert.deepEqual(grouped(all, "plains ODD").map((group) => group.labels), [["odd 2: Plains"]]);
  assert.deepEqual(grouped(all, "elsewhere"), []);
});
