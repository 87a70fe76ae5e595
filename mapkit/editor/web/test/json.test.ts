import assert from "node:assert/strict";
import { test } from "node:test";
import { fields, refusal, replyOf } from "../src/json";

test("what is kept in the browser may be anything", () => {
  assert.deepEqual(fields('{"width": 3}'), { width: 3 });
  for (const text of [null, "", "[1]", "null", "{", "7"]) assert.deepEqual(fields(text), {});
});

test("a refusal is shown in the server's words", async () => {
  assert.equal(refusal('{"message": "no such job"}'), "no such job");
  assert.equal(refusal("<html>"), null);
  const refused = new Response('{"message": "no such job"}', { status: 404 });
  await assert.rejects(replyOf("GET /api/jobs/{id}", refused), { message: "no such job" });
  await assert.rejects(replyOf("GET /api/jobs/{id}", new Response("", { status: 502 })), { message: "The server answered 502." });
  assert.deepEqual(await replyOf("GET /api/alive", new Response('{"board": "usa", "revision": 3}')), { board: "usa", revision: 3 });
});
