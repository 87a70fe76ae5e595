// What the page knows of a hexagon board, and how it asks for changes.
import { computed, signal } from "@preact/signals";
import { cellText, OpenDocument } from "../tabled/document";
import type { Row } from "../tabled/wire";
import type { JsonValue } from "../generated";
import { Grid } from "./grid";
import type { HexView } from "./wire";
import { BARE } from "../colours";

/** The hexagons and edges that changed since the drawing was made: the light layer shows them until it is made again. */
export const fresh = signal<ReadonlySet<string>>(new Set());

const fieldText = (row: Row | undefined, name: string): string => {
  const value = row?.[name];
  return typeof value === "string" ? value : "";
};

export const board = new OpenDocument<HexView>((changes, opened) => {
  const touched = new Set(opened ? [] : fresh.value);
  for (const { table, key, after } of changes) {
    if (table === "hexes" || table === "edges") touched.add(key);
    if (table === "cities") for (const row of [board.tables.value[table]?.[key], after]) if (row) touched.add(fieldText(row, "hex"));
  }
  fresh.value = touched;
});
export const { view, tables, revision, findings, run, query } = board;

export const grid = computed(() => (view.value ? new Grid(view.value.grid) : null));
export const terrains = computed(() => view.value?.terrains ?? []);
export const terrainOf = (hex: string): string => fieldText(tables.value["hexes"]?.[hex], "terrain") || (view.value?.terrain ?? "plains");
export const colourOf = (terrain: string): string => terrains.value.find((one) => one.id === terrain)?.colour ?? BARE;

export interface City {
  readonly id: string;
  readonly name: string;
  readonly hex: string;
  readonly colours: readonly string[];
}
const wordsOf = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map((one) => cellText(one as JsonValue)) : []);
export const cities = computed<readonly City[]>(() =>
  Object.entries(tables.value["cities"] ?? {})
    .map(([id, row]) => ({ id, name: fieldText(row, "name"), hex: fieldText(row, "hex"), colours: wordsOf(row["colours"]) }))
    .sort((a, b) => a.name.localeCompare(b.name)),
);
export const cityAt = (hex: string): City | undefined => cities.value.find((city) => city.hex === hex);
export const edgeKinds = (edge: string): string[] => wordsOf(tables.value["edges"]?.[edge]?.["kinds"]);
