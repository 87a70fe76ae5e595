import assert from "node:assert/strict";
import { test } from "node:test";
import { dismiss, dismissed, noticesOf } from "../src/dismissed";
import { fetchSettings, keepSetting, keptSetting, ofBoard } from "../src/settings";

const stored = new Map<string, string>();
Object.assign(localStorage, { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) });
globalThis.fetch = () => Promise.resolve(new Response(JSON.stringify({ kept: { early: "theirs", late: "theirs", "notices-my-map": '["read","gone"]' } })));

test("a setting of a board has a name that the program takes", () => {
  assert.equal(ofBoard("inks", "My Map_2"), "inks-my-map-2");
  assert.match(ofBoard("background", "x".repeat(200)), /^[a-z][a-z0-9-]{0,60}$/);
});

test("what the program has kept is heard, whether a part of the page asks before or after", async () => {
  const heard: string[] = [];
  assert.equal(keptSetting("early", (value) => heard.push(value)), null);
  await fetchSettings();
  assert.deepEqual(heard, ["theirs"]);
  assert.equal(keptSetting("late", () => assert.fail()), "theirs");
  keepSetting("late", "mine");
  assert.equal(keptSetting("late", () => assert.fail()), "mine");
});

test("a notice that was dismissed stays so while the server gives it, and is shown if it comes again later", () => {
  noticesOf("My map", ["read", "new"]);
  assert.deepEqual(dismissed.value, ["read"]);
  dismiss("new");
  assert.equal(stored.get("mapkit-notices-my-map"), '["read","new"]');
  noticesOf("My map", []);
  assert.deepEqual(dismissed.value, []);
});
