// Amounts as they are typed and shown, in thousands.

export const amountText = (value: number | null): string => (value === null ? "" : String(value));

/** What was typed: an amount, null for an empty cell, or why it is none. */
export function readAmount(typed: string, largest: number): { value: number | null } | { why: string } {
  const text = typed.trim().replace(/^[$£€]\s*/, "");
  if (text === "" || text === "-") return { value: null };
  const found = /^(\d*)(?:[.,](\d+))?\s*(½)?\s*[kK]?$/.exec(text);
  if (!found || (!found[1] && !found[2] && !found[3])) return { why: `"${typed.trim()}" is not an amount; type a number such as 14.5` };
  const value = Number(`${found[1] || "0"}.${found[2] ?? "0"}`) + (found[3] ? 0.5 : 0);
  if (value >= 1000 && largest < 200) return { why: `Amounts are in thousands: for ${value} type ${value / 1000}` };
  return { value };
}

/** Cells as a spreadsheet takes them. */
export const tsv = (table: readonly (readonly string[])[]): string => table.map((row) => row.join("\t")).join("\n");
