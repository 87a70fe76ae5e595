// What the palette of railroad boards finds beside actions: mileposts, cities and railroads.
import { board } from "../board";
import { currentRailroad, select, type Item } from "../selection";
import { cities, mileposts, railroads, segments } from "../store";
import { showPanel } from "./pane";
import { registerPalette, type Choice } from "./Palette";

function goToItem(item: Item): void {
  select([item]);
  board.flyTo([item]);
  board.focus();
}

function showRailroad(id: string): void {
  const items = Object.entries(segments.value).flatMap(([key, s]) => (s.railroad === id ? [{ kind: "segment", id: key } as const] : []));
  currentRailroad.value = id;
  select(items);
  board.flyTo(items);
  showPanel("selection");
}

function choices(): Choice[] {
  const at = new Map(Object.entries(mileposts.value).flatMap(([id, post]) => post.cities.map((city) => [city, id] as const)));
  return [
    ...Object.entries(cities.value).map(([id, city]) => ({ id: `c:${id}`, label: city.name, kind: "City", run: () => goToItem({ kind: "milepost", id: at.get(id) ?? id }) })),
    ...Object.entries(railroads.value).map(([id, railroad]) => ({ id: `r:${id}`, label: `${railroad.name} (${railroad.short})`, kind: "Railroad", run: () => showRailroad(id) })),
    ...Object.entries(mileposts.value).flatMap(([id, post]) =>
      post.kind === "dot" ? [{ id: `m:${id}`, label: post.name, kind: "Milepost", run: () => goToItem({ kind: "milepost", id }) }] : [],
    ),
  ];
}

registerPalette({ what: "a command, milepost, city or railroad", choices });
