// The tables of a work space: cells are changed in place, rows added, copied, moved and removed.
import { Button, EditTable, type Choice, type EditColumn } from "../ui";
import { cellText, entries, type Entry } from "../tabled/document";
import { asTitle } from "../names";
import { addRow, moveRow, nounOf, removeRow, renameRow, setCell, withArticle } from "./rows";
import { currentSpace, TITLES } from "./spaces";
import { current, tables, view } from "./store";
import type { ColumnView } from "./wire";

function offered(column: ColumnView, now: string): readonly Choice[] {
  const ids = column.names ? entries(tables.value, column.names).map((row) => row.key) : column.options.map((one) => one.value);
  const none = column.empty ? [{ value: "", label: "–" }] : [];
  const strange = now !== "" && !ids.includes(now) ? [{ value: now, label: `${now} (unknown)` }] : [];
  return [...none, ...strange, ...ids.map((value) => ({ value, label: value }))];
}

/** What the chosen words of a row mean. */
function Meaning({ table, entry }: { table: string; entry: Entry | undefined }) {
  const columns = (view.value?.columns[table] ?? []).filter((column) => column.options.some((one) => one.about));
  if (columns.length === 0) return null;
  const said = columns.flatMap((column) => {
    const one = column.options.find((option) => option.value === entry?.[column.name]);
    return one?.about ? [`${one.value}: ${one.about}.`] : [];
  });
  return (
    <p class="hint" role="status">
      {said.length > 0 ? said.join(" ") : "Choose a row to read what its words mean."}
    </p>
  );
}

function editOf(table: string, column: ColumnView): EditColumn<Entry>["edit"] {
  const value = (row: Entry): string => cellText(row[column.name]);
  const commit = (row: Entry, text: string): void => setCell(table, row, column.name, text);
  switch (column.kind) {
    case "check":
      return { kind: "check", value: (row) => row[column.name] === true, commit: (row, on) => setCell(table, row, column.name, on) };
    case "colour":
      return { kind: "colour", value, commit };
    case "choice":
      return { kind: "choice", value, commit, options: (row) => offered(column, value(row)) };
    default:
      return { kind: column.kind, value, commit };
  }
}

function columnsOf(table: string): EditColumn<Entry>[] {
  const money = table === "money";
  const id: EditColumn<Entry> = {
    id: "key",
    title: money ? "Dollars" : "Id",
    about: money ? "The denomination" : "By this other rows name it; a new one is written there too",
    sort: (row) => (money ? Number(row.key) : row.key),
    edit: { kind: "text", value: (row) => row.key, commit: (row, given) => renameRow(table, row, given) },
  };
  const rest = (view.value?.columns[table] ?? []).map((column): EditColumn<Entry> => {
    const edit = editOf(table, column);
    return {
      id: column.name,
      title: asTitle(column.name),
      ...(column.about ? { about: column.about } : {}),
      ...(column.kind === "number" ? { align: "right" as const } : {}),
      sort: (row) => (typeof row[column.name] === "number" ? Number(row[column.name]) : cellText(row[column.name])),
      ...(edit ? { edit } : {}),
    };
  });
  return [id, ...rest];
}

function OneTable({ table }: { table: string }) {
  const rows = entries(tables.value, table);
  const chosen = current.value?.table === table ? current.value.key : null;
  const entry = rows.find((row) => row.key === chosen);
  const title = TITLES[table] ?? table;
  return (
    <section class="one-table" aria-label={title}>
      <div class="bar">
        <h2>{title}</h2>
        <span class="soft">{rows.length}</span>
        <span class="end bar">
          <Button onClick={() => void addRow(table)}>Add {withArticle(nounOf(table))} …</Button>
          <Button disabled={!entry} onClick={() => entry && void addRow(table, entry)}>
            Copy …
          </Button>
          <Button kind="danger" disabled={!entry} onClick={() => entry && void removeRow(table, entry)}>
            Remove
          </Button>
        </span>
      </div>
      <EditTable
        caption={title}
        rows={rows}
        columns={columnsOf(table)}
        rowKey={(row) => row.key}
        name={(row) => row.key}
        current={chosen}
        onCurrent={(key) => (current.value = { table, key })}
        onDelete={(row) => void removeRow(table, row)}
        onMove={(row, by) => moveRow(table, row, by)}
        deleting="Remove"
        menu={(row) => [{ id: "row-copy", label: `Copy ${row.key} …`, run: () => void addRow(table, row) }]}
        empty={`No ${nounOf(table)} yet. Add one with the button above.`}
      />
      <Meaning table={table} entry={entry} />
    </section>
  );
}

export function SpaceTables() {
  return (
    <div class="desk-tables">
      {currentSpace.value.tables.map((table) => (
        <OneTable key={table} table={table} />
      ))}
    </div>
  );
}
