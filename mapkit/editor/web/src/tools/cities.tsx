// Cities: new ones on empty ground or on a line, of mileposts, and twins.
import { signal } from "@preact/signals";
import type { Tool } from "../board/BoardView";
import { degrees } from "../commands";
import { askRegion, showError } from "../draw/common";
import { selectCity } from "../draw/made";
import { beside, places, snap, type Snap } from "../draw/track";
import { confirmFindings } from "../stepFindings";
import { runAll } from "../edit";
import { cities, mileposts, regions, revision, rows } from "../store";
import { ActionButton, Select } from "../ui";
import { askText } from "../ui/Dialog";
import type { Command, Milepost, Point } from "../wire";

/** "" asks each time. */
const into = signal("");

/** The region of the nearest city. */
function regionNear([x, y]: Point): string | undefined {
  const far = (post: Milepost): number => Math.hypot(post.x - x, post.y - y);
  const near = Object.values(mileposts.value).reduce<Milepost | null>((best, post) => (post.region && (best === null || far(post) < far(best)) ? post : best), null);
  return near?.region ?? undefined;
}

const regionOf = async (name: string, at: Point): Promise<string | null> =>
  into.value in regions.value ? into.value : askRegion(`In which region is ${name}?`, "Add the city", regionNear(at));

/** A place's name without its state: "Worcester MA" is Worcester. */
const plain = (place: string): string => (place.startsWith("@") || /^Milepost \d+$/.test(place) ? "" : place.replace(/,? [A-Z]{2}$/, ""));

export async function makeCity(found: Snap): Promise<void> {
  const seen = revision.value;
  const here = found.milepost ? (mileposts.value[found.milepost]?.cities ?? []) : [];
  const twin = here[0] === undefined ? null : cities.value[here[0]];
  const name = await askText(
    twin ? `A twin of ${twin.name}` : found.place ? `Make ${plain(found.place) || "this place"} a city` : "New city",
    "Name of the city",
    twin || !found.place ? "" : plain(found.place),
    "Go on",
  );
  if (name === null) return;
  const region = twin ? twin.region : await regionOf(name, found.at);
  if (region === null) return;
  const post = found.milepost ? mileposts.value[found.milepost] : undefined;
  const known = found.place ? places.value.get(found.place) : undefined;
  const spot = post ?? known;
  const [lon, lat] = spot ? [spot.lon, spot.lat] : (await degrees([found.at]))[0]!;
  const add: Command = { kind: "add-city", name, region, lon, lat };
  const commands: Command[] = [];
  if (!spot && !(await confirmFindings(add, "Add it all the same"))) return;
  if (twin) {
    // the city's id is made by the server from its name, and is needed for the twins
    const id = cityId(name);
    commands.push({ ...add, id }, { kind: "twin-cities", ids: [...here, id] });
    if ((await runAll(`Add ${name}, a twin of ${twin.name}`, commands, { seen })).ok) selectCity(name);
    return;
  }
  if (found.place) {
    if (found.place !== name) commands.push({ kind: "edit-place", place: found.place, name });
    if (found.kind === "bend") commands.push({ kind: "set-stop-kind", place: name, to: "milepost" });
    commands.push(add);
    if ((await runAll(`Make ${name} a city`, commands, { seen })).ok) selectCity(name);
    return;
  }
  const stretch = found.on[0];
  commands.push(add);
  if (stretch) {
    const others = new Set(found.on.flatMap((one) => [one.railroad, ...beside(one)]));
    others.delete(stretch.railroad);
    commands.push({ kind: "add-stop", line: stretch.line, index: stretch.index, stop: { place: name, kind: "milepost" }, railroads: [...others].sort() });
  }
  if ((await runAll(`Add ${name}`, commands, { seen })).ok) selectCity(name);
}

function cityId(name: string): string {
  const base =
    name
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "") || "city";
  let id = base;
  for (let number = 2; id in cities.value; number += 1) id = `${base}-${number}`;
  return id;
}

function Card() {
  return (
    <>
      <Select
        label="Region of new cities"
        value={into.value}
        options={[{ value: "", label: "ask each time" }, ...rows("regions").map((row) => ({ value: row.key, label: row.name }))]}
        onCommit={(id) => (into.value = id)}
      />
      <p class="hint">Click a milepost to make it a city, a city to give it a twin, a line or empty ground for a new one.</p>
      <div class="bar">
        <ActionButton id="twins">Make twins</ActionButton>
        <ActionButton id="untwin">Untwin</ActionButton>
      </div>
    </>
  );
}

export const cityTool: Tool = {
  id: "city",
  label: "Cities: make a milepost one, or add a new one",
  short: "Cities",
  key: "C",
  hint: "Click a milepost to make it a city; a city to give it a twin; anywhere else for a new city.",
  cursor: "crosshair",
  card: Card,
  move(at, board) {
    const found = snap(at.x, at.y, board, { off: at.alt });
    board.sketch("city", [{ kind: "square", at: found.at, radius: 6 }]);
  },
  up(at, board) {
    board.sketch("city", []);
    void makeCity(snap(at.x, at.y, board, { off: at.alt })).catch(showError);
  },
  cancel(board) {
    board.sketch("city", []);
  },
};
