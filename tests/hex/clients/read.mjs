// Read exported boards with the packages that others read such files with, and print what they make of them.
// node read.mjs 18xx-maker FILE | hexjson FILE | honeycomb FILE
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [, , what, file] = process.argv;
const data = JSON.parse(readFileSync(file, "utf8"));

async function maker() {
  const { valid, validationErrors } = require("@18xx-maker/schemas")(data, file);
  return { valid, errors: validationErrors };
}

async function hexjson() {
  const { renderHexJSON } = await import("d3-hexjson");
  return Object.fromEntries(renderHexJSON(data, 1000, 1000).map((hex) => [hex.key, [hex.x, hex.y]]));
}

async function honeycomb() {
  const { defineHex, Grid, Orientation } = await import("honeycomb-grid");
  const { offset, columns, rows, size_mm } = data.grid;
  const Hex = defineHex({
    dimensions: size_mm / Math.sqrt(3),
    offset: offset.startsWith("odd") ? -1 : 1,
    orientation: offset.endsWith("q") ? Orientation.FLAT : Orientation.POINTY,
  });
  const places = [];
  for (let row = 0; row < rows; row += 1) for (let col = 0; col < columns; col += 1) places.push({ col, row });
  const grid = new Grid(Hex, places);
  return grid.toArray().map((hex) => {
    const around = [];
    for (const one of grid) if (hex !== one && grid.distance(hex, one) === 1) around.push(`${one.col + 1}-${one.row + 1}`);
    return { id: `${hex.col + 1}-${hex.row + 1}`, q: hex.q, r: hex.r, x: hex.x, y: hex.y, around: around.sort() };
  });
}

console.log(JSON.stringify(await { "18xx-maker": maker, hexjson, honeycomb }[what]()));
