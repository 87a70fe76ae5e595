import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { silent } from "../src/answering";
import { Connection } from "../src/connection";
import { hello } from "./board";
import { Socket } from "./socket";

const tick = (): Promise<void> => new Promise(setImmediate);
let hangs = false;
let asked: string[] = [];

async function pass(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds);
  await tick();
}

mock.timers.enable({ apis: ["setTimeout"] });
globalThis.fetch = (address, init) => {
  asked.push(address as string);
  if (!hangs) return Promise.resolve(new Response("{}"));
  return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError"))));
};

function opened(): Connection {
  [asked, hangs] = [[], false];
  const connection = new Connection(() => undefined);
  connection.open();
  Socket.last.say(hello);
  return connection;
}

const answer = (): void => Socket.last.say({ type: "done", id: Socket.last.sent.at(-1)!.id, revision: 8 });

test("a server that hangs is said not to answer after three seconds, until it answers", async () => {
  const step = opened().request({ type: "undo" });
  hangs = true;
  await pass(999);
  assert.deepEqual([asked, silent.value], [[], false]);
  await pass(1);
  assert.deepEqual(asked, ["/api/alive"]);
  await pass(1999);
  assert.equal(silent.value, false);
  await pass(1);
  assert.equal(silent.value, true);
  hangs = false;
  await pass(1000);
  assert.equal(silent.value, false);
  answer();
  await step;
  await pass(5000);
  assert.deepEqual(asked, ["/api/alive", "/api/alive"]);
});

test("a step that takes long is not one that hangs, and one that is done at once asks nothing more", async () => {
  const connection = opened();
  const long = connection.request({ type: "undo" });
  for (let second = 0; second < 8; second += 1) {
    await pass(1000);
    assert.equal(silent.value, false);
  }
  assert.equal(asked.length, 8);
  answer();
  await long;
  await pass(5000);
  asked = [];
  const quick = connection.request({ type: "redo" });
  answer();
  await quick;
  await pass(5000);
  assert.deepEqual(asked, []);
});

test("a line that is cut is not said to hang", async () => {
  const connection = opened();
  void connection.request({ type: "undo" });
  hangs = true;
  await pass(1500);
  Socket.last.cut();
  await pass(100);
  await pass(10_000);
  assert.deepEqual([silent.value, connection.line.value], [false, "cut"]);
});
