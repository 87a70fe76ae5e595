// What the tables of a card game do: change a cell, add, copy, rename, move and remove rows, each as one step.
import type { JsonValue } from "../generated";
import { slug } from "../names";
import { cellText, entries, type Entry } from "../tabled/document";
import { ask, askText } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import type { Row } from "../tabled/wire";
import { board, current, tables, view } from "./store";
import { OF_A_HOLDING } from "../colours";

type Fields = Record<string, JsonValue>;
interface Change {
  readonly table: string;
  readonly key: string;
  readonly row: Fields | null;
}

const SINGULAR: Readonly<Record<string, string>> = {
  holdings: "holding",
  certificates: "certificate",
  railroads: "railroad",
  faces: "face",
  investors: "investor",
  effects: "effect",
  track: "line",
  tokens: "row of tokens",
  zones: "zone",
  decks: "deck",
  money: "denomination",
};
export const nounOf = (table: string): string => SINGULAR[table] ?? "row";

export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

const set = (label: string, rows: readonly Change[]): Promise<boolean> =>
  board.run({ kind: "set-rows", label: label.slice(0, 200), rows: rows.map(({ table, key, row }) => ({ table, key, row })) });

/** Change rows and choose one of them at once, so that the next step of a quick author concerns it. */
async function changeAndChoose(table: string, key: string, label: string, rows: readonly Change[]): Promise<void> {
  const earlier = current.value;
  current.value = { table, key };
  if (!(await set(label, rows))) current.value = earlier;
}

const fieldsOf = (entry: Entry): Fields => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== "key"));
const rowOf = (row: Row): Fields => ({ ...row });

/** Change one cell; what is empty gets its default. */
export function setCell(table: string, entry: Entry, field: string, value: JsonValue): void {
  current.value = { table, key: entry.key };
  const next = { ...fieldsOf(entry), [field]: value };
  if (value === "" || value === null) delete next[field];
  void set(`Change ${field.replaceAll("_", " ")} of ${entry.key}`, [{ table, key: entry.key, row: next }]);
}

/** The rows of other tables that name a row, by table. */
function users(table: string, key: string): Map<string, [string, string, Row][]> {
  const found = new Map<string, [string, string, Row][]>();
  for (const [other, columns] of Object.entries(view.value?.columns ?? {})) {
    for (const column of columns) {
      if (column.names !== table) continue;
      for (const [id, row] of Object.entries(tables.value[other] ?? {})) {
        if (row[column.name] === key) found.set(other, [...(found.get(other) ?? []), [id, column.name, row]]);
      }
    }
  }
  return found;
}

