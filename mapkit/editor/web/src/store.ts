// What the page knows of the board: Python's tables, the derived view, history and findings, each an immutable value
// in a signal. Nothing here is changed by the page itself; it sends commands and hears what became of them.
import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type {
  CityRow,
  DiskMessage,
  FromServer,
  Finding,
  History,
  Junction,
  Line,
  Milepost,
  Page,
  RailroadRow,
  RegionRow,
  Row,
  Segment,
  Table,
  View,
  ViewDelta,
} from "./wire";

type Dict<T> = Readonly<Record<string, T>>;

const EMPTY_HISTORY: History = { position: 0, saved: 0, steps: [], other: [] };
const DEFAULT_PAGE: Page = { width: 1000, height: 700 };
const tables = new Map<string, Signal<Table>>();
const listeners = new Set<(delta: ViewDelta | null) => void>();

export const ready = signal(false);
export const board = signal("");
/** As the settings have it now, so that a new title shows at once. */
export const title = computed(() => {
  const said = table("settings").value["title"]?.["value"];
  return typeof said === "string" ? said : "";
});
export const client = signal("");
export const revision = signal(0);
export const position = signal(0);
export const unsaved = signal(false);
export const history = signal<History>(EMPTY_HISTORY);
/** What Undo and Redo would do; null when there is nothing. */
export const toUndo = computed(() => {
  const { position: at, steps } = history.value;
  return at === 0 ? null : (steps.find((step) => step.n === at)?.label ?? null);
});
export const toRedo = computed(() => history.value.steps.find((step) => !step.done)?.label ?? null);
export const findings = signal<readonly Finding[]>([]);
/** The revision that the findings are of. */
export const checkedRevision = signal(0);
/** How each check ended: passed, found, skipped, crashed. */
export const checks = signal<Readonly<Record<string, string>>>({});
/** The revision whose drawing was checked last, on request; null for never. Its findings stay until the next time. */
export const drawnRevision = signal<number | null>(null);
/** How far the running checks are; null when none run. */
export const checking = signal<{ done: number; of: number; what: string } | null>(null);
/** A new board that waits for what it begins with. */
export const choosing = signal<{ board: string; boards: readonly string[] } | null>(null);
export const notices = signal<readonly string[]>([]);
/** False if the folder of the board cannot be written to. */
export const writable = signal(true);
/** Files that another program changed in the same rows, until that is settled. */
export const onDisk = signal<DiskMessage | null>(null);
/** Why the last step could not be kept; null again when one was kept. */
export const unkept = signal<string | null>(null);

const OF_DRAWING = /^R\d/;

export const page = signal<Page>(DEFAULT_PAGE);
export const mileposts = signal<Dict<Milepost>>({});
export const segments = signal<Dict<Segment>>({});
export const junctions = signal<Dict<Junction>>({});
export const lines = signal<Dict<Line>>({});

/** A table of the document, by Python's name of it; empty if there is none. */
export function table<T extends Row = Row>(name: string): ReadonlySignal<Dict<T>> {
  let found = tables.get(name);
  if (found === undefined) {
    found = signal<Table>({});
    tables.set(name, found);
  }
  return found as unknown as ReadonlySignal<Dict<T>>;
}

/** Rows in the order of their file, with their keys. */
export function rows<T extends Row = Row>(name: string): readonly (T & { readonly key: string })[] {
  return Object.entries(table<T>(name).value)
    .map(([key, row]) => ({ ...row, key }))
    .sort((a, b) => Number(a["rank"] ?? 0) - Number(b["rank"] ?? 0) || (a.key < b.key ? -1 : 1));
}

export const railroads = table<RailroadRow>("railroads");
export const cities = table<CityRow>("cities");
export const regions = table<RegionRow>("regions");

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

function merged<T>(old: Dict<T>, changed: Readonly<Record<string, T | null>> | undefined): Dict<T> {
  if (changed === undefined || Object.keys(changed).length === 0) return old;
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
  page.value = all.page ?? page.value;
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
    switch (message.type) {
      case "hello":
        for (const name of tables.keys()) if (!(name in message.tables)) tables.get(name)!.value = {};
        for (const [name, all] of Object.entries(message.tables)) {
          table(name);
          tables.get(name)!.value = all;
        }
        board.value = message.board;
        client.value = message.client;
        revision.value = message.revision;
        position.value = message.position;
        unsaved.value = message.unsaved;
        history.value = message.history;
        findings.value = message.findings;
        checkedRevision.value = message.revision;
        checking.value = null;
        choosing.value = null;
        drawnRevision.value = null;
        notices.value = message.notices ?? [];
        writable.value = message.writable ?? true;
        onDisk.value = message.disk ?? null;
        unkept.value = null;
        showAll(message.view);
        ready.value = true;
        shown = null;
        break;
      case "changed": {
        const touched = new Map<string, Record<string, Row | null>>();
        for (const change of message.changes) {
          const of = touched.get(change.table) ?? {};
          of[change.key] = change.after;
          touched.set(change.table, of);
        }
        for (const [name, changes] of touched) {
          const old = table(name).value;
          tables.get(name)!.value = merged(old, changes);
        }
        revision.value = message.revision;
        position.value = message.position;
        unsaved.value = message.unsaved;
        history.value = message.history;
        show(message.view);
        shown = message.view;
        break;
      }
      case "findings": {
        const drawn = message.drawing ? [] : findings.value.filter((finding) => OF_DRAWING.test(finding.code));
        findings.value = [...message.findings, ...drawn];
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
        choosing.value = { board: message.board, boards: message.boards };
        break;
      case "disk":
        onDisk.value = message;
        break;
      case "saved":
        onDisk.value = null;
        history.value = message.history;
        unsaved.value = message.unsaved;
        break;
      case "view":
        show(message.view);
        shown = message.view;
        break;
      case "checkpoint":
        history.value = message.history;
        break;
      default:
    }
  });
  if (shown !== undefined) for (const listener of listeners) listener(shown);
}
