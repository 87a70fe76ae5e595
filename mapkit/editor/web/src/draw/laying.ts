// From what was drawn on the page to commands: places where the board has some, new ones elsewhere, and the lines that
// are crossed get the place too, so that trains can change there.
import { degrees } from "../commands";
import { run } from "../edit";
import { lines, revision } from "../store";
import type { Answer, Command, Point } from "../wire";
import { armsOf, coordinateName, freeNames, kindFor, nearestOn, places, type Kind, type Snap, type Stretch } from "./track";
import { railroadWord } from "./common";
import { selectTrack } from "./made";
import type { StopInput } from "../generated";

export interface Drawn {
  snap: Snap;
  kind: Kind;
}
/** The end of a line of the railroad at which nothing else of it goes on. */
function openEnd(place: string, railroad: string): { line: string; end: "start" | "end" } | null {
  if (armsOf(place, railroad) !== 1) return null;
  for (const [id, line] of Object.entries(lines.value)) {
    if (line.railroad !== railroad) continue;
    if (line.stops[0]?.place === place) return { line: id, end: "start" };
    if (line.stops.at(-1)?.place === place) return { line: id, end: "end" };
  }
  return null;
}

/** Whether a click on it is the same place as another. */
export function samePlace(a: Snap, b: Snap): boolean {
  return a.place !== null ? a.place === b.place : Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) < 1e-6;
}

/** Add what was drawn as a line of a railroad, as one step: a new line, or more of the one that it goes on from. */
export async function layLine(railroad: string, drawn: readonly Drawn[], seen = revision.value): Promise<Answer | null> {
  const kept = drawn.filter((one, i) => i === 0 || !samePlace(one.snap, drawn[i - 1]!.snap));
  if (kept.length < 2) return null;
  const fresh = kept.filter((one) => one.snap.place === null);
  const at = await degrees(fresh.map((one) => one.snap.at));
  const found = new Map<Snap, Point>(fresh.map((one, i) => [one.snap, at[i]!]));
  const names = freeNames();
  const made = new Map<string, StopInput>();
  const inserts: { stretch: Stretch; along: number; stop: StopInput }[] = [];
  const stops: StopInput[] = kept.map((one, i) => {
    const end = i === 0 || i === kept.length - 1;
    const { snap } = one;
    if (snap.place !== null) {
      const place = places.value.get(snap.place);
      const own = place?.kinds.get(railroad);
      const kind = own ?? (end ? "milepost" : place && kindFor(snap.place, railroad) === "milepost" ? "milepost" : place ? "via" : "milepost");
      if (kind === "milepost" && snap.place.startsWith("@")) {
        const spot = place ?? { lon: undefined, lat: undefined };
        return { place: names.next().value, kind, lon: spot.lon, lat: spot.lat };
      }
      return { place: snap.place, kind };
    }
    const [lon, lat] = found.get(snap)!;
    const key = `${lon},${lat}`;
    const before = made.get(key);
    if (before?.place) return { place: before.place, kind: before.kind };
    const own = snap.on.find((stretch) => stretch.railroad === railroad);
    const kind: Kind = end && !own ? "milepost" : one.kind;
    const stop: StopInput = { place: kind === "via" ? coordinateName([lon, lat]) : snap.name || names.next().value, kind, lon, lat };
    made.set(key, stop);
    for (const stretch of snap.on.filter((other) => other.railroad === railroad))
      if (!inserts.some((other) => other.stop === stop && other.stretch.line === stretch.line))
        inserts.push({ stretch, along: nearestOn(stretch, snap.at[0], snap.at[1]).along, stop });
    return kind === "via" ? { place: stop.place!, kind } : stop;
  });
  const commands: Command[] = [];
  const known = new Set<StopInput>();
  inserts.sort((a, b) => (a.stretch.line === b.stretch.line ? b.stretch.index - a.stretch.index || b.along - a.along : a.stretch.line < b.stretch.line ? -1 : 1));
  for (const { stretch, stop } of inserts) {
    const given = stop.kind === "via" || known.has(stop) ? { place: stop.place, kind: stop.kind } : { ...stop };
    known.add(stop);
    commands.push({ kind: "add-stop", line: stretch.line, index: stretch.index, stop: given });
  }
  const used = new Set<string>();
  const given = stops.map((stop): StopInput => {
    const { place, kind } = stop;
    if (!place) return stop;
    const named = used.has(place) || [...known].some((other) => other.place === place);
    used.add(place);
    return named ? { place, kind } : stop;
  });
  const first = given[0]!.place;
  const last = given.at(-1)!.place;
  const from = first ? openEnd(first, railroad) : null;
  const onto = last ? openEnd(last, railroad) : null;
  if (from) commands.push({ kind: "extend-line", line: from.line, end: from.end, stops: given.slice(1) });
  else if (onto) commands.push({ kind: "extend-line", line: onto.line, end: onto.end, stops: given.slice(0, -1).reverse() });
  else commands.push({ kind: "add-line", railroad, stops: given });
  const only = commands.length === 1 ? commands[0] : undefined;
  const label = `Draw ${first ?? ""} - ${last ?? ""} of ${railroadWord(railroad)}`;
  const answer = await run(only ?? { kind: "batch", label, commands }, { seen });
  if (answer.ok) selectTrack([railroad], given.flatMap((stop) => stop.place ?? []));
  return answer;
}

/** Lay the track between places beside each other for several railroads, as one step. */
export async function layParallel(railroads: readonly string[], path: readonly string[], seen: number): Promise<Answer> {
  const names = freeNames();
  const ends = new Map<string, string>();
  const commands: Command[] = railroads.map((railroad) => ({
    kind: "add-line",
    railroad,
    stops: path.map((place, i): StopInput => {
      const end = i === 0 || i === path.length - 1;
      const own = places.value.get(place)?.kinds.get(railroad);
      const kind = own ?? (end ? "milepost" : kindFor(place, railroad));
      if (kind !== "milepost" || !place.startsWith("@")) return { place, kind };
      const there = ends.get(place);
      if (there) return { place: there, kind };
      const name = names.next().value;
      ends.set(place, name);
      const spot = places.value.get(place)!;
      return { place: name, kind, lon: spot.lon, lat: spot.lat };
    }),
  }));
  const label = `Lay ${railroads.map(railroadWord).join(", ")} along ${path[0] ?? ""} - ${path.at(-1) ?? ""}`.slice(0, 200);
  const answer = await run({ kind: "batch", label, commands }, { seen });
  if (answer.ok) selectTrack(railroads, path.map((place) => ends.get(place) ?? place));
  return answer;
}
