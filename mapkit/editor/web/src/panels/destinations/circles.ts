// Chances on the board: a circle at each city, its area the chance.
import { effect, signal } from "@preact/signals";
import { board, type Sketch } from "../../board";
import { cities, mileposts, page } from "../../store";
import { chart, odds, REGIONS, WHOLE } from "./state";

/** Whether the circles are wanted, and whether the panel that they belong to is open. */
export const circlesOn = signal(true);
export const panelOpen = signal(false);

/** The largest circle's radius as a part of the page's shorter side. */
const LARGEST = 1 / 14;

export function circles(): Sketch[] {
  const known = odds.value;
  if (!known) return [];
  const chances = new Map<string, number>();
  for (const [id, post] of Object.entries(mileposts.value)) {
    let sum = 0;
    for (const city of post.cities) {
      const own = known.cities[city];
      if (!own) continue;
      if (chart.value === REGIONS) sum += own.percent;
      else if (cities.value[city]?.region === chart.value) sum += (own.in_chart / WHOLE) * 100;
    }
    if (sum > 0) chances.set(id, sum);
  }
  const most = Math.max(...chances.values());
  const largest = Math.min(page.value.width, page.value.height) * LARGEST;
  return [...chances].sort().flatMap(([id, chance]): Sketch[] => {
    const post = mileposts.value[id]!;
    const at = [post.x, post.y] as const;
    const circle: Sketch = { kind: "circle", at, radius: largest * Math.sqrt(chance / most) };
    return chart.value === REGIONS ? [circle] : [circle, { kind: "text", at, text: `${chance.toFixed(1)} %` }];
  });
}

effect(() => board.sketch("odds", circlesOn.value && panelOpen.value ? circles() : []));
