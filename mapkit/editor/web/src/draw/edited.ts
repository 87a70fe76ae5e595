// The line that is being edited: a place of it, or a stretch from one place to another.
import { computed, signal } from "@preact/signals";
import { selection } from "../selection";
import { lines, mileposts, segments } from "../store";
import type { Line, Stop } from "../wire";

export interface Edited {
  line: string;
  /** Where the section begins, an index into the stops of the line as shown. */
  a: number;
  /** The place that keys act on; the section's other end. */
  b: number;
}

const chosen = signal<Edited | null>(null);

/** Null when the line is gone; a place that is gone is the nearest that is left. */
export const edited = computed<Edited | null>(() => {
  const now = chosen.value;
  const line = now && lines.value[now.line];
  if (!now || !line || line.stops.length === 0) return null;
  const last = line.stops.length - 1;
  return { line: now.line, a: Math.min(now.a, last), b: Math.min(now.b, last) };
});

export function edit(now: Edited | null): void {
  chosen.value = now;
}

export const editedLine = computed<Line | null>(() => (edited.value ? (lines.value[edited.value.line] ?? null) : null));
export const editedStop = computed<Stop | null>(() => (edited.value ? (editedLine.value?.stops[edited.value.b] ?? null) : null));

export interface Section {
  line: string;
  railroad: string;
  stops: readonly Stop[];
  /** Numbers as typed. */
  start: number;
  end: number;
  whole: boolean;
}

export function sectionOf(id: string, from: number, to: number): Section | null {
  const line = lines.value[id];
  const [a, b] = [Math.min(from, to), Math.max(from, to)];
  const stops = line?.stops.slice(a, b + 1) ?? [];
  if (!line || stops.length < 2) return null;
  const whole = a === 0 && b === line.stops.length - 1;
  return { line: id, railroad: line.railroad, stops, start: stops[0]!.at, end: stops.at(-1)!.at, whole };
}

/** The section of the edited line, if it is more than a place. */
export const editedSection = computed<Section | null>(() => {
  const now = edited.value;
  return now && now.a !== now.b ? sectionOf(now.line, now.a, now.b) : null;
});

/** The sections of lines that the selected segments are. `missed` counts segments that no single line holds. */
export const selectedSections = computed<{ sections: readonly Section[]; missed: number }>(() => {
  const wanted = new Map<string, Set<string>>();
  let missing = 0;
  for (const item of selection.value) {
    const segment = item.kind === "segment" ? segments.value[item.id] : undefined;
    if (!segment) continue;
    const of = wanted.get(segment.railroad) ?? new Set<string>();
    of.add(`${segment.a}|${segment.b}`).add(`${segment.b}|${segment.a}`);
    wanted.set(segment.railroad, of);
    missing += 1;
  }
  const sections: Section[] = [];
  const seen = new Set<string>();
  if (missing > 0)
    for (const [id, line] of Object.entries(lines.value)) {
      const of = wanted.get(line.railroad);
      if (!of) continue;
      let begun = null as number | null;
      let before = null as number | null;
      line.stops.forEach((stop, i) => {
        if (stop.milepost === null) return;
        const pair = before === null ? "" : `${line.stops[before]!.milepost ?? ""}|${stop.milepost}`;
        if (before !== null && of.has(pair)) {
          seen.add(`${line.railroad}:${pair.split("|").sort().join("|")}`);
          begun ??= before;
        } else if (begun !== null) {
          const found = sectionOf(id, begun, before!);
          if (found) sections.push(found);
          begun = null;
        }
        before = i;
      });
      const rest = begun === null || before === null ? null : sectionOf(id, begun, before);
      if (rest) sections.push(rest);
    }
  return { sections, missed: Math.max(0, missing - seen.size) };
});

/** The mileposts that are selected, and that are there. */
export const selectedPosts = computed(() => selection.value.flatMap((item) => (item.kind === "milepost" && mileposts.value[item.id] ? [item.id] : [])));
