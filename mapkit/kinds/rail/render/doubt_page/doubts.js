"use strict";
const items = [...document.querySelectorAll("li[data-key]")];
const chosen = new Map();
const answerOf = (button) => button.dataset.answer ?? button.textContent;
/** Show an item, and let keys answer it. */
function goTo(number) {
  const item = items[Math.min(Math.max(number, 0), items.length - 1)];
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "center" });
}
function show() {
  const lines = items.filter((item) => chosen.has(item.dataset.key)).map((item) => `${item.dataset.key}=${chosen.get(item.dataset.key)}`);
  const area = document.getElementById("lines");
  if (area) area.value = lines.join("\n") + (lines.length ? "\n" : "");
  const count = document.getElementById("count");
  if (count) count.textContent = `${lines.length} of ${items.length} settled`;
}
for (const item of items) {
  const buttons = [...item.querySelectorAll("button")];
  const input = item.querySelector("input");
  const settle = (text) => {
    if (text) chosen.set(item.dataset.key, text);
    else chosen.delete(item.dataset.key);
    item.classList.toggle("settled", Boolean(text));
    for (const button of buttons) button.setAttribute("aria-pressed", String(answerOf(button) === text));
    show();
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      input.value = "";
      settle(chosen.get(item.dataset.key) === answerOf(button) ? "" : answerOf(button));
    });
  }
  input.addEventListener("input", () => settle(input.value.trim()));
}
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea");
  if (!items.length || event.ctrlKey || event.altKey || event.metaKey || (typing && event.key !== "Enter")) return;
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? (typing ? 1 : 0);
  const choice = typing ? undefined : items[at]?.querySelectorAll("button, input")[Number(event.key) - 1];
  if (step === 0 && !choice) return;
  event.preventDefault();
  if (choice?.matches("input")) choice.focus();
  else {
    choice?.click();
    goTo(at + (step || 1));
  }
});
show();
