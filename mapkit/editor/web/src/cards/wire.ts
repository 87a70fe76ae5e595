// What the page of card games gets beside the tables: mapkit/kinds/cards/columns.py and questions.py have the models.
import type { JsonValue } from "../generated";

export interface Option {
  readonly value: string;
  /** What it means, if its name does not say so. */
  readonly about: string;
}

export interface ColumnView {
  readonly name: string;
  readonly kind: "text" | "number" | "check" | "colour" | "choice";
  readonly about: string;
  readonly options: readonly Option[];
  /** The table whose ids are offered. */
  readonly names: string;
  readonly empty: boolean;
}

export interface RuleView {
  readonly key: string;
  readonly group: string;
  readonly kind: "number" | "check" | "choice";
  readonly about: string;
  readonly default: JsonValue;
  readonly options: readonly Option[];
  readonly low: number | null;
  readonly high: number | null;
}

export interface CardView {
  readonly columns: Readonly<Record<string, readonly ColumnView[]>>;
  readonly rules: readonly RuleView[];
  readonly themes: readonly string[];
  readonly sizes: readonly string[];
  readonly languages: readonly string[];
  readonly papers: readonly string[];
  readonly board: string;
}

export interface Pictured {
  readonly id: string;
  readonly sort: "holding" | "certificate" | "railroad" | "investor" | "overview" | "back" | "track" | "token";
  readonly title: string;
  /** The rows that it shows: table and id. */
  readonly rows: readonly (readonly [string, string])[];
  readonly count: number;
  readonly svg: string;
  readonly wide: boolean;
}

export interface Pictures {
  readonly fonts: string;
  readonly pictures: readonly Pictured[];
}

export interface PrintedPages {
  readonly fonts: string;
  readonly pages: readonly string[];
  /** Title, first page, how many. */
  readonly sections: readonly (readonly [string, number, number])[];
  readonly notes: readonly string[];
}

export interface PrintedFile {
  readonly name: string;
  readonly pdf: string;
}

/** A card before and after, where they differ. */
export interface Pair {
  readonly id: string;
  readonly title: string;
  readonly before: Pictured | null;
  readonly after: Pictured | null;
}

export type Fields = Readonly<Record<string, JsonValue>>;

export interface ChangedRow {
  readonly table: string;
  readonly key: string;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** The questions of mapkit/kinds/cards/queries.py, and their answers. */
export interface CardAnswers {
  pictures: Pictures;
  pages: PrintedPages;
  printed: PrintedFile;
  changed: { readonly rows: readonly ChangedRow[] };
}
