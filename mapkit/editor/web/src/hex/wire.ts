// What the server says of a hexagon board: the messages of every kind, with tables and view of this one.
import type { JsonValue, ListedHistory, ShownFinding } from "../generated";

export type Row = Readonly<Record<string, JsonValue>> & { readonly rank: number };
export type HexTables = Readonly<Record<string, Readonly<Record<string, Row>>>>;

export type HexCommand = { readonly kind: string } & Readonly<Record<string, JsonValue>>;

export interface GridView {
  readonly offset: "odd-r" | "even-r" | "odd-q" | "even-q";
  readonly columns: number;
  readonly rows: number;
  readonly size: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface TerrainView {
  readonly id: string;
  readonly name: string;
  readonly cost: number | null;
  readonly colour: string;
}

export interface HexView {
  readonly grid: GridView;
  readonly terrain: string;
  readonly terrains: readonly TerrainView[];
  readonly pigments: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

interface Change {
  readonly table: string;
  readonly key: string;
  readonly after: Row | null;
}

interface Now {
  readonly revision: number;
  readonly position: number;
  readonly history: ListedHistory;
  readonly unsaved: boolean;
}

export type HexMessage =
  | (Now & {
      type: "hello";
      title: string;
      tables: HexTables;
      view: HexView;
      findings: readonly ShownFinding[];
      notices: readonly string[];
    })
  | (Now & { type: "changed"; changes: readonly Change[]; view: Partial<HexView>; label: string })
  | { type: "findings"; revision: number; findings: readonly ShownFinding[] }
  | { type: "saved"; history: ListedHistory; unsaved: boolean }
  | { type: "checkpoint"; history: ListedHistory }
  | { type: "notice"; message: string; level: "info" | "warning" | "error" }
  | { type: "disk"; files: readonly string[] };
