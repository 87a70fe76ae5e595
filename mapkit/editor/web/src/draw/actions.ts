// What is done to lines, mileposts and whatever is selected: each is one step of the history.
import "./following";
import "./importing";
import "./placing";
import { signal } from "@preact/signals";
import { register } from "../actions";
import { board } from "../board";
import { degrees, moveMileposts, placeOf, putInRegion } from "../commands";
import { run, runAll } from "../edit";
import { select, selection, type Item } from "../selection";
import { addToMenu } from "../shell/menus";
import { cities, lines, mileposts, revision } from "../store";
import { askChoice, askText } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import type { Command, Point } from "../wire";
import { askRailroad, askRegion, drawnRailroad, railroadWord, showError } from "./common";
import { deleteDoomed, milepostCommands, milepostNames, s, sectionCommands, sectionName, segmentsOf } from "./deleting";
import { selectCities, selectTrack } from "./made";
import { inSight, itemInSight, pathInSight } from "./sight";
import { edit, edited, editedLine, editedSection, editedStop, sectionOf, selectedPosts, selectedSections, type Section } from "./edited";
import { places, type Kind } from "./track";

/** Whether the tool that edits lines is at work; keys then act on its line, else on the selection. */
export const reshaping = signal(false);

const citiesAt = (id: string): readonly string[] => mileposts.value[id]?.cities ?? [];

/** What keys act on: the section or whole edited line, or the sections of selected segments. */
function sections(): readonly Section[] {
  if (reshaping.value) {
    const now = edited.value;
    const whole = now ? sectionOf(now.line, 0, Infinity) : null;
    return editedSection.value ? [editedSection.value] : whole ? [whole] : [];
  }
  return selectedSections.value.sections;
}

function warnMissed(): void {
  const { missed } = selectedSections.value;
  if (!reshaping.value && missed > 0)
    toast(`${s(missed, "selected stretch")} run over several lines, and are left as they are.`, "warning");
}

async function deleteEdited(): Promise<void> {
  const [now, line, stop, section] = [edited.value, editedLine.value, editedStop.value, editedSection.value];
  if (!now || !line || !stop) return;
  if (!section) {
    const command: Command = { kind: "delete-stop", line: now.line, index: stop.at };
    const name = `${stop.place.startsWith("@") ? "the bend" : stop.place} of line ${line.name}`;
    await deleteDoomed("Delete a place", { names: [name], count: 1, commands: [command], items: stop.milepost ? [{ kind: "milepost", id: stop.milepost }] : [], seen: inSight([stop.x, stop.y]) });
    return;
  }
  const seen = pathInSight(section.stops.map((one): Point => [one.x, one.y]));
  const items = section.stops.flatMap((one): Item[] => (one.milepost ? [{ kind: "milepost", id: one.milepost }] : []));
  const answer = await deleteDoomed("Delete a section", { names: [sectionName(section)], count: segmentsOf(section), commands: sectionCommands([section]), items, seen });
  if (answer?.ok) edit({ line: now.line, a: Math.min(now.a, now.b), b: Math.min(now.a, now.b) });
}

async function deleteIt(): Promise<void> {
  if (reshaping.value) return deleteEdited();
  warnMissed();
  const track = selectedSections.value.sections;
  const posts = selectedPosts.value;
  const commands = [...sectionCommands(track), ...posts.flatMap(milepostCommands)];
  if (commands.length === 0) return;
  const what = [track.length > 0 ? s(track.length, "stretch", "stretches") : "", posts.length > 0 ? s(posts.length, "milepost") : ""];
  const items = selection.value.filter((item) => item.kind === "segment" || item.kind === "milepost");
  const names = [...track.map(sectionName), ...posts.flatMap(milepostNames)];
  const count = track.reduce((sum, one) => sum + segmentsOf(one), names.length - track.length);
  const doomed = { names, count, commands, items, seen: items.every(itemInSight) };
  if ((await deleteDoomed(`Delete ${what.filter(Boolean).join(" and ")}`, doomed))?.ok) select([]);
}

async function split(): Promise<void> {
  const [now, stop] = [edited.value, editedStop.value];
  if (!now || !stop) return;
  cut = { line: now.line, others: new Set(Object.keys(lines.value)) };
  await run({ kind: "split-line", line: now.line, index: stop.at });
}

