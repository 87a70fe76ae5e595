import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { OF_RAILROADS } from "../src/colours";
import { free, freeLook, markFor, priceOf, usualPrices } from "../src/draw/newRailroad";
import { mileposts } from "../src/store";
import { paintRegion } from "../src/tools/paintRegion";
import { hello, showBoard, showTables } from "./board";
import { board, sketches } from "./canvas";

beforeEach(showBoard);

const at = (x: number, y: number) => ({ x, y, item: null, shift: false, ctrl: false, alt: false, keyboard: false });

test("a new railroad gets a mark and an id that nothing has", () => {
  assert.equal(markFor("New York Central"), "NYC");
  assert.equal(markFor("Panama"), "PANAM");
  assert.equal(markFor("Port Arthur"), "PA2");
  assert.equal(free("pa", new Set(["pa", "pa-2"])), "pa-3");
});

test("a new railroad looks like no other: a free colour, and when each is taken, a pattern that is free in one", () => {
  assert.deepEqual(freeLook(), { colour: OF_RAILROADS[0], pattern: "solid" });
  const [first] = Object.values(hello.tables.railroads);
  const all = OF_RAILROADS.map((colour, n) => [`r${n}`, { ...first!, colour: n === 3 ? colour.toUpperCase() : colour }] as const);
  showTables({ railroads: Object.fromEntries(all) });
  assert.deepEqual(freeLook(), { colour: OF_RAILROADS[0], pattern: "dash" });
});

test("a price is asked for as people type it, and no price is none", () => {
  assert.equal(priceOf("12,000"), 12000);
  assert.equal(priceOf("$ 4 500"), 4500);
  assert.equal(priceOf(""), null);
  assert.equal(priceOf("cheap"), null);
  assert.equal(usualPrices(), "The others cost 10,000.");
  showTables({ railroads: { ...hello.tables.railroads, pa: { ...hello.tables.railroads["pa"]!, price: 42000 } } });
  assert.equal(usualPrices(), "The others cost 10,000 to 42,000.");
  showTables({ railroads: {} });
  assert.match(usualPrices(), /such as 12000/);
});

test("a lasso has the colour of its region at once, and so have the cities in it", () => {
  showTables({ regions: { east: { rank: 1, name: "East", short: "E", colour: "#cbdff0" } } });
  mileposts.value = { ...mileposts.value, boston: { ...mileposts.value["boston"]!, cities: ["boston"] }, york: { ...mileposts.value["york"]!, cities: ["york"] } };
  paintRegion.down?.(at(80, -20), board);
  for (const [x, y] of [[120, -20], [120, 20], [80, 20]] as const) paintRegion.move?.(at(x, y), board, true);
  const [area, ...squares] = sketches.get("region") ?? [];
  assert.deepEqual(area, { kind: "area", path: [[80, -20], [120, -20], [120, 20], [80, 20], [80, -20]], fill: "#cbdff0" });
  assert.deepEqual(squares, [{ kind: "square", at: [100, 0], colour: "#cbdff0" }]);
  paintRegion.cancel?.(board);
  assert.deepEqual(sketches.get("region"), []);
});
