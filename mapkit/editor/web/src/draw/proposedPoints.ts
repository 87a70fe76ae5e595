// Control points that the names in the picture underneath propose: shown as they would place it, then accepted or not.
import { computed, effect, signal } from "@preact/signals";
import { run } from "../edit";
import { revision } from "../store";
import type { Command } from "../wire";
import { aligned, controlPoints, place, proposed } from "./background";
import { PictureJob } from "./pictureJobs";

export const naming = new PictureJob("POST /api/picture-places/{id}", "GET /api/picture-places/{id}");
/** What was read: how many symbols, names beside them, and names that are known. */
export const readNames = signal<{ picture: string; symbols: number; names: number; known: number } | null>(null);

/** Read the names in the picture that the control points are of, and show where they would place it. */
export async function proposePoints(): Promise<void> {
  const about = aligned();
  if (!about) return;
  dismissPoints();
  const found = await naming.run(about);
  if (!found || aligned()?.id !== about.id) return;
  readNames.value = { picture: about.id, symbols: found.symbols, names: found.names, known: found.known };
  proposed.value = {
    points: found.placed.points.map(({ name, x, y, lon, lat }, i) => ({ key: `proposed ${i + 1}`, name, x, y, lon, lat })),
    out: new Set(),
    alone: Object.keys(controlPoints.value).length > 0,
  };
  await place();
}

export function dismissPoints(): void {
  readNames.value = null;
  if (proposed.value === null) return;
  proposed.value = null;
  void place();
}

/** Leave a proposed point out, or take it in again. */
export function usePoint(key: string, used: boolean): void {
  const now = proposed.value;
  if (!now) return;
  const out = new Set(now.out);
  if (used) out.delete(key);
  else out.add(key);
  proposed.value = { ...now, out };
  void place();
}

export function setAlone(alone: boolean): void {
  if (!proposed.value) return;
  proposed.value = { ...proposed.value, alone };
  void place();
}

/** The proposed points that are not left out. */
export const usedPoints = computed(() => (proposed.value?.points ?? []).filter((point) => !proposed.value?.out.has(point.key)));

/** Make control points of those that are not left out, as one step. */
export async function acceptPoints(name: string): Promise<void> {
  const now = proposed.value;
  if (!now) return;
  const seen = revision.value;
  const kept = now.alone ? [] : Object.values(controlPoints.value);
  const fresh = usedPoints.value.filter((point) => !kept.some((row) => Math.hypot(row.x - point.x, row.y - point.y) < 0.05));
  const commands: Command[] = [
    ...(now.alone ? Object.keys(controlPoints.value).map((key) => ({ kind: "delete-control-point" as const, key })) : []),
    ...fresh.map(({ x, y, lon, lat, name: note }) => ({ kind: "put-control-point" as const, x, y, lon, lat, note })),
  ];
  if (commands.length === 0) return dismissPoints();
  const answer = await run({ kind: "batch", label: `Place ${name} by ${fresh.length} of its names`, commands }, { seen });
  if (answer.ok) dismissPoints();
}

// what is proposed for one picture says nothing of another
effect(() => {
  const id = aligned()?.id;
  if (readNames.value && readNames.value.picture !== id) dismissPoints();
});
