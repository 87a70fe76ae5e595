// What the page knows of the board: Python's tables, the derived view, history and findings, each an immutable value
// in a signal. Nothing here is changed by the page itself; it sends commands and hears what became of them.
import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { BoardState } from "./boardState";
import { withoutCommands } from "./errors";
import { TABLES } from "./wire";
import type {
  FromServer,
  Junction,
  Line,
  Milepost,
  Page,
  RowOf,
  Segment,
  TableChange,
  TableName,
  View,
  ViewDelta,
} from "./wire";

type ChangeOf<Name extends TableName> = TableChange & { readonly table: Name; readonly after: RowOf<Name> | null };
type AllRows = { readonly [Name in TableName]: Dict<RowOf<Name>> };
type Dict<T> = Readonly<Record<string, T>>;

const DEFAULT_PAGE: Page = {
  width: 1000,
  height: 700,
  frame: [0, 0, 1000, 700],
  projection: { name: "", crs: "", scale_mm_per_m: 1, offset_x_mm: 0, offset_y_mm: 0 },
};
const tables = Object.fromEntries(TABLES.map((name) => [name, signal({})])) as { readonly [Name in TableName]: Signal<Dict<RowOf<Name>>> };
const listeners = new Set<(delta: ViewDelta | null) => void>();

export const ready = signal(false);
export const board = signal("");
/** As the settings have it now, so that a new title shows at once. */
export const title = computed(() => {
  const said = table("settings").value["title"]?.value;
  return typeof said === "string" ? said : "";
});
const state = new BoardState();
export const { revision, position, unsaved, history, toUndo, toRedo, findings } = state;
/** The revision that the findings are of. */
export const checkedRevision = signal(0);
/** How each check ended: passed, found, skipped, crashed. */
export const checks = signal<Readonly<Record<string, string>>>({});
/** The revision whose drawing was checked last, on request; null for never. Its findings stay until the next time. */
export const drawnRevision = signal<number | null>(null);
/** How far the running checks are; null when none run. */
export const checking = signal<{ done: number; of: number; what: string } | null>(null);
/** A new board that waits for what it begins with. */
export const choosing = signal<{ board: string; boards: readonly string[]; recent: readonly string[]; titles: Readonly<Record<string, string>> } | null>(null);

/** Whether a check judges amounts by one another. */
export const judgesAmounts = (code: string): boolean => /^(P08|P09|P10|P11)$/.test(code);
/** Whether a check runs only when everything is checked: of the drawing, or of amounts by one another. */
export const ofFullCheck = (code: string): boolean => code.startsWith("R") || judgesAmounts(code);

export const page = signal<Page>(DEFAULT_PAGE);
export const mileposts = signal<Dict<Milepost>>({});
export const segments = signal<Dict<Segment>>({});
export const junctions = signal<Dict<Junction>>({});
export const lines = signal<Dict<Line>>({});

/** A table of the document, by Python's name of it. */
export function table<Name extends TableName>(name: Name): ReadonlySignal<Dict<RowOf<Name>>> {
  return tables[name];
}

/** Rows in the order of their file, with their keys. */
export function rows<Name extends TableName>(name: Name): readonly (RowOf<Name> & { readonly key: string })[] {
  const all: Dict<RowOf<Name>> = table(name).value;
  return Object.entries(all)
    .map(([key, row]) => ({ ...row, key }))
    .sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
}

export const railroads = table("railroads");
export const cities = table("cities");
export const regions = table("regions");

/** Hear of every change of the view; `null` when all of it is new. Returns how to stop. */
export function onView(listener: (delta: ViewDelta | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The whole view as it is now. */
export function view(): View {
  return {
    mileposts: mileposts.value,
    segments: segments.value,
    junctions: junctions.value,
    lines: lines.value,
    page: page.value,
  };
}

function merged<T>(old: Dict<T>, changed: Dict<T | null>): Dict<T> {
  if (Object.keys(changed).length === 0) return old;
  const out: Record<string, T> = { ...old };
  for (const [key, value] of Object.entries(changed)) {
    if (value === null) delete out[key];
    else out[key] = value;
  }
  return out;
}

function showAll(all: View): void {
  mileposts.value = all.mileposts;
  segments.value = all.segments;
  junctions.value = all.junctions;
  lines.value = all.lines;
  page.value = all.page;
}

const isOf = <Name extends TableName>(change: TableChange, name: Name): change is ChangeOf<Name> => change.table === name;

// without the name as a type, rows of one table could be put into another
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
function changeTable<Name extends TableName>(name: Name, changes: readonly TableChange[]): void {
  const touched: Record<string, RowOf<Name> | null> = {};
  for (const change of changes) if (isOf(change, name)) touched[change.key] = change.after;
  tables[name].value = merged<RowOf<Name>>(tables[name].value, touched);
}

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
function setTable<Name extends TableName>(name: Name, all: AllRows): void {
  tables[name].value = all[name];
}

function show(delta: ViewDelta): void {
  mileposts.value = merged(mileposts.value, delta.mileposts);
  segments.value = merged(segments.value, delta.segments);
  junctions.value = merged(junctions.value, delta.junctions);
  lines.value = merged(lines.value, delta.lines);
  page.value = delta.page ?? page.value;
}

/** Take in what the server says. */
export function hear(message: FromServer): void {
  let shown: ViewDelta | null | undefined;
  batch(() => {
    state.hearSteps(message);
    switch (message.type) {
      case "hello":
        for (const name of TABLES) setTable(name, message.tables);
        board.value = message.board;
        findings.value = message.findings;
        checkedRevision.value = message.revision;
        checking.value = null;
        choosing.value = null;
        drawnRevision.value = null;
        showAll(message.view);
        ready.value = true;
        shown = null;
        break;
      case "changed": {
        for (const name of new Set(message.changes.map((change) => change.table))) changeTable(name, message.changes);
        show(message.view);
        shown = message.view;
        break;
      }
      case "findings": {
        const drawn = message.drawing ? [] : findings.value.filter((finding) => ofFullCheck(finding.code));
        findings.value = [...message.findings.map((each) => ({ ...each, message: withoutCommands(each.message) })), ...drawn];
        checks.value = message.drawing ? message.checks : { ...checks.value, ...message.checks };
        checkedRevision.value = message.revision;
        if (message.drawing) {
          drawnRevision.value = message.revision;
          checking.value = null;
        }
        break;
      }
      case "checking":
        checking.value = message.of > 0 || message.what ? { done: message.done, of: message.of, what: message.what } : null;
        break;
      case "choose":
        choosing.value = { board: message.board, boards: message.boards, recent: message.recent, titles: message.titles };
        break;
      case "view":
        show(message.view);
        shown = message.view;
        break;
      default:
    }
  });
  if (shown !== undefined) for (const listener of listeners) listener(shown);
}
