import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { send } from "../src/asked";
import { Connection } from "../src/connection";
import { query } from "../src/edit";
import { askServer, download } from "../src/entry";
import type { FromServer, Request } from "../src/wire";
import { hello } from "./board";
import { Socket } from "./socket";

const done = (id: string): FromServer => ({ type: "done", id, revision: 8 });
const refused = (id: string, message: string): FromServer => ({ type: "refused", id, message, conflict: [] });
interface Asked {
  address: string;
  method: string;
  body: string;
  secret: string | null;
}
let status = 200;
let reply = "";
let away = false;
let asked: Asked[] = [];
let heard: string[] = [];

function opened(): Connection {
  heard = [];
  const connection = new Connection((message) => heard.push(message.type));
  connection.open();
  return connection;
}

mock.timers.enable({ apis: ["setTimeout"] });
globalThis.fetch = (address, init) => {
  asked.push({ address: address as string, method: init?.method ?? "GET", body: init?.body as string, secret: new Headers(init?.headers).get("Authorization") });
  return away ? Promise.reject(new TypeError("no connection")) : Promise.resolve(new Response(reply, { status }));
};
beforeEach(() => {
  [status, reply, away, asked] = [200, "", false, []];
  location.search = "";
  sessionStorage.setItem("mapkit-secret", "known");
});

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

const tick = (): Promise<void> => new Promise(setImmediate);

test("the ticket in the address is exchanged once, and the address is clean before anything else is asked", async () => {
  location.search = "?ticket=once";
  reply = JSON.stringify({ secret: "fresh" });
  const sockets = Socket.all.length;
  opened();
  assert.equal(Socket.all.length, sockets);
  await tick();
  assert.deepEqual(asked, [{ address: "/api/enter", method: "POST", body: '{"ticket":"once"}', secret: null }]);
  assert.equal(location.search, "");
  assert.equal(Socket.all.length, sockets + 1);
  Socket.last.onopen?.();
  assert.deepEqual(Socket.last.knocked, { type: "enter", secret: "fresh" });
  await askServer("/api/pictures", { headers: { "Content-Type": "text/plain" } });
  assert.deepEqual([asked.length, asked[1]?.secret], [2, "Bearer fresh"]);
});

test("a ticket that is used up leaves an older secret; without one the page says that it is not known", async () => {
  location.search = "?ticket=used";
  status = 403;
  assert.equal(opened().line.value, "connecting");
  await tick();
  Socket.last.onopen?.();
  assert.deepEqual([Socket.last.knocked, location.search], [{ type: "enter", secret: "known" }, ""]);
  sessionStorage.removeItem("mapkit-secret");
  location.search = "?ticket=used";
  const [connection, sockets] = [opened(), Socket.all.length];
  await tick();
  assert.deepEqual([connection.line.value, Socket.all.length], ["locked out", sockets]);
});

test("a ticket is kept while the server is away, and exchanged when it is back", async () => {
  sessionStorage.removeItem("mapkit-secret");
  location.search = "?ticket=once";
  away = true;
  const connection = opened();
  await tick();
  assert.deepEqual([connection.line.value, location.search], ["cut", "?ticket=once"]);
  away = false;
  reply = JSON.stringify({ secret: "fresh" });
  mock.timers.tick(200);
  await tick();
  Socket.last.say(hello);
  assert.deepEqual([connection.line.value, location.search], ["open", ""]);
});

test("a page that the editor does not know is told so, and gets in again with its steps when it is known again", () => {
  const connection = opened();
  void connection.request({ type: "undo" });
  Socket.last.cut(4403);
  assert.equal(connection.line.value, "locked out");
  mock.timers.tick(200);
  Socket.last.cut();
  assert.equal(connection.line.value, "locked out");
  mock.timers.tick(500);
  Socket.last.say(hello);
  assert.equal(connection.line.value, "open");
  assert.deepEqual(Socket.last.sent.map((one) => one.type), ["undo"]);
});

test("a download has a ticket of its own for its path alone", async () => {
  const clicked: string[] = [];
  Object.assign(document, { createElement: () => ({ click(this: { href: string }) { clicked.push(this.href); } }) });
  reply = JSON.stringify({ ticket: "a+b" });
  await download("/api/jobs/1/files/my%20map.svg?download");
  assert.deepEqual([asked[0]?.address, asked[0]?.body, asked[0]?.secret], ["/api/tickets", '{"path":"/api/jobs/1/files/my%20map.svg"}', "Bearer known"]);
  assert.deepEqual(clicked, ["/api/jobs/1/files/my%20map.svg?download&ticket=a%2Bb"]);
});

test("a step that is too large is refused before it is sent, and the next one goes out", async () => {
  const connection = opened();
  const large: Request = { type: "checkpoint", name: "x".repeat(4 * 2 ** 20) };
  const early = connection.request(large); // before the limit is known
  Socket.last.say(hello);
  const answers = [await early, await connection.request(large)];
  for (const answer of answers) assert.match(answer.ok ? "" : answer.message, /^This step has 4\.1 MB, and the editor takes at most 4 MB a step\./);
  void connection.request({ type: "undo" });
  assert.deepEqual([Socket.last.sent.map((one) => one.type), connection.pending.value], [["undo"], 1]);
});

test("a question and a file that are too large are refused before they are sent", async () => {
  opened();
  Socket.last.say(hello);
  asked = [];
  await assert.rejects(query("payoff-paste", { text: "é".repeat(3 * 2 ** 20), rows: [], columns: [] }), /This has 6\.1 MB, and the editor takes at most 4 MB at once/);
  const file = new File([new Uint8Array(10)], "scan.png");
  Object.defineProperty(file, "size", { value: 201 * 2 ** 20 });
  await assert.rejects(send("POST /api/pictures", { file, query: { name: file.name } }), /scan\.png has 201 MB; at most 200 MB are taken/);
  assert.deepEqual(asked, []);
});
