// What is sent to the board.
import { run, runAll } from "../../edit";
import { revision } from "../../store";
import { ask, toast } from "../../ui";
import type { Answer, Command } from "../../wire";
import { amount, blockPairs, blockTable, cityName, keyOf, pairText, torn, waiting, type Pair } from "./chart";
import { amountText, tsv } from "./amounts";

export type CellChange = readonly [string, string, number | null];

/** Set cells as one step under a name that undo will say. */
export function setCells(label: string, cells: readonly CellChange[], seen = revision.value): Promise<Answer> {
  return run({ kind: "batch", label: label.slice(0, 200), commands: [{ kind: "set-payoffs", cells }] }, { seen });
}

/** Set one cell; it shows what was typed until the answer is there. */
export async function setCell([a, b]: Pair, value: number | null): Promise<void> {
  if (a === b || (amount(a, b) === value && !torn(a, b))) return;
  const key = keyOf(a, b);
  waiting.value = new Map(waiting.value).set(key, value);
  await run({ kind: "set-payoff", a, b, thousands: value });
  const left = new Map(waiting.value);
  left.delete(key);
  waiting.value = left;
}

export const fill = (pairs: readonly Pair[], value: number | null): Command => ({
  kind: "set-payoffs",
  cells: pairs.map(([a, b]) => [a, b, value] as const),
});

/** Empty the cells of the block. */
export async function clearBlock(): Promise<void> {
  const pairs = blockPairs.value.filter(([a, b]) => amount(a, b) !== null || torn(a, b));
  const only = pairs[0];
  if (pairs.length === 1 && only) return setCell(only, null);
  if (pairs.length > 0) await run(fill(pairs, null));
}

export async function copyBlock(names: boolean): Promise<void> {
  const table = blockTable(names);
  try {
    await navigator.clipboard.writeText(tsv(table));
    toast(`Copied ${table.length} x ${table[0]?.length ?? 0} cells; paste them into a spreadsheet.`);
  } catch {
    toast("The browser did not allow copying; press Ctrl+C in the chart.", "warning");
  }
}

export const changeText = (a: string, b: string, was: number | null, now: number | null): string =>
  `${pairText(a, b)}: ${amountText(was) || "empty"} to ${amountText(now) || "empty"}`;

/** Start the chart with the amounts that are computed, as one step. */
export const startComputed = (): Promise<Answer> =>
  runAll("Start the payoff chart", [{ kind: "start-payoffs" }, { kind: "recompute-payoffs" }]);

export const startChart = (): Promise<Answer> => run({ kind: "start-payoffs" });

export async function clearChart(): Promise<void> {
  const said = await ask({
    title: "Take out the payoff chart",
    text: "All amounts go. If board.toml has [payoffs], the chart is computed from distances instead. Undo brings it back.",
    buttons: [
      { id: "clear", label: "Take it out", kind: "danger" },
      { id: "keep", label: "Keep it" },
    ],
  });
  if (said === "clear") await run({ kind: "clear-payoffs" });
}

export const acceptLabel = (cells: readonly CellChange[]): string => {
  const only = cells[0];
  return cells.length === 1 && only
    ? `Accept ${amountText(only[2]) || "empty"} for ${cityName(only[0])} - ${cityName(only[1])}`
    : `Accept ${cells.length} suggested payoffs`;
};
