import assert from "node:assert/strict";
import { test } from "node:test";
import { afterChange, theirsText } from "../src/ui/typed";

test("a field that nobody types in shows the new value", () => {
  assert.deepEqual(afterChange({ text: "5", over: "5", sent: null }, "6"), { text: "6", over: "6", sent: null });
});

test("what is typed stays when somebody else changes the value", () => {
  const typed = { text: "57", over: "5", sent: null };
  assert.equal(afterChange(typed, "6"), typed);
});

test("what was sent is replaced by what became of it", () => {
  assert.deepEqual(afterChange({ text: "5,000", over: "5", sent: "5,000" }, "5000"), { text: "5000", over: "5000", sent: null });
});

test("a field whose text the page takes over at every key can be emptied by it", () => {
  const followed = afterChange({ text: "abc", over: "", sent: null }, "abc");
  assert.equal(afterChange(followed, "").text, "");
});

test("who types on after sending keeps that, and the echo is nobody else's", () => {
  assert.deepEqual(afterChange({ text: "579", over: "5", sent: "57" }, "57"), { text: "579", over: "57", sent: null });
});

test("it is said what the other has put there", () => {
  assert.match(theirsText("Troy"), /“Troy”/);
  assert.match(theirsText(""), /to nothing/);
});
