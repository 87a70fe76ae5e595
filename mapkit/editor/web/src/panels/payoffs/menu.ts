// The menu of the chosen block of the payoff chart, under the pointer or at the active cell.
import { itemsOf, type MenuItem } from "../../ui";
import { asksForMenu, openContextMenu } from "../../ui/ContextMenu";
import { anchor, block, choose, type Spot } from "./chart";
import { clearBlock, copyBlock } from "./edits";

/** Actions of the block, in the order of the menus of the chart. */
export const OF_BLOCK = ["payoff-fill", "payoff-scale", "payoff-round", "payoff-expected"] as const;
const LABEL = "What can be done with the chosen cells";

const items = (edit: () => void): MenuItem[] => [
  { id: "row-change", label: "Change the amount", keys: "F2", run: edit },
  { id: "row-delete", label: "Empty the chosen cells", keys: "Delete", run: () => void clearBlock() },
  { id: "copy", label: "Copy", run: () => void copyBlock(false) },
  ...itemsOf(["payoff-copy", "payoff-paste", ...OF_BLOCK, "payoff-suspect", "payoff-empty"]),
];

/** Open it at the pointer; a cell outside the block is chosen first. */
export function menuAtPointer(event: MouseEvent, spot: Spot | undefined, edit: () => void): void {
  if (event.button !== 2 || !spot) return;
  event.preventDefault();
  const { top, bottom, left, right } = block.value;
  if (spot.row < top || spot.row > bottom || spot.col < left || spot.col > right) choose(spot);
  openContextMenu(event.clientX, event.clientY, LABEL, items(edit));
}

/** Open it at the active cell where a key asks for it; says whether it does. */
export function menuByKey(event: KeyboardEvent, edit: () => void): boolean {
  if (!asksForMenu(event)) return false;
  const box = document.getElementById(`payoff-${anchor.value.row}-${anchor.value.col}`)?.getBoundingClientRect();
  openContextMenu(box?.left ?? 0, box?.bottom ?? 0, LABEL, items(edit));
  return true;
}