const listed = (words: readonly string[]): string => (words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`);
const many = (n: number, table: string): string => `${n} ${n === 1 ? nounOf(table) : table === "track" ? "lines" : table}`;

/** Remove a row; with the rows that name it, if the author says so. */
export async function removeRow(table: string, entry: Entry): Promise<void> {
  const using = users(table, entry.key);
  const also: Change[] = [...using].flatMap(([other, rows]) => rows.map(([key]) => ({ table: other, key, row: null })));
  if (also.length > 0) {
    const text = `${listed([...using].map(([other, rows]) => many(rows.length, other)))} name ${entry.key}. Undo brings all of it back.`;
    const answer = await ask({
      title: `Remove ${entry.key}?`,
      text,
      buttons: [
        { id: "no", label: "Cancel" },
        { id: "all", label: "Remove all of it", kind: "danger" },
      ],
    });
    if (answer !== "all") return;
  }
  if (await set(`Remove ${entry.key}`, [{ table, key: entry.key, row: null }, ...also])) current.value = null;
}

/** Give a row another id, also where other rows name it. */
export function renameRow(table: string, entry: Entry, given: string): void {
  const key = table === "money" ? given.trim() : slug(given);
  if (!key || key === entry.key) return;
  if (tables.value[table]?.[key]) return void toast(`There is a ${nounOf(table)} ${key} already; choose another id.`, "warning");
  const also = [...users(table, entry.key)].flatMap(([other, rows]) => rows.map(([id, column, row]): Change => ({ table: other, key: id, row: { ...rowOf(row), [column]: key } })));
  const changes: Change[] = [{ table, key: entry.key, row: null }, { table, key, row: fieldsOf(entry) }, ...also];
  void changeAndChoose(table, key, `Call ${entry.key} ${key}`, changes);
}

/** Move a row by so many places. */
export function moveRow(table: string, entry: Entry, by: number): void {
  const rows = entries(tables.value, table);
  const at = rows.findIndex((one) => one.key === entry.key);
  const to = Math.max(0, Math.min(rows.length - 1, at + by));
  if (at < 0 || to === at) return;
  const rest = rows.filter((one) => one.key !== entry.key);
  const [below, above] = [rest[to - 1], rest[to]];
  const rank = below && above ? (below.rank + above.rank) / 2 : below ? below.rank + 1 : (above?.rank ?? 0) - 1;
  void set(`Move ${entry.key}`, [{ table, key: entry.key, row: { ...fieldsOf(entry), rank } }]);
}

/** What a new row begins with: as little as a row may have, of what is chosen where it belongs to something. */
function least(table: string): Fields {
  const chosen = (other: string): string => (current.value?.table === other ? current.value.key : (entries(tables.value, other)[0]?.key ?? ""));
  const last = entries(tables.value, table).at(-1);
  const number = (value: JsonValue | undefined): number => (typeof value === "number" ? value : 0);
  const made: Readonly<Record<string, () => Fields>> = {
    holdings: () => ({ name: "New holding", colour: OF_A_HOLDING, operators: 4 }),
    certificates: () => ({ holding: chosen("holdings"), percent: 10 }),
    railroads: () => ({ category: cellText(last?.["category"]) || "A" }),
    faces: () => ({ railroad: chosen("railroads"), level: "2", cost: 100, income: 10 }),
    investors: () => ({ value: 100 }),
    effects: () => ({ investor: current.value?.table === "investors" ? current.value.key : "", effect: "switch-priority" }),
    track: () => ({ value: number(last?.["value"]) + 10 }),
    tokens: () => ({ holding: chosen("holdings"), use: "operator", count: 1 }),
    zones: () => ({ meaning: "keep" }),
    decks: () => ({ cards: "railroads" }),
  };
  return made[table]?.() ?? {};
}

function freeKey(table: string, wanted: string): string {
  const taken = tables.value[table] ?? {};
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? wanted : `${wanted}-${n}`;
    if (!taken[key]) return key;
  }
}

function proposed(table: string, row: Fields): string {
  const of = (name: string): string => cellText(row[name]);
  const first: Readonly<Record<string, string>> = {
    certificates: `${of("holding")}-${of("percent")}`,
    faces: `${of("railroad")}-${of("level")}`,
    railroads: `${of("category")}-1`,
    investors: `i${of("value")}`,
    effects: `${of("investor") || "open"}-${of("effect")}`,
    track: `v${of("value")}`,
    tokens: `${of("holding")}-${of("use")}`,
    money: "1",
  };
  return freeKey(table, table === "money" ? "1" : slug(first[table] ?? nounOf(table)));
}

/** Add a row under an id that the author gives; it becomes the chosen one. */
export async function addRow(table: string, from?: Entry): Promise<void> {
  const row = from ? fieldsOf(from) : least(table);
  delete row["rank"];
  const label = table === "money" ? "Denomination, in dollars" : "Its id, by which other rows name it";
  const given = await askText(from ? `Copy ${from.key}` : `New ${nounOf(table)}`, label, from ? freeKey(table, from.key) : proposed(table, row), "Add");
  if (!given) return;
  const key = table === "money" ? given : slug(given);
  if (!key) return void toast("An id has letters or digits; give one.", "warning");
  if (tables.value[table]?.[key]) return void toast(`There is a ${nounOf(table)} ${key} already; choose another id.`, "warning");
  await changeAndChoose(table, key, from ? `Copy ${from.key} as ${key}` : `Add ${key}`, [{ table, key, row }]);
}