/** The line that was cut last, and the lines that there were before: its other part is none of them. */
let cut: { line: string; others: ReadonlySet<string> } = { line: "", others: new Set() };
const isCutOff = (id: string): boolean => id === cut.line || !cut.others.has(id);

/** The lines of the same railroad that end where the edited one does: the part just cut off first, then those at the chosen place. */
function joinable(): string[] {
  const [now, line] = [edited.value, editedLine.value];
  if (!now || !line) return [];
  const ends = [line.stops[0]!.place, line.stops.at(-1)!.place];
  if (now.b === line.stops.length - 1) ends.reverse();
  const found = ends.flatMap((end) =>
    Object.entries(lines.value).flatMap(([id, other]) =>
      id !== now.line && other.railroad === line.railroad && [other.stops[0]?.place, other.stops.at(-1)?.place].includes(end) ? [id] : [],
    ),
  );
  const part = isCutOff(now.line) ? found.filter(isCutOff) : [];
  return [...new Set([...part, ...found])];
}

async function join(): Promise<void> {
  const all = joinable();
  const called = (id: string): string => {
    const whole = sectionOf(id, 0, Infinity);
    return whole ? sectionName(whole).replace(/^t/, "T") : id;
  };
  const options = all.map((id) => ({ value: id, label: called(id) }));
  const other = all.length > 1 ? await askChoice("Join with which line?", "Line", options, "Join") : all[0];
  if (edited.value && other) await run({ kind: "join-lines", a: edited.value.line, b: other });
}

async function setRailroad(): Promise<void> {
  const all = sections();
  if (all.length === 0) return;
  warnMissed();
  const from = [...new Set(all.map((one) => one.railroad))];
  const to = await askRailroad("Give the track to another railroad", "Give", from.length === 1 ? from[0] : undefined);
  if (to === null) return;
  const moved = all.filter((one) => one.railroad !== to);
  const whole = moved.filter((one) => one.whole).map((one) => one.line);
  const parts = moved.filter((one) => !one.whole);
  const commands: Command[] = [
    ...(whole.length > 0 ? [{ kind: "edit-line", lines: whole, railroad: to } as const] : []),
    ...parts.map((one) => ({ kind: "add-line" as const, railroad: to, stops: one.stops.map((stop) => ({ place: stop.place, kind: stop.kind })) })),
    ...sectionCommands(parts),
  ];
  if (commands.length > 0) await runAll(`Give ${s(moved.length, "line")} to ${railroadWord(to)}`, commands);
}

async function convert(): Promise<void> {
  const stop = editedStop.value;
  if (reshaping.value) {
    if (editedSection.value) {
      const inner = editedSection.value.stops.slice(1, -1);
      const to = inner.some((one) => one.kind === "via") ? "milepost" : "via";
      const names = inner.filter((one) => one.kind !== to && (one.milepost === null || citiesAt(one.milepost).length === 0)).map((one) => one.place);
      if (names.length > 0)
        await runAll(`Make ${names.length} places ${to === "via" ? "bends" : "mileposts"}`, [...new Set(names)].map((place): Command => ({ kind: "set-stop-kind", place, to })));
    } else if (stop) await run({ kind: "set-stop-kind", place: stop.place, to: stop.kind === "via" ? "milepost" : "via" });
    return;
  }
  const posts = selectedPosts.value.filter((id) => citiesAt(id).length === 0);
  if (posts.length === 0) return void toast("Cities stay mileposts; select others.");
  const commands = posts.map((id): Command => ({ kind: "set-stop-kind", place: placeOf(id), to: "via" }));
  if ((await runAll(`Make ${s(posts.length, "milepost")} bends`, commands)).ok) select([]);
}

async function nameIt(): Promise<void> {
  const stop = editedStop.value;
  const post = reshaping.value ? stop?.milepost : selectedPosts.value[0];
  const place = reshaping.value && stop ? stop.place : post ? placeOf(post) : null;
  if (place === null) return;
  const here = post ? citiesAt(post) : [];
  const only = here.length === 1 ? here[0] : undefined;
  const old = only ? (cities.value[only]?.name ?? only) : place.startsWith("@") ? "" : place;
  const name = await askText(old ? `Rename ${old}` : "Name the bend", "Name", old, "Rename");
  if (name === null || name === old) return;
  await run(only ? { kind: "edit-city", id: only, name } : { kind: "edit-place", place, name });
}

