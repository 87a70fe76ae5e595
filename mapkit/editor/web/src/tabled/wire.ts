// What the server says of a board whose page shows its tables: the messages of every kind, with a view of its own.
import type { StepsNow } from "../boardState";
import type { JsonValue, ListedHistory, ShownFinding } from "../generated";

export type Row = Readonly<Record<string, JsonValue>> & { readonly rank: number };
export type Tables = Readonly<Record<string, Readonly<Record<string, Row>>>>;

export type TableCommand = { readonly kind: string } & Readonly<Record<string, JsonValue>>;

export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly after: Row | null;
}

export type TableMessage<View> =
  | (StepsNow & {
      type: "hello";
      title: string;
      tables: Tables;
      view: View;
      findings: readonly ShownFinding[];
    })
  | (StepsNow & { type: "changed"; changes: readonly RowChange[]; view: Partial<View>; label: string })
  | { type: "findings"; revision: number; findings: readonly ShownFinding[] }
  | { type: "saved"; history: ListedHistory; unsaved: boolean }
  | { type: "checkpoint"; history: ListedHistory };
