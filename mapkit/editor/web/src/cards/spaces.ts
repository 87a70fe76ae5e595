// The work spaces of a card game: which tables and which pictures stand side by side.
import { computed, signal } from "@preact/signals";
import { register } from "../actions";
import { board, current } from "./store";
import type { Pictured } from "./wire";

export interface Space {
  readonly id: string;
  readonly title: string;
  readonly tables: readonly string[];
  readonly sorts: readonly Pictured["sort"][];
  readonly hint: string;
}

export const TITLES: Readonly<Record<string, string>> = {
  holdings: "Holdings",
  certificates: "Certificates",
  railroads: "Railroads",
  faces: "Faces",
  investors: "Investors",
  effects: "What investors do",
  track: "Track of share values",
  tokens: "Tokens",
  zones: "Places on a holding's card",
  decks: "Decks",
  money: "Money",
};

export const spaces: readonly Space[] = [
  { id: "holdings", title: "Holdings", tables: ["holdings", "certificates"], sorts: ["holding", "certificate"], hint: "Holdings operate in the order of the rows. Certificates of a holding add up to 100 per cent." },
  { id: "railroads", title: "Railroads", tables: ["railroads", "faces"], sorts: ["railroad"], hint: "The stack has railroads in the order of the rows. A railroad of two faces has the second on its back." },
  { id: "investors", title: "Investors", tables: ["investors", "effects"], sorts: ["investor"], hint: "An investor does what its effects say; each needs the values that its line names." },
  { id: "track", title: "Track", tables: ["track"], sorts: ["track"], hint: "The lowest line stands first. A line without a value is a gap." },
  { id: "pieces", title: "Pieces", tables: ["tokens", "zones", "decks", "money"], sorts: ["token", "overview", "back"], hint: "Tokens agree with the holdings; decks with the cards." },
  { id: "rules", title: "Rules", tables: [], sorts: [], hint: "Each setting stands with the row of the printed rules that it is from." },
  { id: "sheets", title: "Sheets", tables: [], sorts: [], hint: "What a printer gets, page by page." },
];

export const space = signal("holdings");
export const currentSpace = computed(() => spaces.find((one) => one.id === space.value) ?? spaces[0]!);

export function openTable(table: string): void {
  const to = spaces.find((one) => one.tables.includes(table));
  if (to) space.value = to.id;
}

/** Choose a row, and show its tables. */
export function goToRow(table: string, key: string): void {
  openTable(table);
  current.value = { table, key };
}

board.registerSteps();
register(
  ...spaces.map((one, n) => ({ id: `space-${n + 1}`, label: `Open: ${one.title}`, group: "Work spaces", keys: [String(n + 1)], run: () => void (space.value = one.id) })),
  { id: "escape", label: "Let go of what is chosen", group: "Edit", keys: ["Escape"], enabled: () => current.value !== null, needs: "choose a row first", run: () => void (current.value = null) },
);
