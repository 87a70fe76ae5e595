// What the server and the page say to each other; the Python side is mapkit/editor/server/wire.py.

/** A row of a table as Python has it; panels narrow it with the interfaces below. */
export type Row = Readonly<Record<string, unknown>>;
export type Table = Readonly<Record<string, Row>>;
export type Tables = Readonly<Record<string, Table>>;

export interface RailroadRow extends Row {
  name: string;
  short: string;
  price: number;
  public: boolean;
  colour: string;
  pattern: string;
  rank: number;
}
export interface CityRow extends Row {
  name: string;
  region: string;
  lon: number | null;
  lat: number | null;
  milepost: string;
  weight: number | null;
  rank: number;
}
export interface RegionRow extends Row {
  name: string;
  short: string;
  colour: string;
  rank: number;
}

export type Point = readonly [number, number];

/** Positions are millimetres on the page, y down. */
export interface Milepost {
  name: string;
  kind: "city" | "dot";
  x: number;
  y: number;
  lon: number;
  lat: number;
  cities: readonly string[];
  region: string | null;
}
export interface Segment {
  railroad: string;
  a: string;
  b: string;
  miles: number;
  path: readonly Point[];
}
export interface Junction {
  railroad: string;
  x: number;
  y: number;
}
export interface Stop {
  /** Its number in the line as typed. */
  at: number;
  place: string;
  kind: "milepost" | "via";
  x: number;
  y: number;
  lon: number;
  lat: number;
  milepost: string | null;
}
export interface Line {
  railroad: string;
  name: string;
  stops: readonly Stop[];
}
export interface Page {
  width: number;
  height: number;
}
export interface View {
  mileposts: Readonly<Record<string, Milepost>>;
  segments: Readonly<Record<string, Segment>>;
  junctions: Readonly<Record<string, Junction>>;
  lines: Readonly<Record<string, Line>>;
  page?: Page;
}
type Changed<T> = Readonly<Record<string, T | null>>;
/** What changed of a view; `null` for what is gone. */
export interface ViewDelta {
  mileposts?: Changed<Milepost>;
  segments?: Changed<Segment>;
  junctions?: Changed<Junction>;
  lines?: Changed<Line>;
  page?: Page;
}

export interface Step {
  /** 0 is the board as it was first opened. */
  n: number;
  parent: number | null;
  label: string;
  client: string;
  /** Whether the board as it is now holds this step; the others can be done again. */
  done: boolean;
  checkpoints: readonly string[];
  /** Steps of other branches that begin here. */
  branches: readonly number[];
}
export interface History {
  position: number;
  /** The step that the files hold. */
  saved: number;
  /** From the start to the present step, then what redo would do. */
  steps: readonly Step[];
  /** The steps of other branches. */
  other: readonly Step[];
}

/** What mapkit/editor/live/checks.py says; x and y are where to fly to. */
export interface Finding {
  id: string;
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  accepted: string | null;
  x: number | null;
  y: number | null;
  [key: string]: unknown;
}
export interface TableChange {
  table: string;
  key: string;
  after: Row | null;
}
export interface Conflict {
  table: string;
  key: string;
  mine: Row | null;
  theirs: Row | null;
}

export interface Hello {
  type: "hello";
  revision: number;
  position: number;
  board: string;
  title: string;
  tables: Tables;
  view: View;
  history: History;
  unsaved: boolean;
  findings: readonly Finding[];
  client: string;
  /** What the author should know first, such as that a shipped board was copied. */
  notices?: readonly string[];
  /** Whether the folder of the board can be written to. */
  writable?: boolean;
  /** Files that were changed by another program, if that is not settled yet. */
  disk?: DiskMessage | null;
}
export interface DiskMessage {
  type: "disk";
  files: readonly string[];
  conflicts: readonly Conflict[];
}
export interface ChangedMessage {
  type: "changed";
  revision: number;
  position: number;
  client: string;
  id: string | null;
  label: string;
  changes: readonly TableChange[];
  view: ViewDelta;
  history: History;
  unsaved: boolean;
}
export type FromServer =
  | Hello
  | ChangedMessage
  | { type: "done"; id: string; revision: number }
  | { type: "refused"; id: string; message: string; conflict?: readonly Conflict[]; cause?: "disk" }
  | { type: "findings"; revision: number; drawing: boolean; findings: readonly Finding[]; checks: Readonly<Record<string, string>> }
  | { type: "saved"; revision: number; files: readonly string[]; history: History; unsaved: boolean }
  | { type: "checkpoint"; revision: number; history: History }
  /** The page was fitted anew: everything is where this says. */
  | { type: "view"; view: ViewDelta }
  | DiskMessage
  /** All checks are running; `of` is 0 before the first, and when they broke off. */
  | { type: "checking"; done: number; of: number; what: string }
  /** The board does not exist yet: what shall it begin with? */
  | { type: "choose"; board: string; boards: readonly string[] }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string };

/** A command as Python's models read it: `kind` and the fields of that kind. */
export interface Command {
  kind: string;
  [field: string]: unknown;
}
export type Request =
  | { type: "do"; command: Command; seen: number; force?: boolean }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "goto"; to: number }
  | { type: "checkpoint"; name: string }
  | { type: "save" }
  /** Fit projection and page to the board as a build would now. */
  | { type: "fit-page" }
  | { type: "disk"; take: "disk" | "mine" }
  /** Run all checks, also of the drawing; they are told to every page when they are done. */
  | { type: "check" };

export interface Refused {
  message: string;
  /** "disk": it could not be written, and would be refused again. */
  cause?: "disk";
  conflict: readonly Conflict[];
}
export type Answer = { ok: true; revision: number } | ({ ok: false } & Refused);
