import assert from "node:assert/strict";
import { test } from "node:test";
import { cityChances } from "../src/board/chances";
import { chosen, type Named } from "../src/board/drawn/names";
import { boxOf, readied } from "../src/board/drawn/paper";

const place = (text: string, x: number, y: number, city = true, lines = 2, chance = 0): Named => ({ text, x, y, city, lines, chance });
const how = { square: 4.5, dot: 1.7, page: [1000, 700] as const, wide: (text: string, _: boolean, size: number) => text.length * size * 0.5 };

test("of two names in one spot the place where more lines meet keeps its name, the other goes round it", () => {
  const names = chosen([place("Gary", 502, 300), place("Chicago", 500, 300, true, 9)], 1, how);
  assert.deepEqual(names.map(({ text }) => text), ["Chicago", "Gary"]);
  const [one, two] = names;
  assert.ok(one && two);
  const apart = one.x + one.wide <= two.x || two.x + two.wide <= one.x || Math.abs(one.y - two.y) >= 14;
  assert.ok(apart);
});

test("the likelier city is named first, though more lines meet at another", () => {
  const [first] = chosen([place("Albany", 502, 300, true, 9), place("New York", 500, 300, true, 2, 0.05)], 1, how);
  assert.equal(first?.text, "New York");
});

test("a city is as likely as its charts say: of 72 rolls, those of its region times its own", () => {
  const column = (chart: string, parity: string, items: Readonly<Record<number, string | null>>) =>
    Array.from({ length: 11 }, (_, k) => [`${chart}/${parity}/${k + 2}`, { item: items[k + 2] ?? null }] as const);
  const all = (of: string): Record<number, string> => Object.fromEntries(Array.from({ length: 11 }, (_, k) => [k + 2, of]));
  const cells = Object.fromEntries([
    ...column("regions", "odd", all("east")), ...column("regions", "even", { ...all("west"), 7: null }),
    ...column("east", "odd", { 7: "boston" }), ...column("west", "even", { 2: "reno", 12: "reno" }),
  ]);
  const chances = cityChances(cells);
  assert.deepEqual([...chances.keys()], ["boston", "reno"]);
  assert.ok(Math.abs(chances.get("boston")! - (36 / 72) * (6 / 72)) < 1e-12);
  assert.ok(Math.abs(chances.get("reno")! - (30 / 72) * (2 / 72)) < 1e-12);
});

test("a name at the edge of the page stands on its inner side, and none is cut", () => {
  const [name] = chosen([place("Portland", 995, 300)], 1, how);
  assert.ok(name && name.x + name.wide < 995);
});

test("dots are named from the zoom on at which there is room for them, cities always", () => {
  const all = [place("Chicago", 500, 300), place("DeKalb", 460, 300, false)];
  assert.deepEqual(chosen(all, 0.5, how).map(({ text }) => text), ["Chicago"]);
  assert.deepEqual(chosen(all, 4, how).map(({ text }) => text), ["Chicago", "DeKalb"]);
});

test("what finds no room is left out", () => {
  const heap = Array.from({ length: 60 }, (_, i) => place(`City ${i}`, 500 + (i % 3), 300));
  const names = chosen(heap, 1, how);
  assert.ok(names.length > 0 && names.length < 10);
});

test("boxes hold lines and circles, wider by half of the stroke", () => {
  assert.deepEqual(boxOf("M10,20 L30,5 -2.5,7", 1), [-3.5, 4, 31, 21]);
  const ring = boxOf("M8.6,20 a1.4,1.4 0 1 0 2.8,0 a1.4,1.4 0 1 0 -2.8,0Z", 0.1);
  assert.deepEqual(ring.map((side) => Math.round(side * 100) / 100), [8.5, 18.5, 11.5, 21.5]);
});

test("lines that were drawn together are apart, areas with holes stay whole", () => {
  const layer = {
    paints: [{ stroke: "#000000", width: 2, join: "round" as const }, { fill: "#ffffff", evenodd: true }],
    shapes: [{ paint: 0, d: "M0,0 L1,1 M5,5 L6,6" }, { paint: 1, d: "M0,0 L9,0 9,9Z M2,2 L3,2 3,3Z" }],
  };
  assert.deepEqual(readied(layer).map(({ d, box }) => [d, box]), [
    ["M0,0 L1,1", [-1, -1, 2, 2]],
    ["M5,5 L6,6", [4, 4, 7, 7]],
    ["M0,0 L9,0 9,9Z M2,2 L3,2 3,3Z", [0, 0, 9, 9]],
  ]);
});
