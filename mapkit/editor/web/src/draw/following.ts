// The selection follows what it names: a milepost that gets another id stays selected, and what is gone is selected
// no more.
import { effect } from "@preact/signals";
import { hovered, itemKey, selection, type Item } from "../selection";
import { junctions, lines, mileposts, segments } from "../store";
import type { Milepost, Segment } from "../wire";

type Dict<T> = Readonly<Record<string, T>>;

/** Nearer than this, two mileposts are one that was renamed, degrees. */
const SAME = 1e-6;

/** The id that a milepost has now: that of its city's, else of a new one where it stood; null if it is gone. */
export function nowCalled(id: string, before: Dict<Milepost>, now: Dict<Milepost>): string | null {
  if (id in now) return id;
  const was = before[id];
  if (!was) return null;
  const all = Object.entries(now);
  const found =
    all.find(([, post]) => post.cities.some((city) => was.cities.includes(city))) ??
    all.find(([key, post]) => !(key in before) && Math.abs(post.lon - was.lon) < SAME && Math.abs(post.lat - was.lat) < SAME);
  return found?.[0] ?? null;
}

interface Shown {
  mileposts: Dict<Milepost>;
  segments: Dict<Segment>;
}

/** An item as it is called now; null if it is gone. */
export function followed(item: Item, before: Shown, now: Shown): Item | null {
  if (item.kind === "milepost") {
    const id = nowCalled(item.id, before.mileposts, now.mileposts);
    return id === null ? null : id === item.id ? item : { kind: "milepost", id };
  }
  if (item.kind === "segment") {
    if (item.id in now.segments) return item;
    const was = before.segments[item.id];
    const ends = was ? [was.a, was.b].map((end) => nowCalled(end, before.mileposts, now.mileposts)) : [];
    const found = was && Object.entries(now.segments).find(([, one]) => one.railroad === was.railroad && ends.includes(one.a) && ends.includes(one.b) && one.a !== one.b);
    return found ? { kind: "segment", id: found[0] } : null;
  }
  if (item.kind === "junction") return item.id in junctions.peek() ? item : null;
  return item.id.split("#")[0]! in lines.peek() ? item : null;
}

let before: Shown = { mileposts: {}, segments: {} };

effect(() => {
  const now: Shown = { mileposts: mileposts.value, segments: segments.value };
  void junctions.value;
  void lines.value;
  const was = before;
  before = now;
  const items = selection.peek();
  const kept = new Map(items.flatMap((item) => followed(item, was, now) ?? []).map((item) => [itemKey(item), item]));
  if (kept.size !== items.length || items.some((item) => !kept.has(itemKey(item)))) selection.value = [...kept.values()];
  const over = hovered.peek();
  if (over && !followed(over, now, now)) hovered.value = null;
});
