// What can be done in a card game by the palette: rows of its tables, sheets, and every row by its id or name.
import { register, type Action } from "../actions";
import { registerPalette, type Choice } from "../shell/Palette";
import { cellText, entries, type Entry } from "../tabled/document";
import { addRow, moveRow, nounOf, removeRow } from "./rows";
import { download, printing } from "./Sheets";
import { goToRow, openTable, spaces, TITLES } from "./spaces";
import { current, tables } from "./store";

const TABLES = spaces.flatMap((space) => space.tables);

function chosen(): Entry | undefined {
  const at = current.value;
  return at ? entries(tables.value, at.table).find((row) => row.key === at.key) : undefined;
}

/** An action on the row that is chosen. */
const ofRow = (id: string, label: string, does: (table: string, row: Entry) => void): Action => ({
  id,
  label,
  group: "Rows",
  enabled: () => chosen() !== undefined,
  needs: "choose a row first",
  run: () => {
    const [at, row] = [current.value, chosen()];
    if (at && row) does(at.table, row);
  },
});

register(
  ...TABLES.map((table) => ({ id: `add-${table}`, label: `New ${nounOf(table)} …`, group: "Rows", run: () => (openTable(table), void addRow(table)) })),
  ofRow("row-copy", "Copy the chosen row …", (table, row) => void addRow(table, row)),
  ofRow("row-delete", "Remove the chosen row", (table, row) => void removeRow(table, row)),
  ofRow("row-up", "Move the chosen row up", (table, row) => moveRow(table, row, -1)),
  ofRow("row-down", "Move the chosen row down", (table, row) => moveRow(table, row, 1)),
  { id: "download", label: "Download the sheets as PDF", group: "Print and export", enabled: () => !printing.value, needs: "the PDF is being made", run: () => void download() },
);

function choices(): Choice[] {
  return TABLES.flatMap((table) =>
    entries(tables.value, table).map((row) => {
      const name = cellText(row["name"]);
      return { id: `${table}:${row.key}`, label: name ? `${name} (${row.key})` : row.key, kind: TITLES[table] ?? table, run: () => goToRow(table, row.key) };
    }),
  );
}

registerPalette({ what: "a command or row", choices });
