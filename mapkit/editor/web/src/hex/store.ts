// What the page knows of a hexagon board, and how it asks for changes. Nothing here is changed by the page itself.
import { batch, computed, signal } from "@preact/signals";
import { Connection } from "../connection";
import type { JsonValue, ListedHistory, ShownFinding } from "../generated";
import { hexAnswer, hexCommand, hexMessage } from "../json";
import { toast } from "../ui/Toast";
import type { Answer } from "../wire";
import { Grid } from "./grid";
import type { HexCommand, HexMessage, HexTables, HexView, Row } from "./wire";

export const view = signal<HexView | null>(null);
export const tables = signal<HexTables>({});
export const title = signal("");
export const revision = signal(0);
export const position = signal(0);
export const unsaved = signal(false);
export const history = signal<ListedHistory>({ position: 0, saved: 0, steps: [], other: [] });
export const findings = signal<readonly ShownFinding[]>([]);
/** The hexagons and edges that changed since the drawing was made: the light layer shows them until it is made again. */
export const fresh = signal<ReadonlySet<string>>(new Set());

export const grid = computed(() => (view.value ? new Grid(view.value.grid) : null));
export const terrains = computed(() => view.value?.terrains ?? []);
const fieldText = (row: Row | undefined, name: string): string => {
  const value = row?.[name];
  return typeof value === "string" ? value : "";
};
export const terrainOf = (hex: string): string => fieldText(tables.value["hexes"]?.[hex], "terrain") || (view.value?.terrain ?? "plains");
export const colourOf = (terrain: string): string => terrains.value.find((one) => one.id === terrain)?.colour ?? "#ffffff";

export interface City {
  readonly id: string;
  readonly name: string;
  readonly hex: string;
  readonly colours: readonly string[];
}
export const wordsOf = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
export const cities = computed<readonly City[]>(() =>
  Object.entries(tables.value["cities"] ?? {})
    .map(([id, row]) => ({ id, name: fieldText(row, "name"), hex: fieldText(row, "hex"), colours: wordsOf(row["colours"]) }))
    .sort((a, b) => a.name.localeCompare(b.name)),
);
export const cityAt = (hex: string): City | undefined => cities.value.find((city) => city.hex === hex);
export const edgeKinds = (edge: string): string[] => wordsOf(tables.value["edges"]?.[edge]?.["kinds"]);

export const toUndo = computed(() => {
  const { position: at, steps } = history.value;
  return at === 0 ? null : (steps.find((step) => step.n === at)?.label ?? null);
});
export const toRedo = computed(() => history.value.steps.find((step) => !step.done)?.label ?? null);

function changed(message: Extract<HexMessage, { type: "changed" }>): void {
  const next: Record<string, Record<string, Row>> = {};
  const touched = new Set(fresh.value);
  for (const { table, key, after } of message.changes) {
    const rows = (next[table] ??= { ...tables.value[table] });
    if (after === null) delete rows[key];
    else rows[key] = after;
    if (table === "hexes" || table === "edges") touched.add(key);
    if (table === "cities") for (const row of [tables.value[table]?.[key], after]) if (row) touched.add(fieldText(row, "hex"));
  }
  tables.value = { ...tables.value, ...next };
  fresh.value = touched;
  const name = tables.value["settings"]?.["title"]?.["value"];
  if (typeof name === "string") title.value = name;
  if (view.value) view.value = { ...view.value, ...message.view };
}

function hear(message: HexMessage): void {
  batch(() => {
    if (message.type === "hello" || message.type === "changed") {
      revision.value = message.revision;
      position.value = message.position;
      unsaved.value = message.unsaved;
      history.value = message.history;
    }
    switch (message.type) {
      case "hello":
        view.value = message.view;
        tables.value = message.tables;
        title.value = message.title;
        findings.value = message.findings;
        fresh.value = new Set();
        for (const text of message.notices) toast(text, "warning");
        break;
      case "changed":
        changed(message);
        break;
      case "findings":
        findings.value = message.findings;
        break;
      case "saved":
        history.value = message.history;
        unsaved.value = message.unsaved;
        break;
      case "checkpoint":
        history.value = message.history;
        break;
      case "notice":
        toast(message.message, message.level);
        break;
      case "disk":
        toast(`Changed on disk and here: ${message.files.join(", ")}. Undo here, or save again.`, "warning");
        break;
      default:
    }
  });
}

// the same messages; tables and view are those of this kind
export const connection = new Connection((message) => hear(hexMessage(message)));

async function asked(answer: Promise<Answer>): Promise<boolean> {
  const got = await answer;
  if (!got.ok) toast(got.message, "error");
  return got.ok;
}

/** Do a command; a toast says why one is refused. */
export const run = (command: HexCommand): Promise<boolean> =>
  asked(connection.request({ type: "do", command: hexCommand(command), seen: revision.value }));
export const undo = (): void => void asked(connection.request({ type: "undo" }));
export const redo = (): void => void asked(connection.request({ type: "redo" }));
export const goTo = (to: number): void => void asked(connection.request({ type: "goto", to }));
export async function save(): Promise<void> {
  if (await asked(connection.request({ type: "save" }))) toast("Saved to the files of the board.");
}

/** Ask a question of mapkit/kinds/hex/questions.py. */
export const query = async (name: string, body: JsonValue): Promise<Readonly<Record<string, JsonValue | undefined>>> =>
  hexAnswer(await fetch(`/api/ask/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
