// Accepting dots and squares that were found in the picture underneath: mileposts on lines, and cities, as one step.
import { signal } from "@preact/signals";
import { degrees } from "../commands";
import { runAll } from "../edit";
import { select } from "../selection";
import { cities, lines, mileposts, regions, revision } from "../store";
import { askText, toast } from "../ui";
import type { Command, Point, Stop } from "../wire";
import { askRegion } from "./common";
import { chosenDot, proposals, type Proposal } from "./dots";
import { selectCity, selectPlace } from "./made";
import { freeNames, nearestOn, places, stretches, type Stretch } from "./track";

/** The region of new cities; empty for that of the nearest city. */
export const regionOfCities = signal("");

/** How far from a dot a line may run that it is a milepost of, in widths of the dot and in millimetres. */
const REACH = 1.2;
const LEAST_MM = 1.5;
const reachOf = (one: Proposal): number => Math.max(REACH * one.width, LEAST_MM);

/** "Worcester MA" is Worcester. */
const plain = (name: string): string => name.replace(/,? [A-Z]{2}$/, "");

const count = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;
export const said = (all: readonly Proposal[]): string => {
  const dots = all.filter((one) => one.kind === "dot").length;
  const parts = [...(dots > 0 ? [count(dots, "dot", "dots")] : []), ...(dots < all.length ? [count(all.length - dots, "square", "squares")] : [])];
  return parts.join(" and ");
};

/** The lines of the board while stops are added to them, one command after the other. */
class Track {
  private readonly lines: Map<string, Stretch[]>;

  constructor() {
    this.lines = new Map();
    for (const stretch of stretches.value) this.lines.set(stretch.line, [...(this.lines.get(stretch.line) ?? []), stretch]);
  }

  /** Commands that let all lines near a place stop there; none if there is no line. */
  through(at: Point, spot: Point, name: string, reach: number, known: boolean): Command[] {
    const commands: Command[] = [];
    let there = known;
    const done = new Set<string>();
    for (const [line, own] of this.lines) {
      let best: Stretch | null = null;
      let least = reach;
      for (const stretch of own) {
        const { away } = nearestOn(stretch, at[0], at[1]);
        if (away <= least) [best, least] = [stretch, away];
      }
      if (!best) continue;
      const pair = [best.from.place, best.to.place].sort().join("|");
      if (done.has(pair)) continue;
      done.add(pair);
      const railroads = new Set([...this.lines.values()].flat().flatMap((one) => ([one.from.place, one.to.place].sort().join("|") === pair ? [one.railroad] : [])));
      railroads.delete(best.railroad);
      const stop = there ? { place: name, kind: "milepost" as const } : { place: name, kind: "milepost" as const, lon: spot[0], lat: spot[1] };
      there = true;
      commands.push({ kind: "add-stop", line, index: best.index, stop, railroads: [...railroads].sort() });
      this.insert(pair, new Set([best.railroad, ...railroads]), { ...best.to, place: name, kind: "milepost", x: at[0], y: at[1], lon: spot[0], lat: spot[1], milepost: null });
    }
    return commands;
  }

  /** What the server does with the command: the stop goes into every line of these railroads between the two places. */
  private insert(pair: string, railroads: ReadonlySet<string>, stop: Stop): void {
    for (const [line, own] of this.lines) {
      if (!railroads.has(own[0]!.railroad)) continue;
      let shift = 0;
      const made: Stretch[] = [];
      for (const stretch of own) {
        const one = { ...stretch, index: stretch.index + shift };
        if ([one.from.place, one.to.place].sort().join("|") !== pair) made.push(one);
        else {
          made.push({ ...one, to: stop }, { ...one, from: stop, index: one.index + 1 });
          shift += 1;
        }
      }
      this.lines.set(line, made);
    }
  }
}

/** The bend of a line that a dot lies on. */
function bendAt(one: Proposal): string | null {
  let best: string | null = null;
  let least = reachOf(one);
  for (const place of places.value.values()) {
    if ([...place.kinds.values()].includes("milepost")) continue;
    const away = Math.hypot(place.at[0] - one.at[0], place.at[1] - one.at[1]);
    if (away <= least) [best, least] = [place.name, away];
  }
  return best;
}

/** The milepost without a city that a square lies on. */
function milepostUnder(one: Proposal): { name: string; spot: Point } | null {
  let best: { name: string; spot: Point } | null = null;
  let least = reachOf(one);
  for (const place of places.value.values()) {
    if (place.milepost === null || (mileposts.value[place.milepost]?.cities.length ?? 0) > 0) continue;
    const away = Math.hypot(place.at[0] - one.at[0], place.at[1] - one.at[1]);
    if (away <= least) [best, least] = [{ name: place.name, spot: [place.lon, place.lat] }, away];
  }
  return best;
}

