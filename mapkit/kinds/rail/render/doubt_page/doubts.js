"use strict";
const items = [...document.querySelectorAll("li[data-key]")];
const chosen = new Map();
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
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === text));
    show();
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      input.value = "";
      settle(chosen.get(item.dataset.key) === button.textContent ? "" : button.textContent);
    });
  }
  input.addEventListener("input", () => settle(input.value.trim()));
}
show();
