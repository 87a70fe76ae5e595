// Deleting: what is not in sight, and more than one thing, is named and asked about first.
import { board } from "../board";
import { placeOf } from "../commands";
import { query, runAll } from "../edit";
import type { Item } from "../selection";
import { cities, mileposts } from "../store";
import { ask } from "../ui/Dialog";
import type { Answer, Command } from "../wire";
import { railroadWord } from "./common";
import type { Section } from "./edited";

/** What is about to be deleted, and how people call it. */
export interface Doomed {
  names: readonly string[];
  /** How many things it is: segments, mileposts, cities. */
  count: number;
  commands: readonly Command[];
  /** Where it lies, to be shown. */
  items: readonly Item[];
  seen: boolean;
}

const NAMED = 8;
/** What goes along, by table of the document. */
const ALONG: readonly (readonly [table: string, one: string, many: string])[] = [
  ["payoffs", "payoff", "payoffs"],
  ["destinations", "cell of the destination charts", "cells of the destination charts"],
  ["declared", "declared odds", "declared odds"],
  ["wanted", "wish for the charts", "wishes for the charts"],
  ["accepted", "accepted finding", "accepted findings"],
];

export const s = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
}

/** What goes with it, in words; empty if nothing does. */
export function along(counts: Readonly<Record<string, number>>): string {
  return listed(ALONG.flatMap(([table, one, many]) => (counts[table] ? [s(counts[table], one, many)] : [])));
}

/** The commands that delete sections, the last of a line first, so that the numbers of the others stay right. */
export function sectionCommands(all: readonly Section[]): Command[] {
  return [...all]
    .sort((a, b) => (a.line === b.line ? b.start - a.start : a.line < b.line ? -1 : 1))
    .map((one) => ({ kind: "delete-line", lines: [one.line], ...(one.whole ? {} : { start: one.start, end: one.end }) }));
}

const between = (stops: Section["stops"]): number => stops.slice(1, -1).filter((stop) => stop.kind === "milepost").length;

/** How many segments a section is. */
export const segmentsOf = ({ stops }: Section): number => between(stops) + 1;

/** How people call a section: its railroad and ends, and how many mileposts lie between them. */
export function sectionName({ railroad, stops }: Section): string {
  const end = (place = ""): string => (place.startsWith("@") ? "a bend" : place);
  const inner = between(stops);
  const by = inner > 0 ? `, with ${s(inner, "milepost")} between` : "";
  return `track of ${railroadWord(railroad)} from ${end(stops[0]?.place)} to ${end(stops.at(-1)?.place)}${by}`;
}

/** The commands that delete a milepost, with the cities on it. */
export function milepostCommands(id: string): Command[] {
  const here = mileposts.value[id]?.cities ?? [];
  if (here.length === 0) return [{ kind: "delete-place", place: placeOf(id), track: "join" }];
  return here.map((city) => ({ kind: "delete-city", id: city }));
}

/** How people call what a milepost holds. */
export function milepostNames(id: string): string[] {
  const post = mileposts.value[id];
  if (!post || post.cities.length === 0) return [post?.name ?? id];
  return post.cities.map((city) => cities.value[city]?.name ?? city);
}

/** Why it must be asked about first, in sentences; empty if it need not. */
export function warning({ names, count, seen }: Pick<Doomed, "names" | "count" | "seen">, more: string): string {
  if (seen && count < 2 && more === "") return "";
  const all = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
  const what = listed(all);
  const first = `${what.charAt(0).toUpperCase()}${what.slice(1)}${more ? `, with ${more}` : ""}.`;
  const away = seen ? [] : [count > 1 ? "Not all of it is in sight now." : "It is not in sight now."];
  return [first, ...away, "Undo brings all of it back."].join("\n");
}

const counted = (label: string, commands: readonly Command[]): Promise<Readonly<Record<string, number>>> => {
  const only = commands.length === 1 ? commands[0] : undefined;
  return query("plan", { command: only ?? { kind: "batch", label, commands: [...commands] }, most: 0 }).then(
    (plan) => plan.counts,
    () => ({}), // what does not fit is refused by the command itself
  );
};

/** Delete it as one step; null if the author keeps it. */
export async function deleteDoomed(label: string, doomed: Doomed): Promise<Answer | null> {
  const cityGoes = doomed.commands.some((one) => one.kind === "delete-city");
  const more = cityGoes ? along(await counted(label, doomed.commands)) : "";
  const text = warning(doomed, more);
  if (text) {
    const answer = await ask({
      title: doomed.names.length > 1 ? `Delete ${doomed.names.length} things?` : `Delete ${doomed.names[0] ?? "it"}?`,
      text,
      buttons: [
        { id: "keep", label: "Keep it" },
        { id: "show", label: "Show it" },
        { id: "delete", label: "Delete", kind: "danger" },
      ],
    });
    if (answer === "show") board.flyTo(doomed.items);
    if (answer !== "delete") return null;
  }
  return runAll(label, doomed.commands);
}