function nearestRegion(at: Point): string | null {
  if (regionOfCities.value in regions.value) return regionOfCities.value;
  let best: string | null = null;
  let least = Infinity;
  for (const post of Object.values(mileposts.value)) {
    const region = cities.value[post.cities[0] ?? ""]?.region;
    const away = Math.hypot(post.x - at[0], post.y - at[1]);
    if (region !== undefined && away < least) [best, least] = [region, away];
  }
  return best ?? (Object.keys(regions.value).length === 1 ? Object.keys(regions.value)[0]! : null);
}

interface Plan {
  commands: Command[];
  taken: Proposal[];
  /** Dots off any line, and squares without a name. */
  lineless: Proposal[];
  nameless: Proposal[];
}

/** What makes mileposts and cities of proposals; `region` is for cities where there is none to go by. */
async function planned(all: readonly Proposal[], region: string | null, names: ReadonlyMap<string, string>): Promise<Plan> {
  const spots = await degrees(all.map((one) => one.at));
  const track = new Track();
  const free = freeNames();
  const own = new Set(Object.values(cities.value).map((city) => city.name.toLowerCase()));
  const plan: Plan = { commands: [], taken: [], lineless: [], nameless: [] };
  for (const [i, one] of all.entries()) {
    const made = one.kind === "dot" ? dot(one, spots[i]!, track, free) : square(one, spots[i]!, track, region, names.get(one.key) ?? one.name, own);
    if (made.length > 0) {
      plan.commands.push(...made);
      plan.taken.push(one);
    } else (one.kind === "dot" ? plan.lineless : plan.nameless).push(one);
  }
  return plan;
}

function dot(one: Proposal, spot: Point, track: Track, free: Generator<string, never>): Command[] {
  const bend = bendAt(one);
  const name = (): string => one.name || free.next().value;
  if (bend !== null) return [{ kind: "set-stop-kind", place: bend, to: "milepost", ...(bend.startsWith("@") ? { name: name() } : {}) }];
  return track.through(one.at, spot, name(), reachOf(one), false);
}

function square(one: Proposal, spot: Point, track: Track, region: string | null, wish: string, own: Set<string>): Command[] {
  const into = nearestRegion(one.at) ?? region;
  if (!wish || into === null) return [];
  const name = own.has(plain(wish).toLowerCase()) ? wish : plain(wish);
  own.add(name.toLowerCase());
  const under = milepostUnder(one);
  const [lon, lat] = under?.spot ?? spot;
  const city: Command = { kind: "add-city", name, region: into, lon, lat };
  if (under) return [...(under.name === name ? [] : [{ kind: "edit-place" as const, place: under.name, name }]), city];
  return [city, ...track.through(one.at, spot, name, reachOf(one), true)];
}

/** Make mileposts and cities of proposals, as one step; what cannot be made yet stays, and why is said. */
export async function acceptDots(all: readonly Proposal[]): Promise<void> {
  const seen = revision.value;
  const names = new Map<string, string>();
  const [only] = all.length === 1 ? all : [];
  if (only?.kind === "square" && !only.name) {
    const name = await askText("New city", "Name of the city", "", "Go on");
    if (name === null) return;
    names.set(only.key, name);
  }
  let region: string | null = null;
  if (all.some((one) => one.kind === "square" && (one.name || names.has(one.key)) && nearestRegion(one.at) === null)) {
    region = await askRegion(only ? `In which region is ${names.get(only.key) ?? plain(only.name)}?` : "In which region are the new cities?", "Go on");
    if (region === null) return;
  }
  const plan = await planned(all, region, names);
  const left = [
    ...(plan.lineless.length > 0 ? [`${count(plan.lineless.length, "dot lies", "dots lie")} off any line: draw the track through; the line tools catch ${plan.lineless.length === 1 ? "it" : "them"}`] : []),
    ...(plan.nameless.length > 0 ? [`${count(plan.nameless.length, "square has", "squares have")} no name: accept ${plan.nameless.length === 1 ? "it" : "each"} by itself, and type one`] : []),
  ].join("; ");
  if (plan.commands.length === 0) return void toast(`${left[0]!.toUpperCase()}${left.slice(1)}.`, "warning");
  const next = proposals.value[proposals.value.findIndex((one) => one.key === all[0]!.key) + 1]?.key ?? null;
  const answer = await runAll(only ? `Add ${names.get(only.key) ?? (only.name || `a ${only.kind}`)} of the picture` : `Accept ${said(plan.taken)} of the picture`, plan.commands, { seen });
  if (!answer.ok) return;
  if (only) {
    chosenDot.value = next;
    if (only.kind === "square") selectCity(plain(names.get(only.key) ?? only.name));
    else if (only.name) selectPlace(only.name);
  } else select([]);
  if (left) toast(`${said(plan.taken)} accepted. ${left[0]!.toUpperCase()}${left.slice(1)}.`);
}

/** Whether there is any line that dots could stand on. */
export const hasLines = (): boolean => Object.keys(lines.value).length > 0;