async function setRegion(): Promise<void> {
  const chosen = selectedPosts.value.flatMap((id) => [...citiesAt(id)]);
  if (chosen.length === 0) return;
  const region = await askRegion("Put the selected cities in a region", "Put", cities.value[chosen[0]!]?.region);
  if (region) await putInRegion(chosen, region);
}

async function twins(): Promise<void> {
  const ids = selectedPosts.value.flatMap((id) => [...citiesAt(id)]);
  if ((await run({ kind: "twin-cities", ids })).ok) selectCities(ids);
}

async function untwin(): Promise<void> {
  const second = citiesAt(selectedPosts.value[0] ?? "")[1];
  if (second !== undefined && (await run({ kind: "edit-city", id: second, milepost: "" })).ok) selectCities([second]);
}

// copy and paste

interface Copied {
  railroad: string;
  stops: readonly { place: string; kind: Kind; lon: number; lat: number }[];
}
export const copied = signal<readonly Copied[]>([]);

function copy(): void {
  const all = sections();
  warnMissed();
  copied.value = all.map((one) => ({
    railroad: one.railroad,
    stops: one.stops.map((stop) => ({ place: stop.place, kind: stop.kind, lon: stop.lon, lat: stop.lat })),
  }));
  if (all.length > 0) toast(`${s(all.length, "line")} copied. Paste gives the track to another railroad.`);
}

async function paste(): Promise<void> {
  const from = new Set(copied.value.map((one) => one.railroad));
  const only = from.size === 1 ? [...from][0] : undefined;
  const now = drawnRailroad();
  const to = now !== null && !from.has(now) ? now : await askRailroad("Paste the track to a railroad", "Paste", only);
  if (to === null) return;
  const commands: Command[] = copied.value
    .filter((one) => one.railroad !== to)
    .map((one) => ({
      kind: "add-line",
      railroad: to,
      // a place that was deleted since is laid again where it was
      stops: one.stops.map((stop, i) => {
        const kind = places.value.get(stop.place)?.kinds.get(to) ?? stop.kind;
        const end = i === 0 || i === one.stops.length - 1;
        if (end && stop.place.startsWith("@")) return { kind: "milepost", lon: stop.lon, lat: stop.lat };
        const gone = !places.value.has(stop.place) && !stop.place.startsWith("@") && !Object.values(cities.value).some((row) => [row.name, row.milepost].includes(stop.place));
        return { place: stop.place, kind, ...(gone ? { lon: stop.lon, lat: stop.lat } : {}) };
      }),
    }));
  if (commands.length === 0) return void toast("This track is that railroad's already; choose another railroad to paste to.");
  const answer = await run({ kind: "batch", label: `Paste ${s(commands.length, "line")} to ${railroadWord(to)}`, commands });
  if (answer.ok) selectTrack([to], ...copied.value.filter((one) => one.railroad !== to).map((one) => one.stops.map((stop) => stop.place)));
}

// moving by keys: presses that follow each other are one step

let pushed: Point = [0, 0];
let pushedFrom = 0;
let pushing: ReturnType<typeof setTimeout> | null = null;

function push(dx: number, dy: number): void {
  if (pushing === null) pushedFrom = revision.value;
  else clearTimeout(pushing);
  const step = 4 * board.resolution;
  pushed = [pushed[0] + dx * step, pushed[1] + dy * step];
  const stop = reshaping.value ? editedStop.value : null;
  const from: Point[] = stop
    ? [[stop.x, stop.y]]
    : selectedPosts.value.flatMap((id) => (mileposts.value[id] ? [[mileposts.value[id].x, mileposts.value[id].y] as Point] : []));
  board.sketch("push", from.map(([x, y]) => ({ kind: "dot", at: [x + pushed[0], y + pushed[1]] })));
  pushing = setTimeout(() => {
    const [x, y] = pushed;
    pushing = null;
    pushed = [0, 0];
    const done = stop
      ? degrees([[stop.x + x, stop.y + y]]).then(([at]) => run({ kind: "edit-place", place: stop.place, lon: at![0], lat: at![1] }, { seen: pushedFrom }))
      : moveMileposts(selectedPosts.value, x, y, pushedFrom);
    void done.catch(showError).finally(() => board.sketch("push", []));
  }, 500);
}
const canPush = (): boolean => (reshaping.value ? editedStop.value !== null : selectedPosts.value.length > 0);


