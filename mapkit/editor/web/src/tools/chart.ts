// Drag a city from the board over the cells of a destination chart.
import type { At, BoardView, Tool } from "../board/BoardView";
import { dropBrush, startBrush } from "../panels/destinations/brush";
import { armed, chart, openChart, REGIONS } from "../panels/destinations/state";
import { showPanel } from "../shell/pane";
import { cities, mileposts } from "../store";
import { toast } from "../ui";

/** What a milepost stands for in the open chart; another region's city opens its own chart. */
function itemAt(at: At): string | null {
  const own = at.item?.kind === "milepost" ? (mileposts.value[at.item.id]?.cities ?? []) : [];
  const regionOf = (city: string | undefined): string => cities.value[city ?? ""]?.region ?? "";
  const first = own.find((city) => regionOf(city) === chart.value) ?? own[0];
  if (first === undefined) return null;
  if (chart.value === REGIONS) return regionOf(first);
  openChart(regionOf(first));
  return first;
}

export const chartTool: Tool = {
  id: "chart",
  label: "Charts: put cities into cells",
  short: "Charts",
  key: "Shift+D",
  hint: "Drag a city over the cells of its chart in the panel Destinations; or click it, then press Space in the cells.",
  cursor: "copy",
  down(at: At, board: BoardView) {
    const item = itemAt(at);
    if (item === null) return;
    showPanel("destinations");
    if (at.keyboard) armed.value = item;
    else {
      const { x, y } = board.toScreen([at.x, at.y]);
      startBrush(item, x, y);
    }
  },
  up(at: At) {
    if (armed.value !== null && at.item) toast(`Space puts ${cities.value[armed.value]?.name ?? armed.value} into the chosen cells.`);
  },
  cancel: dropBrush,
};
