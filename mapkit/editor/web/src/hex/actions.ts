// What can be done on the board of hexagons beside the tools, and what the palette finds there.
import { register, type Action } from "../actions";
import { registerPalette } from "../shell/Palette";
import { fitBoard, flyTo, zoomBy } from "./Board";
import { cities, cityAt, grid, run, type City } from "./store";
import { CITY_COLOURS, choose, cityColour, EDGES, edgeKind, ends, finishLine, picked, selected } from "./tools";

const STEP = 1.4;

export const remove = (city: City): void => void run({ kind: "remove-city", id: city.id });

function nearest({ id, hex }: City): string {
  const g = grid.value;
  if (!g) return id;
  const [x, y] = g.centre(hex);
  const far = (other: City): number => Math.hypot(g.centre(other.hex)[0] - x, g.centre(other.hex)[1] - y);
  return cities.value.filter((city) => city.id !== id).sort((a, b) => far(a) - far(b))[0]?.id ?? id;
}

/** Show the cheapest way from a city: to where the last one began, or else to the nearest city. */
export function wayFrom(city: City): void {
  const last = ends.value?.[0];
  ends.value = [city.id, last && last !== city.id ? last : nearest(city)];
}

function show(hex: string): void {
  const at = grid.peek()?.centre(hex);
  selected.value = hex;
  if (at) flyTo(at);
}

const chosen = (): City | undefined => (selected.value ? cityAt(selected.value) : undefined);

/** An action on the city that is chosen. */
const ofCity = (id: string, label: string, does: (city: City) => void): Action => ({
  id,
  label,
  group: "Cities",
  enabled: () => chosen() !== undefined,
  needs: "choose a city first",
  run: () => {
    const city = chosen();
    if (city) does(city);
  },
});

register(
  { id: "zoom-in", label: "Zoom in", group: "View", keys: ["+", "="], run: () => zoomBy(STEP) },
  { id: "zoom-out", label: "Zoom out", group: "View", keys: ["-"], run: () => zoomBy(1 / STEP) },
  { id: "fit", label: "Show the whole board", group: "View", keys: ["0"], run: fitBoard },
  {
    id: "show-selection",
    label: "Show what is chosen",
    group: "View",
    keys: ["Shift+F"],
    enabled: () => selected.value !== null,
    needs: "choose a hexagon first",
    run: () => selected.value && show(selected.value),
  },
  {
    id: "end-line",
    label: "End the major line …",
    group: "Draw",
    enabled: () => picked.value.length > 1,
    needs: "click two cities or more with the tool Draw a major line",
    run: () => void finishLine(),
  },
  ofCity("way-from", "Cheapest way from the city", wayFrom),
  ofCity("remove-city", "Remove the city", remove),
  ...EDGES.map((kind) => ({ id: `edge-${kind}`, label: `Set edges: ${kind}`, group: "Tools", run: () => (choose("edge"), (edgeKind.value = kind)) })),
  ...CITY_COLOURS.map((colour) => ({ id: `city-${colour}`, label: `Place a city: ${colour}`, group: "Tools", run: () => (choose("city"), (cityColour.value = colour)) })),
);
registerPalette({
  what: "a command or city",
  choices: () => cities.value.map((city) => ({ id: `c:${city.id}`, label: city.name, kind: "City", run: () => show(city.hex) })),
});
