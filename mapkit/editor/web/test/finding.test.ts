import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, slug } from "../src/names";
import { readAmount, tsv } from "../src/panels/payoffs/amounts";
import { score } from "../src/shell/score";
import { inOrder } from "../src/ui/sorting";
import { matrixText, nextSight, SIGHTS } from "../src/vision/sights";

const best = (typed: string, labels: readonly string[]): string[] =>
  labels
    .flatMap((label) => {
      const value = score(label, typed);
      return value === null ? [] : [{ label, value }];
    })
    .sort((a, b) => a.value - b.value)
    .map(({ label }) => label);

test("the palette finds words in any order, the beginning of a name first", () => {
  const labels = ["New York", "York PA", "Yorktown", "Little York", "Fort Worth"];
  assert.deepEqual(best("york", labels), ["York PA", "Yorktown", "New York", "Little York"]);
  assert.deepEqual(best("york new", labels), ["New York"]);
  assert.deepEqual(best("ork", ["New York", "Orkney"]), ["Orkney", "New York"]);
  assert.deepEqual(best("x", labels), []);
  assert.equal(score("Fort Worth", " "), score("Fort Worth", ""));
});

test("rows are sorted by a column, numbers in names as numbers, equal ones as they were", () => {
  const rows = [{ name: "Milepost 10", price: 4 }, { name: "Milepost 9", price: 4 }, { name: "Albany", price: 1 }];
  const columns = [{ id: "name", sort: (row: (typeof rows)[0]) => row.name }, { id: "price", sort: (row: (typeof rows)[0]) => row.price }, { id: "plain" }];
  const by = (id: string, down: boolean) => inOrder(rows, columns, { id, down }).map((row) => row.name);
  assert.deepEqual(by("name", false), ["Albany", "Milepost 9", "Milepost 10"]);
  assert.deepEqual(by("price", true), ["Milepost 10", "Milepost 9", "Albany"]);
  assert.equal(inOrder(rows, columns, null), rows);
  assert.equal(inOrder(rows, columns, { id: "plain", down: true }), rows);
});

test("sights follow each other round and round", () => {
  let sight = SIGHTS[0]!.value;
  const seen = SIGHTS.map(() => (sight = nextSight(sight)));
  assert.deepEqual(seen, ["protan", "deutan", "tritan", "grey", "normal"]);
});

test("a colour matrix leaves alpha as it is", () => {
  assert.equal(matrixText([[0.2, 0.7, 0.1], [0, 1, 0], [0, 0, 1]]), "0.2 0.7 0.1 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0");
});

test("names as people type them", () => {
  assert.deepEqual(["Chicago & North Western", "São Paulo", "  O'Hare "].map(slug), ["chicago-north-western", "sao-paulo", "ohare"]);
  assert.deepEqual(["Αθήνα", "Нижний Новгород", "東京"].map(slug), ["athina", "nizhnii-novgorod", ""]);
  assert.equal(plain("St. Paul"), plain("st paul"));
  assert.notEqual(plain("B&O"), plain("BO"));
});

test("amounts as people type them", () => {
  assert.deepEqual(["14.5", "14,5", "14½", "$14.5", " ½ ", "", "-"].map((text) => readAmount(text, 50)), [
    { value: 14.5 }, { value: 14.5 }, { value: 14.5 }, { value: 14.5 }, { value: 0.5 }, { value: null }, { value: null },
  ]);
  assert.match((readAmount("14500", 50) as { why: string }).why, /for 14500 type 14\.5/);
  assert.match((readAmount("many", 50) as { why: string }).why, /"many" is not an amount/);
  assert.equal(tsv([["a", "b"], ["c", ""]]), "a\tb\nc\t");
});
