import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { connection } from "../src/edit";
import { currentRailroad } from "../src/selection";
import { finish, line } from "../src/tools/line";
import { hello, showBoard } from "./board";
import { board, sketches } from "./canvas";
import { Socket } from "./socket";

const at = (x: number, y: number, keys: Partial<{ shift: boolean; ctrl: boolean; alt: boolean }> = {}) => ({
  x, y, item: null, shift: false, ctrl: false, alt: false, keyboard: false, ...keys,
});
const dots = (): number => (sketches.get("line") ?? []).filter((shape) => shape.kind === "dot").length;
const backspace = (): boolean | undefined => line.onKey?.({ key: "Backspace" } as KeyboardEvent, board);

/** Finish the line, take the server's part, and return the command that was sent. */
async function sent(): Promise<unknown> {
  const ended = finish(board);
  await new Promise(setImmediate);
  const request = Socket.last.sent.at(-1);
  assert.equal(request?.type, "do");
  Socket.last.say({ type: "done", id: request.id, revision: 8 });
  await ended;
  return request.command;
}

// the server's projection: millimetres of the page are degrees
globalThis.fetch = (_, init) => {
  const { points } = JSON.parse(init?.body as string) as { points: number[][] };
  return Promise.resolve(new Response(JSON.stringify({ points, revision: 7 })));
};

before(() => {
  connection.open();
  Socket.last.say(hello);
});
beforeEach(() => {
  showBoard();
  currentRailroad.value = "bo";
  while (backspace()) continue;
});

test("clicks become a line of the railroad: places by name, new ones by name and degrees", async () => {
  line.down?.(at(1, 1), board);
  line.down?.(at(20, 60), board);
  line.down?.(at(299, 1), board);
  assert.equal(dots(), 3);
  assert.deepEqual(await sent(), {
    kind: "add-line",
    railroad: "bo",
    stops: [
      { place: "Albany", kind: "milepost" },
      { place: "Milepost 1", kind: "milepost", lon: 20, lat: 60 },
      { place: "York", kind: "milepost" },
    ],
  });
  assert.deepEqual(sketches.get("line"), []);
});

test("Backspace takes back click after click, and then is not the tool's", () => {
  line.down?.(at(1, 1), board);
  line.down?.(at(20, 60), board);
  assert.equal(backspace(), true);
  assert.equal(dots(), 1);
  assert.equal(backspace(), true);
  assert.equal(dots(), 0);
  assert.equal(backspace(), false);
});

test("Ctrl follows the track to the click, with the bends between", () => {
  line.down?.(at(1, 1), board);
  line.down?.(at(99, 1, { ctrl: true }), board);
  assert.equal(dots(), 3);
  backspace();
  assert.equal(dots(), 2);
});

test("a line that begins at an open end of the same railroad goes on from there", async () => {
  line.down?.(at(71, 51), board);
  line.down?.(at(299, 1), board);
  assert.deepEqual(await sent(), { kind: "extend-line", line: "bo/1", end: "end", stops: [{ place: "York", kind: "milepost" }] });
});

test("one click is no line", async () => {
  const before = Socket.last.sent.length;
  line.down?.(at(1, 1), board);
  await finish(board);
  assert.equal(Socket.last.sent.length, before);
  assert.equal(dots(), 0);
});
