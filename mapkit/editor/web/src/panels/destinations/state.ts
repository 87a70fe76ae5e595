// The open destination chart: its cells, what is chosen in it, and how it is changed.
import { computed, signal } from "@preact/signals";
import { runAll } from "../../edit";
import { cities, regions, revision, rows, table } from "../../store";
import type { DestinationsSolved } from "../../generated";
import type { Answer, AnswerTo, Command } from "../../wire";
import { UNKNOWN } from "../../colours";

export type Odds = AnswerTo<"odds">;
/** A solved chart, and which one it is. */
export type Proposal = DestinationsSolved & { readonly revision: number; readonly chart: string };

export const REGIONS = "regions";
export const PARITIES = ["odd", "even"] as const;
export const SUMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
export const WHOLE = 72;
export type Parity = (typeof PARITIES)[number];
/** A cell of the open chart: "odd/7". */
export type CellKey = `${Parity}/${number}`;
export type Contents = Readonly<Partial<Record<string, string | null>>>;

const chosen = signal<string>(REGIONS);
export const chart = computed(() => (chosen.value in regions.value ? chosen.value : REGIONS));
export const active = signal<CellKey>("odd/2");
export const picked = signal<ReadonlySet<CellKey>>(new Set(["odd/2"]));
/** What Space puts into the chosen cells. */
export const armed = signal<string | null>(null);
export const odds = signal<Odds | null>(null);
const proposed = signal<Proposal | null>(null);
export const proposal = computed(() => {
  const found = proposed.value;
  return found && found.revision === revision.value && found.chart === chart.value ? found : null;
});
export function propose(found: Proposal | null): void {
  proposed.value = found;
}

export function openChart(id: string): void {
  if (id === chosen.value) return;
  chosen.value = id;
  armed.value = null;
  proposed.value = null;
  pick("odd/2");
}

export function pick(cell: CellKey, how: "set" | "toggle" | "range" = "set"): void {
  if (how === "range") {
    picked.value = new Set(block(anchor.value, cell));
    active.value = cell;
    return;
  }
  if (how === "toggle") {
    const next = new Set(picked.value);
    if (next.has(cell) && next.size > 1) next.delete(cell);
    else next.add(cell);
    picked.value = next;
  } else picked.value = new Set([cell]);
  anchor.value = cell;
  active.value = cell;
}

const anchor = signal<CellKey>("odd/2");

export function spot(cell: CellKey): { parity: Parity; total: number; column: number; row: number } {
  const [parity, total] = cell.split("/") as [Parity, string];
  return { parity, total: Number(total), column: PARITIES.indexOf(parity), row: Number(total) - 2 };
}
export function cellAt(row: number, column: number): CellKey {
  const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  return `${PARITIES[within(column, 1)]!}/${SUMS[within(row, 10)]!}`;
}
export const ALL: readonly CellKey[] = PARITIES.flatMap((parity) => SUMS.map((total): CellKey => `${parity}/${total}`));

function block(a: CellKey, b: CellKey): CellKey[] {
  const [one, other] = [spot(a), spot(b)];
  return ALL.filter((cell) => {
    const { row, column } = spot(cell);
    return (
      row >= Math.min(one.row, other.row) &&
      row <= Math.max(one.row, other.row) &&
      column >= Math.min(one.column, other.column) &&
      column <= Math.max(one.column, other.column)
    );
  });
}

/** How many of 72 rolls give a cell. */
export const weight = (cell: CellKey): number => 6 - Math.abs(spot(cell).total - 7);

export function contents(of: string, cell: CellKey): string | null {
  const known = odds.value;
  if (known?.solved) {
    const { parity, total } = spot(cell);
    return known.charts[of]?.[parity][String(total)] ?? null;
  }
  return (table("destinations").value[`${of}/${cell}`]?.["item"]) ?? null;
}

export interface Thing {
  id: string;
  name: string;
  colour: string;
}

/** What may stand in a chart: regions, or the cities of its region. */
export function thingsOf(of: string): Thing[] {
  if (of === REGIONS) return rows("regions").map(({ key, name, colour }) => ({ id: key, name, colour }));
  const colour = regions.value[of]?.colour ?? UNKNOWN;
  return rows("cities")
    .filter((row) => row.region === of)
    .map(({ key, name }) => ({ id: key, name, colour }));
}

export function thing(of: string, id: string): Thing {
  const region = of === REGIONS ? regions.value[id] : regions.value[cities.value[id]?.region ?? ""];
  const row = of === REGIONS ? region : cities.value[id];
  return { id, name: row?.name ?? id, colour: region?.colour ?? UNKNOWN };
}

export const chartName = (of: string): string => (of === REGIONS ? "Region chart" : (regions.value[of]?.name ?? of));

/** The rolls of 72 that give each thing of a chart. */
export function rolls(of: string): Map<string, number> {
  const out = new Map<string, number>();
  for (const cell of ALL) {
    const item = contents(of, cell);
    if (item !== null) out.set(item, (out.get(item) ?? 0) + weight(cell));
  }
  return out;
}

/** Commands that begin with typing the charts in, where they are solved from weights until now. */
function typed(commands: readonly Command[]): readonly Command[] {
  const known = odds.value;
  if (!known?.solved) return commands;
  return [...Object.entries(known.charts).map(([of, cells]) => ({ kind: "set-chart" as const, chart: of, ...cells })), ...commands];
}

/** Set cells of a chart in one step. */
export async function setCells(of: string, values: ReadonlyMap<CellKey, string | null>, label?: string): Promise<Answer | null> {
  const changed = [...values].filter(([cell, item]) => contents(of, cell) !== item);
  if (changed.length === 0) return null;
  const items = new Set(changed.map(([, item]) => item));
  const [only] = items;
  const where = `${changed.length === 1 ? "a cell" : `${changed.length} cells`} of ${chartName(of)}`;
  const what = items.size > 1 ? `Set ${where}` : only ? `Put ${thing(of, only).name} into ${where}` : `Empty ${where}`;
  return runAll(label ?? what, typed(changed.map(([cell, item]) => cellCommand({ chart: of, cell, item }))));
}

/** A cell of a chart and what it is to hold. */
export interface CellChange {
  readonly chart: string;
  readonly cell: CellKey;
  readonly item: string | null;
}

function cellCommand({ chart: of, cell, item }: CellChange): Command {
  const { parity, total } = spot(cell);
  return { kind: "set-destination", chart: of, parity, total, item };
}

/** Set cells of several charts in one step. */
export const setAll = (label: string, changes: readonly CellChange[]): Promise<Answer> => runAll(label, typed(changes.map(cellCommand)));

export function fill(of: string, cells: Iterable<CellKey>, item: string | null): Promise<Answer | null> {
  return setCells(of, new Map([...cells].map((cell) => [cell, item])));
}

export async function takeProposal(found: Proposal): Promise<void> {
  const answer = await runAll(`Take the solved ${chartName(found.chart)}`, typed([found.command]));
  if (answer.ok) propose(null);
}

export function swapPicked(): Promise<Answer | null> {
  const [a, b] = [...picked.value];
  if (!a || !b) return Promise.resolve(null);
  const values = new Map([
    [a, contents(chart.value, b)],
    [b, contents(chart.value, a)],
  ]);
  return setCells(chart.value, values, `Swap two cells of ${chartName(chart.value)}`);
}
