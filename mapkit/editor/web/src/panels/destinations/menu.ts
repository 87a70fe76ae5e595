// The menu of the chosen cells of a destination chart.
import { board } from "../../board";
import { select } from "../../selection";
import { mileposts } from "../../store";
import { itemsOf, type MenuItem } from "../../ui";
import { openRowMenu } from "../../ui/ContextMenu";
import { copyCells } from "./clipboard";
import { active, ALL, armed, chart, contents, fill, openChart, pick, picked, REGIONS, thing, type CellKey } from "./state";

/** What stands in the active cell: a city is shown on the board, a region has a chart of its own. */
function ofContents(): MenuItem[] {
  const item = contents(chart.value, active.value);
  if (item === null) return [];
  const { name } = thing(chart.value, item);
  if (chart.value === REGIONS) return [{ id: "row-open", label: `Open the chart of ${name}`, run: () => openChart(item) }];
  const at = Object.keys(mileposts.value).find((id) => mileposts.value[id]?.cities.includes(item));
  if (at === undefined) return [];
  const there = [{ kind: "milepost", id: at } as const];
  return [{ id: "row-show", label: `Show ${name} on the board`, run: () => (select(there), board.flyTo(there)) }];
}

/** Open the menu of a cell, which is chosen first if it is not. */
export function openCellMenu(event: MouseEvent | KeyboardEvent, cell: CellKey, ask: () => void): void {
  if (!picked.value.has(cell)) pick(cell);
  const again = armed.value;
  openRowMenu(event, "What can be done with the chosen cells", [
    { id: "row-change", label: "Choose what stands there …", keys: "Enter", run: ask },
    ...(again === null ? [] : [{ id: "row-put", label: `Put ${thing(chart.value, again).name} there`, keys: "Space", run: () => void fill(chart.value, picked.value, again) }]),
    { id: "row-delete", label: "Empty the chosen cells", keys: "Delete", run: () => void fill(chart.value, picked.value, null) },
    { id: "copy", label: "Copy", run: () => void copyCells() },
    ...itemsOf(["chart-swap"]),
    { id: "row-add", label: "Choose all cells", keys: "Ctrl+A", run: () => (picked.value = new Set(ALL)) },
    ...ofContents(),
  ]);
}
