// The play-tests that the server knows: which run, how far they are, and what the newest found. They are asked for
// while one runs, and once when the page begins; so they outlast the panel, and the page.
import { computed, effect, signal } from "@preact/signals";
import { send } from "../asked";
import { errorText } from "../errors";
import { ready } from "../store";
import type { Bodies } from "../wire";
import type { ComparisonComparison as Comparison, PlayTestState, Study } from "../generated";

export type What = "study" | "comparison";
export type { Comparison, PlayTestState, Study };

const AGAIN = 700;
const LATER = 3000;

export const tests = signal<readonly PlayTestState[]>([]);
/** Why a play-test could not be begun or asked for. */
export const trouble = signal("");
/** The last one that ran while the page was open, and is over. */
export const ended = signal<PlayTestState | null>(null);
const studies = signal<Readonly<Record<string, Study>>>({});
const comparisons = signal<Readonly<Record<string, Comparison>>>({});

export const isOver = ({ job }: PlayTestState): boolean => job.state !== "waiting" && job.state !== "running";
export const running = computed(() => tests.value.find((test) => !isOver(test)) ?? null);

/** The newest of a sort, whatever became of it, and the newest that has figures. */
export const newest = (what: What): PlayTestState | null => tests.value.find(({ asked }) => asked.what === what) ?? null;
export const done = (what: What): readonly PlayTestState[] =>
  tests.value.filter(({ asked, job }) => asked.what === what && job.state === "done");
/** The one whose figures are shown, if it is not the newest. */
const chosen = signal<Readonly<Partial<Record<What, string>>>>({});
const finished = (what: What): PlayTestState | null => {
  const all = done(what);
  return all.find(({ job }) => job.id === chosen.value[what]) ?? all[0] ?? null;
};

interface Found<Figures> {
  test: PlayTestState;
  figures: Figures;
}
const found = <Figures>(what: What, all: Readonly<Record<string, Figures>>): Found<Figures> | null => {
  const test = finished(what);
  const figures = test && all[test.job.id];
  return test && figures ? { test, figures } : null;
};
export const study = computed(() => found("study", studies.value));
export const comparison = computed(() => found("comparison", comparisons.value));

/** How far a play-test is, of 1; null where that is not known yet. */
export const partOf = ({ far }: PlayTestState): number | null => (far && far.end > 0 ? Math.min(1, far.done / far.end) : null);

/** Fetch the figures that are shown and are not here yet. */
async function fetchFigures(): Promise<void> {
  const [one, two] = [finished("study")?.job.id, finished("comparison")?.job.id];
  if (one !== undefined && !studies.value[one]) studies.value = { [one]: await send("GET /api/playtests/{id}/study", { id: one }) };
  if (two !== undefined && !comparisons.value[two])
    comparisons.value = { [two]: await send("GET /api/playtests/{id}/comparison", { id: two }) };
}

/** Show the figures of an earlier play-test. */
export function choose(what: What, id: string): Promise<void> {
  chosen.value = { ...chosen.value, [what]: id };
  return look();
}

let timer: ReturnType<typeof setTimeout> | undefined;
let asking = Promise.resolve();

/** Ask how far they are, one time after the other, and again while one runs. */
export function look(): Promise<void> {
  clearTimeout(timer);
  asking = asking.then(lookOnce);
  return asking;
}

async function lookOnce(): Promise<void> {
  const ran = running.value;
  let rest = AGAIN;
  try {
    tests.value = (await send("GET /api/playtests", {})).tests;
    await fetchFigures();
    trouble.value = "";
  } catch (error) {
    trouble.value = error instanceof TypeError ? "The editor does not answer. A play-test ends when it does." : errorText(error);
    rest = LATER;
  }
  const now = ran && tests.value.find(({ job }) => job.id === ran.job.id);
  if (now && isOver(now)) ended.value = now;
  clearTimeout(timer);
  if (running.value) timer = setTimeout(() => void look(), rest);
}

export async function start(body: Bodies["POST /api/playtests"]): Promise<boolean> {
  try {
    const begun = await send("POST /api/playtests", { body });
    chosen.value = { ...chosen.value, [begun.asked.what]: begun.job.id };
    tests.value = [begun, ...tests.value];
    trouble.value = "";
  } catch (error) {
    trouble.value = errorText(error);
    return false;
  }
  timer = setTimeout(() => void look(), AGAIN);
  return true;
}

/** Milliseconds for which a run may end by itself before it can be stopped at once; a double click is shorter. */
const PATIENCE = 3000;
let asked = { id: "", at: 0 };
/** Whether Stop would do anything: a run that has just been asked to end is left in peace. */
export const canStop = ({ job, stopping }: PlayTestState, now: number): boolean =>
  !stopping || job.id !== asked.id || now - asked.at > PATIENCE;

/** End a run with what is done; a second time, at once. */
export async function stop(id: string): Promise<void> {
  if (asked.id !== id) asked = { id, at: Date.now() };
  try {
    const now = await send("DELETE /api/playtests/{id}", { id });
    tests.value = tests.value.map((test) => (test.job.id === id ? now : test));
  } catch (error) {
    trouble.value = errorText(error);
  }
  await look();
}

effect(() => {
  if (ready.value) void look();
});