const has = (): boolean => sections().length > 0;
register(
  {
    id: "delete",
    get label() {
      return reshaping.value ? (editedSection.value ? "Delete the section" : "Delete the place from the line") : "Delete what is selected";
    },
    group: "Draw",
    keys: ["Delete"],
    enabled: () => (reshaping.value ? edited.value !== null : selectedPosts.value.length > 0 || selection.value.some((item) => item.kind === "segment")),
    needs: () => (reshaping.value ? "choose a place of the line first" : "select a milepost or track first"),
    run: () => void deleteIt(),
  },
  {
    id: "split",
    label: "Split the line here",
    group: "Draw",
    keys: ["X"],
    enabled: () => reshaping.value && edited.value !== null && edited.value.b > 0 && edited.value.b < (editedLine.value?.stops.length ?? 0) - 1,
    needs: () => (reshaping.value && edited.value !== null ? "choose a place inside the line first, not its end" : "choose a line first, with the tool Reshape"),
    run: () => void split(),
  },
  { id: "join", label: "Join with a line", group: "Draw", keys: ["J"], enabled: () => reshaping.value && joinable().length > 0, needs: "choose a line first that ends where another of its railroad does", run: () => void join() },
  {
    id: "reverse",
    label: "Reverse the line",
    group: "Draw",
    keys: ["Shift+R"],
    enabled: () => reshaping.value && edited.value !== null,
    needs: "choose a line first, with the tool Reshape",
    run: () => void run({ kind: "edit-line", lines: [edited.value?.line ?? ""], reverse: true }),
  },
  {
    id: "convert",
    label: "Milepost or bend: make it the other",
    group: "Draw",
    keys: ["K"],
    enabled: () => (reshaping.value ? edited.value !== null : selectedPosts.value.length > 0),
    needs: "select a milepost first",
    run: () => void convert(),
  },
  {
    id: "name",
    label: "Name it …",
    group: "Draw",
    keys: ["F2"],
    enabled: () => (reshaping.value ? edited.value !== null : selectedPosts.value.length === 1),
    needs: "select one milepost first",
    run: () => void nameIt().catch(showError),
  },
  { id: "set-railroad", label: "Give the track to another railroad …", group: "Draw", keys: ["Shift+G"], enabled: has, needs: "select track first", run: () => void setRailroad() },
  {
    id: "set-region",
    label: "Put the selected cities in a region …",
    group: "Draw",
    keys: ["Shift+E"],
    enabled: () => selectedPosts.value.some((id) => citiesAt(id).length > 0),
    needs: "select a city first",
    run: () => void setRegion(),
  },
  {
    id: "twins",
    label: "Make the selected cities twins",
    group: "Draw",
    enabled: () => {
      const count = selectedPosts.value.reduce((sum, id) => sum + citiesAt(id).length, 0);
      return selectedPosts.value.length > 1 && count > 1 && count < 5;
    },
    needs: "select two to four cities first",
    run: () => void twins(),
  },
  {
    id: "untwin",
    label: "Give the city a milepost of its own",
    group: "Draw",
    enabled: () => selectedPosts.value.length === 1 && citiesAt(selectedPosts.value[0]!).length > 1,
    needs: "select a milepost of several cities first",
    run: () => void untwin(),
  },
  { id: "copy", label: "Copy lines", group: "Draw", keys: ["Ctrl+C"], enabled: has, needs: "select track first", run: copy },
  { id: "paste", label: "Paste lines to a railroad", group: "Draw", keys: ["Ctrl+V"], enabled: () => copied.value.length > 0, needs: "copy lines first", run: () => void paste() },
  ...(
    [
      ["ArrowLeft", "left", -1, 0],
      ["ArrowRight", "right", 1, 0],
      ["ArrowUp", "up", 0, -1],
      ["ArrowDown", "down", 0, 1],
    ] as const
  ).map(([key, word, dx, dy]) => ({
    id: `push-${word}`,
    label: `Move what is selected ${word}`,
    group: "Draw",
    keys: [`Alt+${key}`],
    enabled: canPush,
    needs: "select a milepost first",
    run: () => push(dx, dy),
  })),
);
addToMenu("Draw", "copy", "paste", "delete", "name", "convert", "set-railroad", "set-region", "twins", "untwin", "split", "join", "reverse");

