// The best route of the chosen trip: lit up on the board and on a small map, with miles and payoff.
import { computed, effect, signal } from "@preact/signals";
import { board } from "../../board";
import { query } from "../../edit";
import { errorText } from "../../errors";
import { cities, mileposts, page, railroads, segments } from "../../store";
import { Button } from "../../ui";
import type { Point } from "../../wire";
import { amount, anchor, cityAt, cityName, keyOf, onGrid, type Pair } from "./chart";
import { cellsByKey } from "./judged";
import type { RouteFound as Found } from "../../generated";
import { UNKNOWN } from "../../colours";

const NAME = "payoff-route";

export const trip = computed<Pair>(() => {
  const { row, col } = onGrid(anchor.value);
  return [cityAt(row), cityAt(col)];
});
/** How many parts of the page show the route. */
export const watchers = signal(0);
const route = signal<Found | null>(null);
const why = signal("");
const near = signal(false);

const milepostOf = (city: string): string | undefined => Object.entries(mileposts.value).find(([, post]) => post.cities.includes(city))?.[0];

let asking: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const [a, b] = trip.value;
  void segments.value;
  clearTimeout(timer);
  asking?.abort();
  if (watchers.value === 0 || !a || !b || a === b) {
    show(null, "");
    return;
  }
  const [from, to] = [milepostOf(a), milepostOf(b)];
  if (!from || !to) return void show(null, "One of the two is not on the board yet.");
  if (from === to) return void show(null, "The two share a milepost, so the trip pays 0.");
  if (!joined(from, to)) return void show(null, "No railroads lead from one to the other.");
  asking = new AbortController();
  const mine = asking;
  timer = setTimeout(() => {
    query("route", { start: a, end: b }, mine.signal).then(
      (found) => show(found, ""),
      (error: unknown) => {
        if (!mine.signal.aborted) show(null, errorText(error));
      },
    );
  }, 90);
});

/** What can be reached from each milepost, as the number of its part of the network. */
const parts = computed(() => {
  const up = new Map<string, string>();
  const top = (id: string): string => {
    let at = id;
    while (up.has(at) && up.get(at) !== at) at = up.get(at)!;
    return at;
  };
  for (const segment of Object.values(segments.value)) up.set(top(segment.a), top(segment.b));
  return top;
});
const joined = (a: string, b: string): boolean => parts.value(a) === parts.value(b);

function show(found: Found | null, reason: string): void {
  route.value = found;
  why.value = reason;
  board.sketch(NAME, found ? [{ kind: "line", path: found.path, width: 6 }, ...ends(found)] : []);
}

const ends = (found: Found): { kind: "dot"; at: Point; radius: number }[] =>
  [found.path[0], found.path.at(-1)].flatMap((at) => (at ? [{ kind: "dot", at, radius: 7 } as const] : []));

const track = computed(() => {
  const byColour = new Map<string, string[]>();
  for (const segment of Object.values(segments.value)) {
    const colour = railroads.value[segment.railroad]?.colour ?? UNKNOWN;
    const path = segment.path.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    byColour.set(colour, [...(byColour.get(colour) ?? []), path]);
  }
  return [...byColour].map(([colour, paths]) => <path key={colour} d={paths.join("")} stroke={colour} class="track" />);
});

/** The box around all track; the page where there is none. */
const extent = computed(() => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const post of Object.values(mileposts.value)) {
    [left, right] = [Math.min(left, post.x), Math.max(right, post.x)];
    [top, bottom] = [Math.min(top, post.y), Math.max(bottom, post.y)];
  }
  const around = Math.max(right - left, bottom - top) * 0.04;
  return right > left ? [left - around, top - around, right - left + 2 * around, bottom - top + 2 * around] : [0, 0, page.value.width, page.value.height];
});

function SmallMap({ found }: { found: Found | null }) {
  const points = found?.path ?? [];
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const zoomed = near.value && points.length > 1;
  const around = zoomed ? Math.max(20, (Math.max(...xs) - Math.min(...xs)) * 0.1) : 0;
  const box = zoomed
    ? [Math.min(...xs) - around, Math.min(...ys) - around, Math.max(...xs) - Math.min(...xs) + 2 * around, Math.max(...ys) - Math.min(...ys) + 2 * around]
    : extent.value;
  const size = Math.max(box[2]!, box[3]!);
  const [a, b] = trip.value;
  const label = (city: string, at: Point | undefined) =>
    at && (
      <text x={at[0]} y={at[1] - box[1]! < size / 12 ? at[1] + size / 20 : at[1] - size / 45} font-size={size / 26} text-anchor={at[0] > box[0]! + box[2]! * 0.75 ? "end" : at[0] < box[0]! + box[2]! * 0.25 ? "start" : "middle"}>
        {cityName(city)}
      </text>
    );
  return (
    <svg class="payoff-map" viewBox={box.join(" ")} role="img" aria-label={found ? `The route from ${cityName(a)} to ${cityName(b)} on the board` : "The board"}>
      {track.value}
      {found && (
        <>
          <path class="route under" d={points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("")} stroke-width={size / 70} />
          <path class="route" d={points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("")} stroke-width={size / 130} />
          {[points[0], points.at(-1)].map((at, i) => at && <circle key={i} cx={at[0]} cy={at[1]} r={size / 70} />)}
          {label(a, points[0])}
          {label(b, points.at(-1))}
        </>
      )}
    </svg>
  );
}

export function RouteCard() {
  const [a, b] = trip.value;
  if (!a || !b) return null;
  const found = route.value;
  const cell = cellsByKey.value.get(keyOf(a, b));
  const value = a === b ? null : amount(a, b);
  void cities.value;
  return (
    <section class="payoff-route" aria-label="Best route">
      <div class="bar payoff-lot">
        <h3>{a === b ? cityName(a) : `${cityName(a)} - ${cityName(b)}`}</h3>
        <Button kind="quiet" aria-pressed={near.value} disabled={!found} onClick={() => (near.value = !near.value)}>
          Zoom to the route
        </Button>
      </div>
      <SmallMap found={found} />
      {found ? (
        <p>
          {Math.round(found.miles).toLocaleString("en")} miles, {found.mileposts} mileposts, by {found.railroads.map((id) => railroads.value[id]?.short ?? id).join(", ")}.{" "}
          {value === null ? "Pays nothing yet" : `Pays ${value} thousand`}
          {cell ? `; ${cell.expected.toFixed(1)} ± ${cell.sd.toFixed(1)} is expected.` : "."}
        </p>
      ) : (
        <p class="hint">{a === b ? "Choose a trip in the chart." : why.value || "Looking for the route …"}</p>
      )}
    </section>
  );
}
