// The selection follows what it names: a milepost that gets another id stays selected, and what is gone is selected
// no more.
import { effect } from "@preact/signals";
import { hovered, itemKey, selection, type Item } from "../selection";
import { junctions, lines, mileposts, segments } from "../store";
import type { Milepost, Segment } from "../wire";

type Dict<T> = Readonly<Record<string, T>>;

/** Nearer than this, two mileposts are one that was renamed, degrees. */
const SAME = 1e-6;

/** The ids that a milepost has now: those of its cities', for twins may have come apart, else of a new one where it stood. */
export function nowCalled(id: string, before: Dict<Milepost>, now: Dict<Milepost>): string[] {
  if (id in now) return [id];
  const was = before[id];
  if (!was) return [];
  const all = Object.entries(now);
  const ofCities = all.filter(([, post]) => post.cities.some((city) => was.cities.includes(city)));
  const there = all.find(([key, post]) => !(key in before) && Math.abs(post.lon - was.lon) < SAME && Math.abs(post.lat - was.lat) < SAME);
  return (ofCities.length > 0 ? ofCities : there ? [there] : []).map(([key]) => key);
}

interface Shown {
  mileposts: Dict<Milepost>;
  segments: Dict<Segment>;
}

/** An item as it is called now; nothing if it is gone. */
export function followed(item: Item, before: Shown, now: Shown): Item[] {
  if (item.kind === "milepost") return nowCalled(item.id, before.mileposts, now.mileposts).map((id) => ({ kind: "milepost", id }));
  if (item.kind === "segment") {
    if (item.id in now.segments) return [item];
    const was = before.segments[item.id];
    const ends = was ? [was.a, was.b].flatMap((end) => nowCalled(end, before.mileposts, now.mileposts)) : [];
    const found = was && Object.entries(now.segments).find(([, one]) => one.railroad === was.railroad && ends.includes(one.a) && ends.includes(one.b) && one.a !== one.b);
    return found ? [{ kind: "segment", id: found[0] }] : [];
  }
  const there = item.kind === "junction" ? item.id in junctions.peek() : item.id.split("#")[0]! in lines.peek();
  return there ? [item] : [];
}

let before: Shown = { mileposts: {}, segments: {} };

effect(() => {
  const now: Shown = { mileposts: mileposts.value, segments: segments.value };
  void junctions.value;
  void lines.value;
  const was = before;
  before = now;
  const items = selection.peek();
  const kept = new Map(items.flatMap((item) => followed(item, was, now)).map((item) => [itemKey(item), item]));
  if (kept.size !== items.length || items.some((item) => !kept.has(itemKey(item)))) selection.value = [...kept.values()];
  const over = hovered.peek();
  if (over && followed(over, now, now).length === 0) hovered.value = null;
});
