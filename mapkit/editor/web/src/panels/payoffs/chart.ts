// The chart as the grid shows it: which cities in which order, what each cell says, what is chosen.
import { computed, signal } from "@preact/signals";
import { cities, regions, rows, table } from "../../store";
import { UNKNOWN } from "../../colours";

export type Pair = readonly [string, string];
export interface Spot {
  readonly row: number;
  readonly col: number;
}

const payoffs = table("payoffs");
export const chartCities = computed<readonly string[]>(() => rows("payoff_cities").map((row) => row.key));
const places = computed(() => new Map(chartCities.value.map((id, i) => [id, i])));
/** Whether one city stands before another in the chart as it is printed. */
export const before = (a: string, b: string): boolean => (places.value.get(a) ?? 0) < (places.value.get(b) ?? 0);

export const cityName = (id: string): string => cities.value[id]?.name ?? id;
export const regionOf = (id: string): string => cities.value[id]?.region ?? "";
export const regionColour = (id: string): string => regions.value[regionOf(id)]?.colour ?? UNKNOWN;
export const pairText = (a: string, b: string): string => `${cityName(a)} - ${cityName(b)}`;

export const SORTS = [
  { value: "chart", label: "chart order" },
  { value: "name", label: "by name" },
  { value: "region", label: "by region" },
  { value: "east-west", label: "east to west" },
  { value: "north-south", label: "north to south" },
] as const;
export type Sort = (typeof SORTS)[number]["value"];

export const sort = signal<Sort>("chart");
export const triangle = signal(false);
export const heat = signal(true);

const SORTED: Record<Sort, (a: string, b: string) => number> = {
  chart: () => 0,
  name: (a, b) => cityName(a).localeCompare(cityName(b)),
  region: (a, b) =>
    (regions.value[regionOf(a)]?.rank ?? 0) - (regions.value[regionOf(b)]?.rank ?? 0) || cityName(a).localeCompare(cityName(b)),
  "east-west": (a, b) => (cities.value[b]?.lon ?? 0) - (cities.value[a]?.lon ?? 0),
  "north-south": (a, b) => (cities.value[b]?.lat ?? 0) - (cities.value[a]?.lat ?? 0),
};
export const order = computed<readonly string[]>(() => {
  const list = chartCities.value;
  return sort.value === "chart" ? list : [...list].sort(SORTED[sort.value]);
});
export const spots = computed(() => new Map(order.value.map((id, i) => [id, i])));

/** Cells that were sent and have no answer yet. */
export const waiting = signal<ReadonlyMap<string, number | null>>(new Map());

export const keyOf = (a: string, b: string): string => (a < b ? `${a}|${b}` : `${b}|${a}`);

/** What the cell in the row of one city and the column of another says. */
export function amount(row: string, col: string): number | null {
  const key = keyOf(row, col);
  const sent = waiting.value.get(key);
  if (sent !== undefined) return sent;
  const cell = payoffs.value[key];
  if (!cell) return row === col ? 0 : null;
  return row > col && cell.below !== "same" ? cell.below : cell.thousands;
}

/** Whether the two cells of a pair differ. */
export function torn(a: string, b: string): boolean {
  const key = keyOf(a, b);
  const cell = payoffs.value[key];
  return cell !== undefined && cell.below !== "same" && cell.below !== cell.thousands && !waiting.value.has(key);
}

/** What the whole chart looks like in figures. */
export const summary = computed(() => {
  const list = chartCities.value;
  let filled = 0;
  let largest = 0;
  let tornOnes = 0;
  const empty: Pair[] = [];
  list.forEach((a, i) => {
    for (let j = i + 1; j < list.length; j += 1) {
      const b = list[j]!;
      const value = amount(a, b);
      if (torn(a, b)) tornOnes += 1;
      if (value === null) empty.push([a, b]);
      else {
        filled += 1;
        largest = Math.max(largest, value);
      }
    }
  });
  return { cities: list.length, filled, largest, torn: tornOnes, empty };
});

/** The chosen cell, and the far corner of the chosen block. */
export const anchor = signal<Spot>({ row: 1, col: 0 });
export const head = signal<Spot>({ row: 1, col: 0 });
/** The cell that the grid should scroll to; a new value each time. */
export const shown = signal<Spot>({ row: 1, col: 0 });

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** The nearest place that the grid has. */
export function onGrid({ row, col }: Spot): Spot {
  const last = Math.max(0, order.value.length - 1);
  const r = clamp(row, 0, last);
  return { row: r, col: clamp(col, 0, triangle.value ? r : last) };
}

export function choose(spot: Spot, extend = false): void {
  const to = onGrid(spot);
  head.value = to;
  if (!extend) anchor.value = to;
  shown.value = { ...to };
}

export function cityAt(index: number): string {
  return order.value[index] ?? "";
}

/** Choose the cell of two cities; in the triangle the one that is drawn. */
export function chooseCell(a: string, b: string): void {
  const [i, j] = [spots.value.get(a), spots.value.get(b)];
  if (i === undefined || j === undefined) return;
  choose(triangle.value && j > i ? { row: j, col: i } : { row: i, col: j });
}

export const block = computed(() => {
  const [a, b] = [onGrid(anchor.value), onGrid(head.value)];
  return { top: Math.min(a.row, b.row), bottom: Math.max(a.row, b.row), left: Math.min(a.col, b.col), right: Math.max(a.col, b.col) };
});

/** The trips in the chosen block, each once. */
export const blockPairs = computed<readonly Pair[]>(() => {
  const { top, bottom, left, right } = block.value;
  const found = new Map<string, Pair>();
  for (let r = top; r <= bottom; r += 1)
    for (let c = left; c <= (triangle.value ? Math.min(right, r - 1) : right); c += 1) {
      if (r === c) continue;
      const pair: Pair = [cityAt(r), cityAt(c)];
      found.set(keyOf(...pair), pair);
    }
  return [...found.values()];
});

/** The chosen block as text; `names` adds the cities. */
export function blockTable(names: boolean): string[][] {
  const { top, bottom, left, right } = block.value;
  const out: string[][] = [];
  if (names) out.push(["", ...range(left, right).map((c) => cityName(cityAt(c)))]);
  for (const r of range(top, bottom)) {
    const cells = range(left, right).map((c) => {
      const value = r === c || (triangle.value && c > r) ? null : amount(cityAt(r), cityAt(c));
      return value === null ? "" : String(value);
    });
    out.push(names ? [cityName(cityAt(r)), ...cells] : cells);
  }
  return out;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Order the cities otherwise, or show the other shape; the chosen cell stays chosen. */
export function arrange(change: () => void): void {
  const [a, b] = [cityAt(anchor.value.row), cityAt(anchor.value.col)];
  change();
  if (a && b) chooseCell(a, b);
}
