// A chart that was read from a PDF or a picture: its cells, which of them are in doubt, and the pages that show them.
import { computed, signal } from "@preact/signals";
import { send } from "../../asked";
import { pictureAt } from "../../entry";
import type { ChartScan } from "../../generated";
import { amount, anchor, cityAt, keyOf, onGrid } from "./chart";

export type ScannedCell = ChartScan["cells"][number];
export type ScannedPage = ChartScan["pages"][number];

export interface Scan extends Omit<ChartScan, "cells"> {
  readonly name: string;
  /** The cell in the row of one city and the column of another, as `row|column`. */
  readonly cells: ReadonlyMap<string, ScannedCell>;
  /** Addresses of the pages' pictures, by the number of the page. */
  readonly pictures: ReadonlyMap<number, string>;
}

/** The scan that lies beside the grid. */
export const scan = signal<Scan | null>(null);
/** Pairs in doubt that the user has settled, with the amount that each had then. */
const settled = signal<ReadonlyMap<string, number | null>>(new Map());

/** Fetch what a job read, with the pictures of its pages. */
export async function fetchScan(job: string): Promise<Scan> {
  const found = await send("GET /api/chart-scans/{id}", { id: job });
  const pictures = await Promise.all(found.pages.map(async (page) => [page.page, await pictureAt(`/api/jobs/${job}/files/${page.file}`)] as const));
  return { ...found, cells: new Map(found.cells.map((cell) => [`${cell.a}|${cell.b}`, cell])), pictures: new Map(pictures), name: "" };
}

export function showScan(now: Scan | null, name = ""): void {
  scan.value?.pictures.forEach((address) => URL.revokeObjectURL(address));
  settled.value = new Map();
  scan.value = now && { ...now, name };
}

/** Whether a pair was settled, and its amount is still what it was then: undo opens it again. */
const isSettled = (a: string, b: string): boolean => {
  const then = settled.value.get(keyOf(a, b));
  return then !== undefined && then === amount(a, b);
};

/** The cells in doubt, each pair of cities once. */
const suspects = computed<readonly ScannedCell[]>(() => {
  const pairs = new Map<string, ScannedCell>();
  for (const cell of scan.value?.cells.values() ?? []) {
    const key = keyOf(cell.a, cell.b);
    if (cell.a !== cell.b && cell.doubt && !pairs.has(key)) pairs.set(key, cell);
  }
  return [...pairs.values()];
});
/** Those that are not settled. */
export const doubts = computed<readonly ScannedCell[]>(() => suspects.value.filter((cell) => !isSettled(cell.a, cell.b)));
export const doubted = computed<ReadonlySet<string>>(() => new Set(doubts.value.map((cell) => keyOf(cell.a, cell.b))));

/** What the scan says of the chosen cell; of a triangle, its only half. */
export const here = computed<ScannedCell | null>(() => {
  const { row, col } = onGrid(anchor.value);
  const [a, b] = [cityAt(row), cityAt(col)];
  const own = scan.value?.cells.get(`${a}|${b}`);
  const other = scan.value?.cells.get(`${b}|${a}`);
  return (own?.doubt ? own : other?.doubt ? other : (own ?? other)) ?? null;
});

/** Settle a pair; `value` is the amount that it has, or gets now. */
export const settle = (a: string, b: string, value: number | null): void => {
  if (scan.value) settled.value = new Map(settled.value).set(keyOf(a, b), value);
};

/** The doubt after the chosen cell, or the one before it, in the order of the page. */
export function nextDoubt(by: 1 | -1): ScannedCell | undefined {
  const open = new Set(doubts.value);
  const all = suspects.value;
  const cell = here.value;
  const at = cell ? all.findIndex((one) => keyOf(one.a, one.b) === keyOf(cell.a, cell.b)) : -1;
  const from = at < 0 && by < 0 ? all.length : at;
  for (let step = 1; step <= all.length; step += 1) {
    const one = all[(from + by * step + 2 * all.length) % all.length];
    if (one && open.has(one)) return one;
  }
  return undefined;
}

/** What a candidate amounts to, thousands. */
export const thousands = (text: string, unit: number): number => (Number(text.replace(",", unit > 1 ? "." : "")) * unit) / 1000;

/** All that is not in doubt, as a list that can be pasted. */
export const listed = (of: Scan): string => {
  const cells = [...of.cells.values()];
  const open = new Set(cells.filter((cell) => cell.doubt).map((cell) => keyOf(cell.a, cell.b)));
  return cells
    .filter((cell) => cell.a !== cell.b && cell.value !== null && !open.has(keyOf(cell.a, cell.b)))
    .map((cell) => `${cell.a}\t${cell.b}\t${cell.value}`)
    .join("\n");
};
