// An open board as its tables, and how it is changed. Nothing here is changed by the page itself.
import { batch, signal } from "@preact/signals";
import { register } from "../actions";
import { BoardState } from "../boardState";
import type { Connection } from "../connection";
import { askJson, openWindow } from "../entry";
import type { JsonValue } from "../generated";
import { tableAnswer, tableCommand, tableMessage } from "../json";
import { nextTheme } from "../shell/theme";
import { Steps } from "../steps";
import type { FromServer } from "../wire";
import type { Row, RowChange, TableCommand, TableMessage, Tables } from "./wire";

export class OpenDocument<View extends object> extends BoardState {
  readonly view = signal<View | null>(null);
  readonly tables = signal<Tables>({});
  readonly title = signal("");
  /** Whether the saved board is shown, or compared with. */
  readonly before = signal(false);
  readonly steps: Steps;

  /** `touched` hears of the rows that change, before they do; of none, and `true`, when the board is opened. */
  constructor(private readonly touched: (changes: readonly RowChange[], opened: boolean) => void = () => undefined) {
    super();
    this.steps = new Steps({ revision: this.revision, unsaved: this.unsaved, toUndo: this.toUndo, toRedo: this.toRedo, hear: (message: FromServer) => this.hear(tableMessage<View>(message)) });
  }

  get connection(): Connection {
    return this.steps.connection;
  }

  /** Do a command; a toast says why one is refused, and a dialog with both values that somebody else changed the same. */
  run = async (command: TableCommand): Promise<boolean> => (await this.steps.run(tableCommand(command))).ok;

  /** Ask a question of the kind. */
  query = async (name: string, body: Readonly<Record<string, JsonValue>>): Promise<Readonly<Record<string, JsonValue | undefined>>> =>
    tableAnswer(await askJson(`/api/ask/${name}`, body));

  /** Register the actions that every such page has. */
  registerSteps(): void {
    register(
      { id: "undo", label: "Undo", group: "Edit", keys: ["Ctrl+Z"], enabled: () => this.toUndo.value !== null, needs: "nothing has been done yet", run: () => void this.steps.undo() },
      { id: "redo", label: "Redo", group: "Edit", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], enabled: () => this.toRedo.value !== null, needs: "undo something first", run: () => void this.steps.redo() },
      { id: "save", label: "Save", group: "Edit", keys: ["Ctrl+S"], enabled: () => this.unsaved.value, needs: "all files are saved already", run: () => void this.steps.save() },
      { id: "before", label: "Compare with the saved board", group: "View", keys: ["B"], run: () => (this.before.value = !this.before.value) },
      { id: "window", label: "Open another window", group: "View", run: openWindow },
      { id: "theme", label: "Light or dark", group: "View", keys: ["Alt+T"], run: nextTheme },
    );
  }

  private changed(message: Extract<TableMessage<View>, { type: "changed" }>): void {
    const next: Record<string, Record<string, Row>> = {};
    this.touched(message.changes, false);
    for (const { table, key, after } of message.changes) {
      const rows = (next[table] ??= { ...this.tables.value[table] });
      if (after === null) delete rows[key];
      else rows[key] = after;
    }
    this.tables.value = { ...this.tables.value, ...next };
    const name = this.tables.value["settings"]?.["title"]?.["value"];
    if (typeof name === "string") this.title.value = name;
    if (this.view.value) this.view.value = { ...this.view.value, ...message.view };
  }

  private hear(message: TableMessage<View>): void {
    batch(() => {
      this.hearSteps(message);
      switch (message.type) {
        case "hello":
          this.touched([], true);
          this.view.value = message.view;
          this.tables.value = message.tables;
          this.title.value = message.title;
          this.findings.value = message.findings;
          break;
        case "changed":
          this.changed(message);
          break;
        case "findings":
          this.findings.value = message.findings;
          break;
        default:
      }
    });
  }
}

/** A board, whatever its view. */
export type AnyDocument = Omit<OpenDocument<object>, "view">;

/** A cell as text: lists with spaces between their words. */
export const cellText = (value: JsonValue | undefined): string => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => cellText(one as JsonValue)).join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** The rows of a table in the order of its file, each with its key. */
export type Entry = Row & { readonly key: string };
export const entries = (tables: Tables, table: string): Entry[] =>
  Object.entries(tables[table] ?? {})
    .map(([key, row]) => ({ ...row, key }))
    .sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
