// Operations of a variant that have their reason in common.
import type { ShownOperation } from "../generated";

/** Operations of one kind with one reason; `labels` says what each sets, unless the reason of a single one does. */
export interface Group {
  op: string;
  reason: string;
  labels: readonly string[];
}

/** The groups of operations, in order, with those operations only that have all words that are looked for. */
export function grouped(all: readonly ShownOperation[], needle = ""): Group[] {
  const words = needle.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { op: string; reason: string; labels: string[] }>();
  for (const { op, reason, label } of all) {
    const text = `${op} ${reason} ${label}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const key = `${op} ${reason}`;
    const group = groups.get(key) ?? { op, reason, labels: [] };
    group.labels.push(label);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => (group.labels.length > 1 || group.op.startsWith("set-") ? group : { ...group, labels: [] }));
}
