// Play-tests on the board: segments and cities in the colour of how often they are used, of what their railroads earn, or
// of what an edit changed of that.
import { computed, effect, signal } from "@preact/signals";
import { CHANGES, heat, heats, heatSteps, NONE, tint, type Tint, type Tinted } from "../board/tint";
import { money } from "../judging/railroads";
import { isDark } from "../shell/theme";
import { mileposts, segments } from "../store";
import type { Milepost, Segment } from "../wire";
import { comparison, study, type Comparison, type Study } from "./tests";
import { isApart, number } from "./words";

export type OnBoard = "off" | "use" | "income" | "change";
export const onBoard = signal<OnBoard>("off");

type Track = Readonly<Record<string, Segment>>;
type Posts = Readonly<Record<string, Milepost>>;

/** Numbers up to the most with as many decimals as tell classes apart. */
const counted =
  (most: number): ((value: number) => string) =>
  (value) =>
    number(value, most < 10 ? 1 : 0);

/** Segments by how often they are ridden, cities by how often they are reached; twins share a milepost. */
export function useTint(found: Study, posts: Posts, colours: readonly string[]): Tint {
  const most = Math.max(0, ...found.segments.map((use) => use.times));
  const visits = new Map(found.cities.map((city) => [city.id, city.times]));
  const reached = Object.entries(posts)
    .filter(([, post]) => post.cities.length > 0)
    .map(([id, post]) => [id, post.cities.reduce((sum, city) => sum + (visits.get(city) ?? 0), 0)] as const);
  const often = Math.max(0, ...reached.map(([, times]) => times));
  const track = heatSteps(colours, most, counted(most));
  const cities = heatSteps(colours, often, counted(often));
  const tinted = (times: number, of: number, done: string): Tinted => ({
    colour: heat(colours, times, of),
    note: `${done} ${number(times, 2)} times a match`,
  });
  return {
    title: "Times a match: track, cities",
    segments: Object.fromEntries(found.segments.map((use) => [use.id, tinted(use.times, most, "ridden")])),
    mileposts: Object.fromEntries(reached.map(([id, times]) => [id, tinted(times, often, "reached")])),
    none: "never",
    steps: track.map((step, k) => ({ ...step, label: `${step.label}, ${cities[k]?.label ?? ""}` })),
  };
}

/** Each segment as its railroad. */
const byRailroad = (track: Track, of: (railroad: string) => Tinted): Tint["segments"] =>
  Object.fromEntries(Object.entries(track).map(([id, segment]) => [id, of(segment.railroad)]));

/** Segments in the colour of the fees that their railroad earns in a match. */
export function incomeTint(found: Study, track: Track, colours: readonly string[]): Tint {
  const earns = new Map(found.railroads.map((row) => [row.railroad, row.income.mean]));
  const most = Math.max(0, ...earns.values());
  return {
    title: "Fees that a railroad earns in a match",
    segments: byRailroad(track, (railroad) => {
      const income = earns.get(railroad) ?? 0;
      return { colour: heat(colours, income, most), note: `${money(income)} a match` };
    }),
    mileposts: {},
    steps: heatSteps(colours, most, money),
    none: "nothing",
  };
}

/** Segments in the colour of the change of what their railroad earns, where it is told apart from none. */
export function changeTint(found: Comparison, track: Track): Tint {
  const fees = new Map(found.figures.filter((f) => f.part === "railroad" && f.figure === "fees").map((f) => [f.id, f]));
  const most = Math.max(0, ...[...fees.values()].filter(isApart).map((f) => Math.abs(f.difference)));
  const signed = (value: number): string => (value > 0 ? "+" : "") + money(value);
  return {
    title: most > 0 ? "Change of the fees that a railroad earns in a match" : "No change of fees is told apart",
    segments: byRailroad(track, (railroad) => {
      const figure = fees.get(railroad);
      if (!figure) return { colour: NONE, note: "only on one of the boards" };
      if (!isApart(figure)) return { colour: NONE, note: "no change told apart" };
      const far = Math.abs(figure.difference) > most / 2;
      const [farLess, less, more, farMore] = CHANGES;
      return { colour: figure.difference > 0 ? (far ? farMore : more) : far ? farLess : less, note: `${signed(figure.difference)} a match` };
    }),
    mileposts: {},
    none: "not told apart",
    steps:
      most > 0
        ? CHANGES.map((colour, k) => {
            const [from = 0, to = 0] = [[-most, -most / 2], [-most / 2, 0], [0, most / 2], [most / 2, most]][k] ?? [];
            return { colour, label: `${signed(from)} – ${signed(to)}` };
          })
        : [],
  };
}

const shown = computed((): Tint | null => {
  const [one, two] = [study.value?.figures, comparison.value?.figures];
  const colours = heats(isDark.value);
  if (onBoard.value === "use" && one) return useTint(one, mileposts.value, colours);
  if (onBoard.value === "income" && one) return incomeTint(one, segments.value, colours);
  if (onBoard.value === "change" && two) return changeTint(two, segments.value);
  return null;
});
effect(() => {
  tint.value = shown.value;
});
