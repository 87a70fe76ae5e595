// What all other amounts expect of each: the heat map and the suspects. Asked again a moment after each edit.
import { computed, effect, signal } from "@preact/signals";
import { query } from "../../edit";
import { errorText } from "../../errors";
import { mileposts, table } from "../../store";
import { amountText } from "./amounts";
import { keyOf, summary } from "./chart";
import type { JudgedCell, ResidualsFound } from "../../generated";

export const residuals = signal<ResidualsFound | null>(null);
export const trouble = signal("");
export const judging = signal(false);
/** Whether the author has stopped it; then nothing is judged until it is asked for. */
export const stopped = signal(false);
/** How many parts of the page want to know; nothing is asked while it is 0. */
export const wanted = signal(0);

export const cellsByKey = computed(() => new Map((residuals.value?.cells ?? []).map((cell) => [keyOf(cell.a, cell.b), cell])));

const FEWEST = 8;
const PAUSE = 500;

/** Whether a chart has enough amounts to judge any by the others. */
export const judgeable = computed(() => summary.value.cities >= FEWEST && summary.value.filled >= 3 * summary.value.cities);

const payoffs = table("payoffs");
const inChart = table("payoff_cities");
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;
let askedOf: readonly unknown[] = [];

effect(() => {
  // what the answer hangs on
  const now = [payoffs.value, inChart.value, mileposts.value];
  if (wanted.value === 0 || stopped.value) return;
  if (!judgeable.value) {
    residuals.value = null;
    return;
  }
  if (askedOf.length > 0 && now.every((part, i) => part === askedOf[i])) return;
  askedOf = now;
  clearTimeout(timer);
  timer = setTimeout(() => void judge(), residuals.peek() ? PAUSE : 0);
});

async function judge(): Promise<void> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  judging.value = true;
  try {
    residuals.value = await query("payoff-residuals", {}, mine.signal);
    trouble.value = "";
  } catch (error) {
    if (mine.signal.aborted) return;
    residuals.value = null;
    trouble.value = errorText(error);
  } finally {
    if (asking === mine) judging.value = false;
  }
}

/** Stop judging; the program ends the work as soon as it hears that nobody waits for it. */
export function stopJudging(): void {
  clearTimeout(timer);
  asking?.abort();
  askedOf = [];
  stopped.value = true;
}

export const judgeAgain = (): boolean => (stopped.value = false);

export interface Level {
  id: string;
  /** The sign in the cell, for those who do not see the colours. */
  sign: string;
  label: string;
}

/** Residuals in standard deviations, from far too little to far too much. */
export const LEVELS: readonly Level[] = [
  { id: "low3", sign: "▼▼", label: "6 sd or more too little" },
  { id: "low2", sign: "▼", label: "3 to 6 sd too little" },
  { id: "low1", sign: "", label: "1.5 to 3 sd too little" },
  { id: "fits", sign: "", label: "as expected" },
  { id: "high1", sign: "", label: "1.5 to 3 sd too much" },
  { id: "high2", sign: "▲", label: "3 to 6 sd too much" },
  { id: "high3", sign: "▲▲", label: "6 sd or more too much" },
];
const EDGES = [-6, -3, -1.5, 1.5, 3, 6];

/** How far off an amount is, in standard deviations. */
export function levelOf(cell: JudgedCell | undefined, value: number | null): Level | null {
  if (!cell || value === null) return null;
  const z = (value - cell.expected) / cell.sd;
  return LEVELS[EDGES.filter((edge) => z > edge).length] ?? null;
}

export const levelCounts = computed(() => {
  const counts = new Map<string, number>();
  for (const cell of cellsByKey.value.values()) {
    const level = levelOf(cell, cell.value);
    if (level) counts.set(level.id, (counts.get(level.id) ?? 0) + 1);
  }
  return counts;
});

/** A cell in words. */
export function inWords(cell: JudgedCell | undefined, value: number | null): string {
  if (!cell) return "";
  const expected = `about ${cell.expected.toFixed(1)} (±${cell.sd.toFixed(1)}) is expected`;
  if (value === null) return expected;
  const off = value - cell.expected;
  const far = Math.abs(off) / cell.sd;
  const how = far < 1.5 ? "which fits" : `${Math.abs(off).toFixed(1)} too ${off > 0 ? "much" : "little"}, ${far.toFixed(1)} sd`;
  const words = `${expected}; ${how}`;
  if (cell.score === null || cell.score < (residuals.value?.flag ?? 1)) return words;
  return `${words}; wrong with a chance of ${Math.round(cell.score * 100)} %: ${cell.slip}, perhaps ${amountText(cell.suggested)}`;
}
