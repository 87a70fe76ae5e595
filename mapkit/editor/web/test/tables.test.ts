import assert from "node:assert/strict";
import { test } from "node:test";
import { cardsIn } from "../src/cards/store";
import type { Pictured } from "../src/cards/wire";
import { asTitle } from "../src/names";
import { track } from "../src/ui/Table";

test("columns that share the width never get too narrow to read; fixed ones stay as they are", () => {
  assert.equal(track(), "minmax(4.6rem, 1fr)");
  assert.equal(track("3fr"), "minmax(9.2rem, 3fr)");
  assert.equal(track("0.5fr"), "minmax(4.6rem, 0.5fr)");
  assert.equal(track("66px"), "66px");
});

test("fields are titles", () => {
  assert.equal(asTitle("cubes_by_players"), "Cubes by players");
  assert.equal(asTitle(""), "");
});

test("a card of two faces is one card, as often as it is in the box", () => {
  const face = (id: string, count: number, ...rows: (readonly [string, string])[]): Pictured => ({ id, sort: "railroad", title: id, rows, count, svg: "", wide: false });
  const faces = [
    face("b-2", 3, ["railroads", "b"], ["faces", "b-2"]),
    face("b-3", 3, ["railroads", "b"], ["faces", "b-3"]),
    face("a", 2, ["railroads", "a"], ["faces", "a-1"]),
    face("rice", 1, ["holdings", "rice"]),
    face("overview", 2),
  ];
  assert.equal(cardsIn(faces), 3 + 2 + 1 + 2);
  assert.equal(cardsIn([]), 0);
});
