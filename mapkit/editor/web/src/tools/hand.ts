import type { Tool } from "../board/BoardView";

export const hand: Tool = {
  id: "hand",
  label: "Hand: move the page",
  short: "Hand",
  key: "H",
  hint: "Drag to move the page; the wheel zooms.",
  cursor: "grab",
  pans: true,
};
