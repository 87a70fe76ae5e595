import assert from "node:assert/strict";
import { test } from "node:test";
import { Costs, oklab, pickInk, Wires, type Colour, type Pixels } from "../src/draw/livewire";

const [WIDTH, HEIGHT] = [300, 200];
const PAPER: Colour = [245, 241, 230];
const RED: Colour = [216, 35, 42];
const BLUE: Colour = [21, 56, 144];
const BLACK: Colour = [27, 27, 27];

/** Where the red line runs: an arch. */
const arch = (x: number): number => 120 - 60 * Math.sin((Math.PI * (x - 20)) / 260);

/** A red arch with gaps, a blue line that crosses it twice and lies beside it between, and a name on it. */
function picture(dashes: boolean): Pixels {
  const data = new Uint8ClampedArray(4 * WIDTH * HEIGHT);
  const put = (x: number, y: number, [r, g, b]: Colour): void => data.set([r, g, b, 255], 4 * (y * WIDTH + x));
  for (let y = 0; y < HEIGHT; y += 1) for (let x = 0; x < WIDTH; x += 1) put(x, y, PAPER);
  for (let x = 20; x <= 280; x += 1) {
    if (!dashes || x % 24 < 17) for (let d = -2; d <= 2; d += 1) put(x, Math.round(arch(x)) + d, RED);
    const other = Math.round(x < 60 || x > 240 ? 100 : arch(x) - 12);
    for (let d = -2; d <= 2; d += 1) put(x, other + d, BLUE);
  }
  for (let x = 140; x < 160; x += 1) for (let y = 52; y < 68; y += 1) if ((x + y) % 4 < 2) put(x, y, BLACK);
  return { width: WIDTH, height: HEIGHT, data };
}

const at = (x: number, y: number): number => Math.round(y) * WIDTH + x;

for (const dashes of [false, true])
  test(`the wire follows ${dashes ? "dashes" : "a line"} past a crossing, a line beside it and a name`, () => {
    const pixels = picture(dashes);
    const start = at(20, arch(20));
    const wire = new Wires(new Costs(pixels, RED), start).to(at(280, arch(280)));
    assert.deepEqual(wire[0], [20, 120]);
    assert.deepEqual(wire.at(-1), [280, 120]);
    for (const [x, y] of wire) assert.ok(Math.abs(y - arch(x)) < 1.5 * 5, `at ${x} it is ${y - arch(x)} off`);
    assert.ok(wire.length > 250 && wire.length < 330);
  });

test("each railroad's wire keeps to its own ink", () => {
  const pixels = picture(false);
  const start = at(70, arch(70) - 12);
  const wire = new Wires(new Costs(pixels, BLUE), start).to(at(230, arch(230) - 12));
  for (const [x, y] of wire) assert.ok(Math.abs(y - (arch(x) - 12)) < 4);
});

test("the wire to where it starts is that pixel", () => {
  const pixels = picture(false);
  const start = at(70, 90);
  assert.deepEqual(new Wires(new Costs(pixels, RED), start).to(start), [[70, 90]]);
});

test("a wire does not depend on those that were asked for before", () => {
  const pixels = picture(true);
  const wires = new Wires(new Costs(pixels, RED), at(20, 120));
  const ends = [at(40, 100), at(299, 0), at(150, 62), at(0, 199), at(280, 120)];
  const asked = ends.map((end) => wires.to(end));
  assert.deepEqual(asked, ends.map((end) => new Wires(new Costs(pixels, RED), at(20, 120)).to(end)));
});

test("an ink is picked beside the pixel that was clicked", () => {
  assert.deepEqual(pickInk(picture(false), 100, Math.round(arch(100)) + 3), [...RED]);
});

test("OKLab of white, black and red", () => {
  const round = (colour: Colour): number[] => oklab(colour).map((value) => Math.round(value * 1000) / 1000 + 0);
  assert.deepEqual(round([255, 255, 255]), [1, 0, 0]);
  assert.deepEqual(round([0, 0, 0]), [0, 0, 0]);
  assert.deepEqual(round([255, 0, 0]), [0.628, 0.225, 0.126]);
});
