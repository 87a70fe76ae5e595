// What the board says to screen readers: what lies under the cross, what is taken hold of, and what is let go.
import { signal } from "@preact/signals";
import type { Item } from "../selection";
import { cities, junctions, lines, mileposts, railroads, segments } from "../store";

/** The sentence that is read aloud now. */
export const said = signal("");
export const say = (text: string): void => void (said.value = text);

const railroadName = (id = ""): string => railroads.value[id]?.name ?? id;
const postName = (id: string): string => mileposts.value[id]?.name ?? id;
const listed = (words: readonly string[]): string => (words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`);

/** The railroads that meet at a milepost, as a screen reader says them. */
function meeting(id: string): string {
  const found = new Set(Object.values(segments.value).flatMap((one) => (one.a === id || one.b === id ? [railroadName(one.railroad)] : [])));
  return found.size === 0 ? "no track" : listed([...found].sort());
}

/** An item in words. */
export function described(item: Item): string {
  if (item.kind === "milepost") {
    const post = mileposts.value[item.id];
    if (!post) return item.id;
    const names = post.cities.map((city) => cities.value[city]?.name ?? city);
    const what = post.kind === "city" ? `city${names.length > 1 ? ` of ${listed(names)}` : ""}` : "milepost";
    return `${post.name}, ${what}; ${meeting(item.id)}`;
  }
  if (item.kind === "segment") {
    const one = segments.value[item.id];
    return one ? `${railroadName(one.railroad)} from ${postName(one.a)} to ${postName(one.b)}, ${Math.round(one.miles)} miles` : item.id;
  }
  if (item.kind === "junction") return `Junction of ${railroadName(junctions.value[item.id]?.railroad)}`;
  const [line = "", index = ""] = item.id.split("#");
  const stop = lines.value[line]?.stops.find((one) => String(one.at) === index);
  const railroad = railroadName(lines.value[line]?.railroad);
  if (item.kind === "line") return `Line of ${railroad}`;
  return stop && !stop.place.startsWith("@") ? `${stop.place}, stop of ${railroad}` : `Bend of ${railroad}`;
}

/** An empty place: the nearest milepost, and how many presses of which arrows lead there. */
export function emptyPlace(x: number, y: number, step: number): string {
  let nearest: { id: string; dx: number; dy: number; far: number } | null = null;
  for (const [id, post] of Object.entries(mileposts.value)) {
    const [dx, dy] = [post.x - x, post.y - y];
    const far = Math.hypot(dx, dy);
    if (nearest === null || far < nearest.far) nearest = { id, dx, dy, far };
  }
  if (nearest === null) return "Nothing here.";
  const times = (by: number, less: string, more: string): string[] => {
    const n = Math.round(Math.abs(by) / step);
    return n === 0 ? [] : [`${n} ${by < 0 ? less : more}`];
  };
  const way = [...times(nearest.dx, "left", "right"), ...times(nearest.dy, "up", "down")];
  return `Nothing here. ${postName(nearest.id)} is ${way.length === 0 ? "close by" : way.join(", ")}.`;
}

/** What is selected, in words. */
export function selectedText(items: readonly Item[]): string {
  const only = items.length === 1 ? items[0] : undefined;
  if (only) return `Selected: ${described(only)}`;
  return items.length === 0 ? "Nothing is selected" : `${items.length} things are selected`;
}
