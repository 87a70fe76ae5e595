import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Connection } from "../src/connection";
import type { FromServer } from "../src/wire";
import { hello } from "./board";
import { Socket } from "./socket";

const done = (id: string): FromServer => ({ type: "done", id, revision: 8 });
const refused = (id: string, message: string): FromServer => ({ type: "refused", id, message, conflict: [] });
let status = 200;
let heard: string[] = [];

function opened(): Connection {
  heard = [];
  const connection = new Connection((message) => heard.push(message.type));
  connection.open();
  return connection;
}

mock.timers.enable({ apis: ["setTimeout"] });
globalThis.fetch = () => Promise.resolve(new Response("", { status }));
beforeEach(() => (status = 200));

test("requests wait until the server has greeted, and go out once, in order", () => {
  const connection = opened();
  void connection.request({ type: "undo" });
  void connection.request({ type: "save" });
  assert.equal(Socket.last.sent.length, 0);
  assert.equal(connection.pending.value, 2);
  Socket.last.say(hello);
  void connection.request({ type: "redo" });
  assert.deepEqual(Socket.last.sent.map((one) => one.type), ["undo", "save", "redo"]);
  assert.equal(new Set(Socket.last.sent.map((one) => one.id)).size, 3);
  assert.deepEqual([connection.line.value, heard], ["open", ["hello"]]);
});

test("each answer settles its own request", async () => {
  const connection = opened();
  Socket.last.say(hello);
  const [first, second] = [connection.request({ type: "undo" }), connection.request({ type: "save" })];
  const [undo, save] = Socket.last.sent;
  assert.ok(undo && save);
  Socket.last.say(refused(save.id, "the disk is full"));
  Socket.last.say(done(undo.id));
  assert.deepEqual(await second, { ok: false, message: "the disk is full", conflict: [] });
  assert.deepEqual(await first, { ok: true, revision: 8 });
  assert.equal(connection.pending.value, 0);
});

test("what has no answer is sent again under its id after the line was cut; what has one is not", async () => {
  const connection = opened();
  const before = Socket.last;
  before.say(hello);
  const [answered, open] = [connection.request({ type: "undo" }), connection.request({ type: "redo" })];
  before.say(done(before.sent[0]!.id));
  await answered;
  before.cut();
  assert.equal(connection.line.value, "cut");
  void connection.request({ type: "save" });
  mock.timers.tick(199);
  assert.equal(Socket.last, before);
  mock.timers.tick(1);
  assert.notEqual(Socket.last, before);
  assert.equal(Socket.last.sent.length, 0);
  Socket.last.say(hello);
  assert.deepEqual(Socket.last.sent.map((one) => one.type), ["redo", "save"]);
  assert.equal(Socket.last.sent[0]!.id, before.sent[1]!.id);
  Socket.last.say(done(before.sent[1]!.id));
  assert.deepEqual(await open, { ok: true, revision: 8 });
});

test("pauses grow while the line stays cut, and begin again after a greeting", () => {
  opened();
  const lengths: number[] = [];
  for (let time = 0; time < 6; time += 1) {
    const socket = Socket.last;
    socket.cut();
    let waited = 0;
    while (Socket.last === socket) {
      mock.timers.tick(100);
      waited += 100;
    }
    lengths.push(waited);
  }
  assert.deepEqual(lengths, [200, 500, 1000, 2000, 4000, 4000]);
  Socket.last.say(hello);
  const socket = Socket.last;
  socket.cut();
  mock.timers.tick(200);
  assert.notEqual(Socket.last, socket);
});

test("an editor that was started again locks the page out", async () => {
  status = 403;
  const connection = opened();
  Socket.last.cut();
  await new Promise(setImmediate);
  assert.equal(connection.line.value, "locked out");
});
