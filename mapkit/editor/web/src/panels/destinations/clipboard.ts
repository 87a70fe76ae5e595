// Cells as text, one line a sum and tabs between odd and even, as spreadsheets have them.
import { toast } from "../../ui";
import { cities, regions } from "../../store";
import { plain } from "../../names";
import { active, cellAt, chart, contents, PARITIES, picked, REGIONS, setCells, spot, SUMS, thing, type CellKey } from "./state";

export function copied(): string {
  const cells = [...picked.value].map(spot);
  const rows = SUMS.filter((_, row) => cells.some((cell) => cell.row >= row) && cells.some((cell) => cell.row <= row));
  const columns = PARITIES.filter((parity) => cells.some((cell) => cell.parity === parity));
  const text = (cell: CellKey): string => {
    const item = picked.value.has(cell) ? contents(chart.value, cell) : null;
    return item === null ? "" : thing(chart.value, item).name;
  };
  return rows.map((total) => columns.map((parity) => text(`${parity}/${total}`)).join("\t")).join("\n");
}

function known(): Map<string, string> {
  const out = new Map<string, string>();
  const all: Readonly<Record<string, { readonly name: string; readonly short?: string }>> =
    chart.value === REGIONS ? regions.value : cities.value;
  for (const [id, row] of Object.entries(all)) {
    out.set(plain(id), id);
    if (row.short !== undefined) out.set(plain(row.short), id);
  }
  for (const [id, row] of Object.entries(all)) out.set(plain(row.name), id);
  return out;
}

/** Put text into the cells from the active one on; one name fills all chosen cells. */
/** Copy the chosen cells by the menu; the browser may not allow it. */
export async function copyCells(): Promise<void> {
  try {
    await navigator.clipboard.writeText(copied());
    toast(`Copied ${picked.value.size === 1 ? "a cell" : `${picked.value.size} cells`}; Ctrl+V puts them elsewhere.`);
  } catch {
    toast("The browser did not allow copying; press Ctrl+C in the chart.", "warning");
  }
}

export function paste(text: string): void {
  let rows = text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t").map((cell) => cell.trim()));
  const names = known();
  const values = new Map<CellKey, string | null>();
  const unknown: string[] = [];
  const put = (cell: CellKey, name: string): void => {
    const id = name === "" ? null : names.get(plain(name));
    if (id === undefined) unknown.push(name);
    else values.set(cell, id);
  };
  const summed = rows.filter((row) => row.length >= 3 && /^([2-9]|1[0-2])$/.test(row[0] ?? ""));
  if (summed.length > 0) {
    for (const [sum, ...rest] of summed) {
      for (const [i, parity] of PARITIES.entries()) put(`${parity}/${Number(sum)}`, rest[i] ?? "");
    }
  } else if (rows.length === 1 && rows[0]?.length === 1) {
    for (const cell of picked.value) put(cell, rows[0][0] ?? "");
  } else {
    const from = spot(active.value);
    rows = rows.slice(0, SUMS.length - from.row);
    for (const [i, row] of rows.entries()) {
      for (const [j, name] of row.slice(0, 2 - from.column).entries()) put(cellAt(from.row + i, from.column + j), name);
    }
  }
  if (unknown.length > 0) {
    const few = unknown.slice(0, 4).join(", ");
    const what = chart.value === REGIONS ? "region" : "city";
    toast(`Nothing was pasted: the board has no ${what} ${few}${unknown.length > 4 ? " …" : ""}.`, "error");
    return;
  }
  void setCells(chart.value, values, `Paste ${values.size} cells`);
}
