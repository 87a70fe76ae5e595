// What is selected, and what the pointer is over; shared by the canvas, panels and tools.
import { computed, signal } from "@preact/signals";

export type ItemKind = "milepost" | "segment" | "junction" | "stop" | "line";
export interface Item {
  kind: ItemKind;
  /** The id; of a stop "line id#index". */
  id: string;
}

export const selection = signal<readonly Item[]>([]);
export const hovered = signal<Item | null>(null);
/** The railroad that panels and drawing tools are at work on. */
export const currentRailroad = signal<string | null>(null);

export const itemKey = (item: Item): string => `${item.kind}:${item.id}`;
export const selectedKeys = computed(() => new Set(selection.value.map(itemKey)));
export const selectedMileposts = computed(() =>
  selection.value.filter((item) => item.kind === "milepost").map((item) => item.id),
);

export function select(items: readonly Item[], how: "set" | "add" | "toggle" = "set"): void {
  if (how === "set") {
    selection.value = items;
    return;
  }
  const had = new Map(selection.value.map((item) => [itemKey(item), item]));
  for (const item of items) {
    const key = itemKey(item);
    if (how === "toggle" && had.has(key)) had.delete(key);
    else had.set(key, item);
  }
  selection.value = [...had.values()];
}
