// The menu of what lies under the pointer on the board.
import { menuAt } from "../board/sight";
import { selection } from "../selection";
import { itemsOf } from "../ui";
import { openContextMenu } from "../ui/ContextMenu";

const OF_THINGS = ["name", "tool-reshape", "convert", "set-railroad", "set-region", "twins", "untwin", "split", "join", "reverse", "copy", "show-selection", "delete"];
const OF_GROUND = ["paste", "tool-line", "tool-milepost", "tool-city", "select-all", "fit", "zoom-in", "zoom-out"];

menuAt.subscribe((at) => {
  if (!at) return;
  const some = selection.peek().length > 0;
  const items = itemsOf((some ? OF_THINGS : OF_GROUND).filter((id) => id !== "tool-reshape" || selection.peek().some((item) => item.kind === "segment")));
  openContextMenu(at.x, at.y, some ? "What can be done with what is selected" : "What can be done here", items);
});
