// Rows that two have changed differently, in words: what each is called, and the fields in which they differ.
import type { Conflict, JsonValue } from "./wire";

/** A field that differs, as each of the two has it. */
export interface Differing {
  field: string;
  mine: string;
  theirs: string;
}
/** A row: what it is called, and how it differs; a row that one has deleted differs as a whole. */
export interface InWords {
  title: string;
  fields: readonly Differing[];
}

const ONE: Readonly<Record<string, string>> = {
  settings: "Setting",
  accepted: "Accepted finding",
  cities: "City",
  lines: "Line",
  stops: "Stop",
  destinations: "Cell of the destination chart",
  declared: "Declared odds",
  wanted: "Wish for the charts",
  payoffs: "Payoff",
  control_points: "Control point",
  hexes: "Hexagon",
  track: "Line of the track",
  money: "Denomination",
};
const NAMES = ["name", "title", "short", "id"] as const;
/** Says where a row stands in its file, which nobody has typed. */
const HIDDEN = new Set(["rank"]);

const first = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const worded = (text: string): string => first(text.replaceAll("_", " "));
const isRow = (value: JsonValue): value is Readonly<Record<string, JsonValue>> => typeof value === "object" && value !== null && !Array.isArray(value);

/** What a row of a table is called, in the singular. */
export const rowWord = (table: string): string => ONE[table] ?? worded(table.replace(/s$/, ""));

/** A value as people write it. */
export function valueText(value: JsonValue | undefined): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return value.toLocaleString("en", { maximumFractionDigits: 6 });
  if (typeof value === "string") return value;
  if (!isRow(value)) return value.length === 0 ? "nothing" : value.map((one: JsonValue) => valueText(one)).join(", ");
  return Object.entries(value)
    .map(([key, one]) => `${worded(key).toLowerCase()} ${valueText(one)}`)
    .join(", ");
}

function called({ table, key, mine, theirs }: Conflict): string {
  for (const row of [mine, theirs])
    for (const name of NAMES) {
      const said = row?.[name];
      if (typeof said === "string" && said !== "") return said;
    }
  return table === "settings" ? worded(key) : key.replaceAll("|", " – ");
}

/** A conflict in words. */
export function inWords(conflict: Conflict): InWords {
  const { table, mine, theirs } = conflict;
  const title = `${rowWord(table)} ${called(conflict)}`;
  if (mine === null || theirs === null) {
    const word = (row: object | null): string => (row === null ? "deleted" : "kept, with changes");
    return { title, fields: [{ field: "The row", mine: word(mine), theirs: word(theirs) }] };
  }
  const all = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const same = (field: string): boolean => JSON.stringify(mine[field] ?? null) === JSON.stringify(theirs[field] ?? null);
  const differing = all.filter((field) => !HIDDEN.has(field) && !same(field));
  if (differing.length === 0) return { title, fields: [{ field: "Place in the file", mine: "as here", theirs: "as there" }] };
  return { title, fields: differing.map((field) => ({ field: worded(field), mine: valueText(mine[field]), theirs: valueText(theirs[field]) })) };
}
