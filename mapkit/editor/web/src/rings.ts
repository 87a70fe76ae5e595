// Areas as rings of places.
import type { Point } from "./wire";

/** Whether a place lies in an odd number of rings. */
export function inRings(rings: readonly (readonly Point[])[], [x, y]: Point): boolean {
  let inside = false;
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
      const [[px, py], [qx, qy]] = [ring[i]!, ring[j]!];
      if (py > y !== qy > y && x < ((qx - px) * (y - py)) / (qy - py) + px) inside = !inside;
    }
  return inside;
}
