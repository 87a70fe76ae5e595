// Follows the ink of links with the editor's live wire: ways and times, for bench_wires.py.
// node wires.mjs LIVEWIRE.mjs PICTURE.rgb WIDTH HEIGHT JOBS.json
import { readFileSync } from "node:fs";

const [, , module, picture, wide, high, jobs] = process.argv;
const { Costs, Wires } = await import(module);
const [width, height] = [Number(wide), Number(high)];
const rgb = readFileSync(picture);
const out = [];
for (const { ink, from, to, reach, moves } of JSON.parse(readFileSync(jobs, "utf8"))) {
  const [left, top] = [Math.max(0, from[0] - reach), Math.max(0, from[1] - reach)];
  const [w, h] = [Math.min(width, from[0] + reach + 1) - left, Math.min(height, from[1] + reach + 1) - top];
  const data = new Uint8ClampedArray(4 * w * h);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1)
      for (let c = 0; c < 3; c += 1) data[4 * (y * w + x) + c] = rgb[3 * ((top + y) * width + left + x) + c];
  const at = ([x, y]) => (y - top) * w + (x - left);
  const before = performance.now();
  const ways = new Wires(new Costs({ width: w, height: h, data }, ink), at(from));
  ways.to(at(moves[0]));
  const ready = performance.now() - before;
  const frames = [];
  for (const spot of moves.slice(1)) {
    const start = performance.now();
    ways.to(at(spot));
    frames.push(performance.now() - start);
  }
  out.push({ ready, frames, way: ways.to(at(to)).map(([x, y]) => [x + left, y + top]) });
}
process.stdout.write(JSON.stringify(out));
