// Figures of play-tests in words.
import type { Comparison, PlayTestState } from "./tests";
import type { FigureDifference, Mean, Share } from "../generated";

const PERCENT = 100;
const HALF = 2;
const LEAST = 30;

/** A number with so many decimals; what rounds to 0 has no sign. */
export const number = (value: number, digits: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" });

/** Half the width of an interval. */
const half = ({ low, high }: { low: number; high: number }): number => (high - low) / HALF;

/** A share in percent with half the width of its interval; a dash where nothing was counted. */
export const shareText = (share: Share): string =>
  share.of === 0 ? "–" : `${number(PERCENT * share.share, 1)} ±${number(PERCENT * half(share), 1)}`;
export const meanText = (mean: Mean, digits: number): string => `${number(mean.mean, digits)} ±${number(half(mean), digits)}`;
export const matchesText = (n: number): string => `${number(n, 0)} ${n === 1 ? "match" : "matches"}`;

/** What of the board the figures are of, at a revision. */
export function sinceText(test: Pick<PlayTestState, "revision">, revision: number): string {
  const edits = revision - test.revision;
  if (edits <= 0) return `Of the board as it is now, revision ${test.revision}.`;
  return `Of revision ${test.revision}: ${edits} ${edits === 1 ? "edit" : "edits"} since.`;
}

/** A play-test in a list of several. */
export const listedText = ({ asked, revision }: Pick<PlayTestState, "asked" | "revision">): string =>
  [
    `Revision ${revision}`,
    asked.until === null ? matchesText(asked.matches) : `to ±${number(PERCENT * asked.until, 2)} points`,
    `${asked.players} players`,
    ...(asked.rules === "board" ? [] : [`rules ${asked.rules}`]),
    ...asked.variants,
    `seed ${asked.seed}`,
  ].join(", ");

/** How far a run is. */
export function progressText({ job, far, stopping }: Pick<PlayTestState, "job" | "far" | "stopping">): string {
  if (stopping) return "Stopping: what is played is kept …";
  if (job.state === "waiting") return "Waiting for other work to end …";
  if (!far) return `${capital(job.stage || "starting")} …`;
  const left = far.left > 0 ? `, ${Math.floor(far.left / 60)}:${String(far.left % 60).padStart(2, "0")} left` : "";
  return `${number(far.done, 0)} of ${matchesText(far.end)}${left}`;
}
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Why a run failed, as the page says it. */
export const failureLines = (said: readonly string[]): string[] =>
  said.length > 0 ? said.map((line) => line.replace(" with --anyway", "")) : ["It failed, and did not say why. Run it again."];

export interface Verdict {
  readonly kind: "same" | "different" | "open";
  readonly title: string;
  readonly text: string;
}

/** Whether play differs, and how sure that is. */
export function verdict(found: Comparison): Verdict {
  const many = matchesText(found.matches);
  if (found.figures.every((f) => f.difference === 0 && f.low === 0 && f.high === 0))
    return { kind: "same", title: "Nothing differs", text: `All figures are the same in each of ${many}: what differs on the boards plays no part in them.` };
  const percent = PERCENT * found.chance;
  const often = percent < 0.01 ? "less than 0.01" : number(percent, percent < 1 ? 2 : 0);
  const cases = `Two play-tests of one board differ by as much in ${often} % of cases.`;
  if (found.different) return { kind: "different", title: "Play differs", text: cases };
  if (found.matches < LEAST)
    return { kind: "open", title: "Not told apart yet", text: `${many} are too few to tell. Play a thousand or more.` };
  return { kind: "open", title: "Not told apart yet", text: `${cases} Four times as many matches halve the intervals.` };
}

/** Whether the interval of a difference leaves out 0. */
export const isApart = (f: FigureDifference): boolean => f.low > 0 || f.high < 0;

const isShare = (f: FigureDifference): boolean => f.figure.startsWith("wins") || f.figure === "sold out";
const isMoney = (f: FigureDifference): boolean => f.figure.startsWith("fees") || f.figure === "payoffs";

/** A value of a figure: shares in percent, amounts whole, counts with two decimals. */
export function valueText(f: FigureDifference, value: number, sign = false): string {
  const plus = sign && value > 0 ? "+" : "";
  if (isShare(f)) return `${plus}${number(PERCENT * value, 2)} %`;
  return plus + number(value, isMoney(f) ? 0 : 2);
}
export const changeText = (f: FigureDifference): string =>
  `${valueText(f, f.difference, true)} ±${valueText(f, half(f)).replace(" %", "")}`;

/** How many halves of its interval a difference is from 0. */
const clear = (f: FigureDifference): number => (half(f) > 0 ? Math.abs(f.difference) / half(f) : 0);

/** Figures of the whole match, of players and seats; and those of railroads, the clearest difference first. */
export function inParts(found: Comparison, most = 12): { match: FigureDifference[]; railroads: FigureDifference[] } {
  const railroads = found.figures
    .filter((f) => f.part === "railroad" && (f.difference !== 0 || half(f) > 0))
    .sort((a, b) => clear(b) - clear(a) || (a.figure + a.id < b.figure + b.id ? -1 : 1));
  return { match: found.figures.filter((f) => f.part !== "railroad"), railroads: railroads.slice(0, most) };
}
