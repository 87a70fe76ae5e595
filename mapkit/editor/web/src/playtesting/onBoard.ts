// A study on the board: segments and cities in the colour of how often they are used, or of what their railroads earn.
import { computed, effect, signal } from "@preact/signals";
import { heat, heats, heatSteps, tint, type Tint } from "../board/tint";
import { mileposts, segments } from "../store";
import { money } from "../judging/railroads";
import { isDark } from "../shell/theme";
import { study } from "./tests";
import type { Study } from "./tests";
import type { Milepost, Segment } from "../wire";
import { number } from "./words";

export type OnBoard = "off" | "use" | "income";
export const onBoard = signal<OnBoard>("off");

type Track = Readonly<Record<string, Segment>>;
type Posts = Readonly<Record<string, Milepost>>;

/** Segments by how often they are ridden, cities by how often they are reached; twins share a milepost. */
export function useTint(found: Study, posts: Posts, colours: readonly string[]): Tint {
  const most = Math.max(0, ...found.segments.map((use) => use.times));
  const visits = new Map(found.cities.map((city) => [city.id, city.times]));
  const reached = Object.entries(posts).map(([id, post]) => [id, post.cities.reduce((sum, city) => sum + (visits.get(city) ?? 0), 0)] as const);
  const often = Math.max(0, ...reached.map(([, times]) => times));
  const track = heatSteps(colours, most, counted(most));
  const cities = heatSteps(colours, often, counted(often));
  return {
    title: "Times a match: track, cities",
    segments: Object.fromEntries(found.segments.map((use) => [use.id, heat(colours, use.times, most)])),
    mileposts: Object.fromEntries(reached.map(([id, times]) => [id, heat(colours, times, often)])),
    steps: track.map((step, k) => ({ ...step, label: `${step.label}, ${cities[k]?.label ?? ""}` })),
  };
}

/** Numbers up to the most with as many decimals as tell classes apart. */
const counted =
  (most: number): ((value: number) => string) =>
  (value) =>
    number(value, most < 10 ? 1 : 0);

/** Segments in the colour of the fees that their railroad earns in a match. */
export function incomeTint(found: Study, track: Track, colours: readonly string[]): Tint {
  const earns = new Map(found.railroads.map((row) => [row.railroad, row.income.mean]));
  const most = Math.max(0, ...earns.values());
  return {
    title: "Fees that a railroad earns in a match",
    segments: Object.fromEntries(Object.entries(track).map(([id, segment]) => [id, heat(colours, earns.get(segment.railroad) ?? 0, most)])),
    mileposts: {},
    steps: heatSteps(colours, most, money),
  };
}

const shown = computed(() => {
  const found = study.value?.figures;
  if (!found || onBoard.value === "off") return null;
  const colours = heats(isDark.value);
  return onBoard.value === "use" ? useTint(found, mileposts.value, colours) : incomeTint(found, segments.value, colours);
});
effect(() => {
  tint.value = shown.value;
});
