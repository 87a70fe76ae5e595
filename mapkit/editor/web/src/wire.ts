// What the server and the page say to each other, under the names that the page uses. All of it is declared in
// generated.ts, which follows from the models of Python; here nothing is declared again.
import type { Done, Questions, Refused, Tables, Version as AskedVersion } from "./generated";

export { TABLES } from "./generated";
export type {
  Bodies,
  Box,
  City as CityRow,
  Command,
  DrawnBoard,
  FromServer,
  JobState as Job,
  JsonValue,
  Knock,
  Limits,
  ListedHistory as History,
  ListedStep as Step,
  OnDisk,
  PictureAbout,
  Railroad as RailroadRow,
  Region as RegionRow,
  Replies,
  Request,
  Severity,
  ShownConflict as Conflict,
  ShownFinding as Finding,
  ShownJunction as Junction,
  ShownLine as Line,
  ShownMilepost as Milepost,
  ShownPage as Page,
  ShownSegment as Segment,
  ShownStop as Stop,
  TableChange,
  Tables,
  View,
  ViewDelta,
} from "./generated";

export type Point = readonly [number, number];

/** A version with all that may be left out. */
export type Version = Required<AskedVersion>;

/** The name of a table, and the row of one. */
export type TableName = keyof Tables;
export type RowOf<Name extends TableName> = Tables[Name][string];

/** The name of a question, what it asks, and its answer with the revision of the board that it is of. */
export type QuestionName = keyof Questions;
export type Asking<Name extends QuestionName> = Questions[Name]["ask"];
export type AnswerTo<Name extends QuestionName> = Questions[Name]["answer"] & { readonly revision: number };

/** What became of a request. */
export type Answer =
  | ({ ok: true } & Pick<Done, "revision">)
  | ({ ok: false } & Pick<Refused, "message" | "cause"> & Required<Pick<Refused, "conflict">>);
