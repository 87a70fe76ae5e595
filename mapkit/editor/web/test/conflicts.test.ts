import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, valueText } from "../src/conflicts";

test("a conflict names its row and only the fields that differ, without JSON", () => {
  const mine = { rank: 3, name: "Pennsylvania", price: 30000, colour: "#112233", public: false };
  const theirs = { ...mine, rank: 4, price: 24500, public: true };
  assert.deepEqual(inWords({ table: "railroads", key: "pa", mine, theirs }), {
    title: "Railroad Pennsylvania",
    fields: [
      { field: "Price", mine: "30,000", theirs: "24,500" },
      { field: "Public", mine: "no", theirs: "yes" },
    ],
  });
});

test("a row that one has deleted differs as a whole", () => {
  assert.deepEqual(inWords({ table: "payoffs", key: "a|b", mine: null, theirs: { rank: 1, thousands: 4.5 } }), {
    title: "Payoff a – b",
    fields: [{ field: "The row", mine: "deleted", theirs: "kept, with changes" }],
  });
});

test("a setting is called by its name, and rows in another order differ too", () => {
  const [mine, theirs] = [{ rank: 1, value: "Mine" }, { rank: 1, value: ["a", "b"] }];
  assert.deepEqual(inWords({ table: "settings", key: "page_size", mine, theirs }), {
    title: "Setting Page size",
    fields: [{ field: "Value", mine: "Mine", theirs: "a, b" }],
  });
  assert.equal(inWords({ table: "cities", key: "x", mine: { rank: 1 }, theirs: { rank: 2 } }).fields[0]?.field, "Place in the file");
});

test("values are written as people write them", () => {
  assert.equal(valueText(null), "nothing");
  assert.equal(valueText({ page_width: 12, on: true }), "page width 12, on yes");
});
