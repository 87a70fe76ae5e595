// Regions and cities: what charts are made of.
import { signal } from "@preact/signals";
import { register } from "../actions";
import { board } from "../board";
import { putInRegion } from "../commands";
import { EXAMPLES, readCoordinates, readDegrees } from "../draw/coordinates";
import { query, run } from "../edit";
import { select, selection } from "../selection";
import { cities, mileposts, regions, rows } from "../store";
import { ask, Button, EditTable, Empty, Field, FormDialog, openDialog, Select, toast, type EditColumn } from "../ui";
import { confirmFindings } from "../stepFindings";
import type { CityRow, Command, RegionRow } from "../wire";
import { plain } from "../names";
import type { Panel } from "./panel";
import { moveRow } from "./railroads";
import type { FoundPlace as Place } from "../generated";
import { OF_REGIONS } from "../colours";

type Region = RegionRow & { readonly key: string };
type City = CityRow & { readonly key: string };

const currentRegion = signal<string | null>(null);
const currentCity = signal<string | null>(null);
const ofRegion = signal("");

const citiesOf = (region: string): City[] => rows("cities").filter((row) => row.region === region);
const regionChoices = (): { value: string; label: string }[] =>
  rows("regions").map((row) => ({ value: row.key, label: row.name }));

const regionColumns: readonly EditColumn<Region>[] = [
  {
    id: "name",
    title: "Region",
    sort: (row) => row.name,
    edit: { kind: "text", value: (row) => row.name, commit: (row, name) => void run({ kind: "edit-region", id: row.key, name }) },
  },
  {
    id: "short",
    title: "Short",
    sort: (row) => row.short,
    edit: { kind: "text", value: (row) => row.short, commit: (row, short) => void run({ kind: "edit-region", id: row.key, short }) },
  },
  {
    id: "colour",
    title: "Colour",
    show: (row) => <code>{row.colour}</code>,
    edit: { kind: "colour", value: (row) => row.colour, commit: (row, colour) => void run({ kind: "edit-region", id: row.key, colour }) },
  },
  { id: "cities", title: "Cities", align: "right", sort: (row) => citiesOf(row.key).length, show: (row) => citiesOf(row.key).length },
];

function twins(row: City): City[] {
  const own = plain(row.milepost || row.name);
  return rows("cities").filter((other) => other.key !== row.key && plain(other.milepost || other.name) === own);
}

function setTwin(row: City, other: string): void {
  if (other === "") void run({ kind: "edit-city", id: row.key, milepost: "" });
  else if (other !== twins(row)[0]?.key) void run({ kind: "twin-cities", ids: [row.key, other] });
}

/** Move a city by what is typed into one of its cells: one figure, or both as they are copied from elsewhere. */
function setDegrees(row: City, axis: "lat" | "lon", text: string): void {
  const one = readDegrees(text, axis);
  const both = typeof one === "string" ? readCoordinates(text) : { lat: row.lat, lon: row.lon, [axis]: one };
  if (both === null || "problem" in both) toast(String(one), "error");
  else void run({ kind: "edit-city", id: row.key, ...both });
}

function setWeight(row: City, text: string): void {
  const weight = text === "" ? 0 : Number(text);
  if (!Number.isFinite(weight) || weight < 0) return void toast(`${text} is not a weight; type a figure, or nothing.`, "error");
  void run({ kind: "edit-city", id: row.key, weight });
}

type CityMark = "capital" | "port" | "none";
const MARKS = (): { value: CityMark; label: string }[] => [
  { value: "none", label: "None" },
  { value: "capital", label: "Capital" },
  { value: "port", label: "Port" },
];

const cityColumns: readonly EditColumn<City>[] = [
  {
    id: "name",
    title: "City",
    sort: (row) => row.name,
    edit: { kind: "text", value: (row) => row.name, commit: (row, name) => void run({ kind: "edit-city", id: row.key, name }) },
  },
  {
    id: "region",
    title: "Region",
    sort: (row) => regions.value[row.region]?.name ?? row.region,
    show: (row) => <span class="stripe" style={{ background: regions.value[row.region]?.colour ?? "transparent" }} />,
    edit: {
      kind: "choice",
      value: (row) => row.region,
      options: regionChoices,
      commit: (row, region) => void run({ kind: "edit-city", id: row.key, region }),
    },
  },
  {
    id: "weight",
    title: "Weight",
    about: "What a solved chart shares out by",
    align: "right",
    sort: (row) => row.weight ?? 0,
    edit: { kind: "number", value: (row) => (row.weight === null ? "" : String(row.weight)), commit: setWeight },
  },
  {
    id: "mark",
    title: "Mark",
    about: "What its symbol shows",
    sort: (row) => row.mark ?? "",
    edit: {
      kind: "choice",
      value: (row) => row.mark ?? "none",
      options: MARKS,
      commit: (row, mark) => void run({ kind: "edit-city", id: row.key, mark: mark as CityMark }),
    },
  },
  {
    id: "lat",
    title: "Latitude",
    align: "right",
    sort: (row) => row.lat,
    edit: { kind: "text", value: (row) => String(row.lat), commit: (row, text) => setDegrees(row, "lat", text) },
  },
  {
    id: "lon",
    title: "Longitude",
    align: "right",
    sort: (row) => row.lon,
    edit: { kind: "text", value: (row) => String(row.lon), commit: (row, text) => setDegrees(row, "lon", text) },
  },
  {
    id: "twin",
    title: "Twin",
    about: "The city that shares its milepost",
    sort: (row) => twins(row)[0]?.name ?? "",
    edit: {
      kind: "choice",
      value: (row) => twins(row)[0]?.key ?? "",
      options: (row) => [
        { value: "", label: "nobody" },
        ...rows("cities").flatMap((other) => (other.key === row.key ? [] : [{ value: other.key, label: other.name }])),
      ],
      commit: setTwin,
    },
  },
];

function show(ids: readonly string[]): void {
  const items = Object.entries(mileposts.value).flatMap(([id, post]) =>
    post.cities.some((city) => ids.includes(city)) ? [{ kind: "milepost" as const, id }] : [],
  );
  if (items.length === 0) return void toast("No line reaches it yet, so it is not on the board.");
  select(items);
  board.flyTo(items);
}

/** A dialog of fields with one button that does it; `act` returns whether it may close. */
function form(title: string, done: string, fields: () => preact.ComponentChildren, act: () => Promise<boolean>): void {
  openDialog((close) => {
    const finish = async (): Promise<void> => {
      if (await act()) close();
    };
    return (
      <FormDialog title={title} done={done} onClose={close} onDone={() => void finish()}>
        {fields()}
      </FormDialog>
    );
  });
}

function addRegion(): void {
  let [name, short] = ["", ""];
  const act = async (): Promise<boolean> => {
    const taken = new Set(Object.values(regions.value).map((row) => row.colour));
    const colour = OF_REGIONS.find((one) => !taken.has(one)) ?? OF_REGIONS[0];
    const mark = short.trim() || name.trim().slice(0, 2).toUpperCase();
    return (await run({ kind: "add-region", name: name.trim(), short: mark, colour })).ok;
  };
  form(
    "New region",
    "Add it",
    () => (
      <>
        <Field label="Name" value="" autoFocus onInput={(text) => (name = text)} />
        <Field label="Short" value="" placeholder="two letters" onInput={(text) => (short = text)} />
      </>
    ),
    act,
  );
}

async function deleteRegion(row: { key: string; name: string }): Promise<void> {
  const own = citiesOf(row.key);
  const others = regionChoices().filter((one) => one.value !== row.key);
  const [first] = others;
  if (own.length === 0 || !first) return void (await run({ kind: "delete-region", id: row.key }));
  let to = first.value;
  const chosen = signal(to);
  form(
    `Delete ${row.name}?`,
    "Delete it",
    () => (
      <>
        <p>Its chart goes with it. Undo brings everything back.</p>
        <Choose label={`Its ${own.length} cities go to`} value={chosen} options={others} onCommit={(value) => (to = value)} />
      </>
    ),
    async () => (await run({ kind: "delete-region", id: row.key, move_to: to })).ok,
  );
}

function Choose(props: {
  label: string;
  value: { value: string };
  options: readonly { value: string; label: string }[];
  onCommit: (value: string) => void;
}) {
  return (
    <Select
      label={props.label}
      value={props.value.value}
      options={props.options}
      onCommit={(value) => {
        props.value.value = value;
        props.onCommit(value);
      }}
    />
  );
}

function addCity(): void {
  let [name, lat, lon] = ["", "", ""];
  const region = signal(ofRegion.value || currentRegion.value || (regionChoices()[0]?.value ?? ""));
  const places = signal<readonly Place[]>([]);
  const at = signal<{ lat: string; lon: string }>({ lat: "", lon: "" });
  const look = async (text: string): Promise<void> => {
    name = text;
    if (text.trim().length < 3) return;
    try {
      const found = await query("search-places", { text, most: 6 });
      if (name === text) places.value = found.places;
    } catch {
      // a place can be typed all the same
    }
  };
  const take = (place: Pick<Place, "lat" | "lon">): void => {
    [lat, lon] = [String(place.lat), String(place.lon)];
    at.value = { lat, lon };
  };
  const act = async (): Promise<boolean> => {
    if (lat === "" && lon === "" && places.value[0]) take(places.value[0]);
    const spot = readCoordinates(`${lat}; ${lon}`);
    if (spot === null || "problem" in spot) {
      toast(spot?.problem ?? `Write the position, ${EXAMPLES}.`, "error");
      return false;
    }
    const { lat: y, lon: x } = spot;
    const add: Command = { kind: "add-city", name: name.trim(), region: region.value, lon: x, lat: y };
    return (await confirmFindings(add, "Add it all the same")) && (await run(add)).ok;
  };
  form(
    "New city",
    "Add it",
    () => (
      <>
        <Field label="Name" value="" autoFocus onInput={(text) => void look(text)} />
        <Places places={places} take={take} />
        <Choose label="Region" value={region} options={regionChoices()} onCommit={() => undefined} />
        <Position
          at={at}
          onLat={(text) => (lat = text)}
          onBoth={take}
          onLon={(text) => (lon = text)}
        />
      </>
    ),
    act,
  );
}

function Places({ places, take }: { places: { value: readonly Place[] }; take: (place: Place) => void }) {
  if (places.value.length === 0) return <p class="hint">Type a name; places that are known are offered.</p>;
  return (
    <ul class="plain" aria-label="Known places">
      {places.value.map((place) => (
        <li key={`${place.name}${place.lon}`}>
          <button type="button" class="link" onClick={() => take(place)}>
            {place.name}
          </button>
          <span class="figure">
            {place.lat.toFixed(3)}, {place.lon.toFixed(3)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Position(props: {
  at: { value: { lat: string; lon: string } };
  onLat: (text: string) => void;
  onLon: (text: string) => void;
  onBoth: (place: { lat: number; lon: number }) => void;
}) {
  /** Both figures pasted into the first field. */
  const split = (text: string): void => {
    const both = /\S[\s;]+\S/.test(text) ? readCoordinates(text) : null;
    if (both && !("problem" in both)) props.onBoth(both);
  };
  return (
    <div class="bar">
      <Field label="Latitude" value={props.at.value.lat} onInput={props.onLat} onCommit={split} />
      <Field label="Longitude" value={props.at.value.lon} onInput={props.onLon} />
    </div>
  );
}

async function deleteCity(row: City): Promise<void> {
  const text = "Its cells in the charts and its payoffs go with it; lines keep a milepost there. Undo brings everything back.";
  const buttons = [
    { id: "delete", label: "Delete", kind: "danger" as const },
    { id: "keep", label: "Keep it" },
  ];
  if ((await ask({ title: `Delete ${row.name}?`, text, buttons })) === "delete") await run({ kind: "delete-city", id: row.key });
}

function Regions() {
  const all = rows("regions") as readonly Region[];
  const now = all.find((row) => row.key === currentRegion.value);
  const chosen = selection.value.flatMap((item) => (item.kind === "milepost" ? (mileposts.value[item.id]?.cities ?? []) : []));
  return (
    <section class="stack" aria-label="Regions">
      <div class="bar">
        <Button onClick={addRegion}>Add a region …</Button>
        <Button disabled={!now} onClick={() => now && void deleteRegion(now)}>
          Delete region
        </Button>
        <Button disabled={!now} onClick={() => now && show(citiesOf(now.key).map((city) => city.key))}>
          Show its cities
        </Button>
        {chosen.length > 0 && now && (
          <Button onClick={() => void putInRegion(chosen, now.key)}>
            Put {chosen.length === 1 ? (cities.value[chosen[0] ?? ""]?.name ?? "the city") : `${chosen.length} selected cities`} into{" "}
            {now.name}
          </Button>
        )}
      </div>
      <EditTable
        caption="Regions"
        rows={all}
        columns={regionColumns}
        rowKey={(row) => row.key}
        name={(row) => row.name}
        current={currentRegion.value}
        onCurrent={(key) => (currentRegion.value = key)}
        onDelete={(row) => void deleteRegion(row)}
        onMove={(row, by) => moveRow("regions", row.key, by)}
        menu={(row) => [
          { id: "row-show", label: `Show the cities of ${row.name}`, run: () => show(citiesOf(row.key).map((city) => city.key)) },
          ...(chosen.length > 0 ? [{ id: "row-put", label: `Put what is selected into ${row.name}`, run: () => void putInRegion(chosen, row.key) }] : []),
        ]}
        empty="No regions yet: add one, then cities."
      />
    </section>
  );
}

function Cities() {
  const all = rows("cities") as readonly City[];
  const filter = ofRegion.value in regions.value ? ofRegion.value : "";
  const shown = filter === "" ? all : all.filter((row) => row.region === filter);
  const now = shown.find((row) => row.key === currentCity.value);
  return (
    <>
      <Regions />
      <div class="bar">
        <Button disabled={Object.keys(regions.value).length === 0} onClick={addCity}>
          Add a city …
        </Button>
        <Button disabled={!now} onClick={() => now && void deleteCity(now)}>
          Delete city
        </Button>
        <Button disabled={!now} onClick={() => now && show([now.key])}>
          Show it
        </Button>
        <Select
          label="Cities of"
          hideLabel
          value={filter}
          options={[{ value: "", label: "All regions" }, ...regionChoices()]}
          onCommit={(value) => (ofRegion.value = value)}
        />
      </div>
      <EditTable
        caption="Cities"
        rows={shown}
        columns={cityColumns}
        rowKey={(row) => row.key}
        name={(row) => row.name}
        current={currentCity.value}
        onCurrent={(key) => (currentCity.value = key)}
        onDelete={(row) => void deleteCity(row)}
        onMove={(row, by) => moveRow("cities", row.key, by)}
        menu={(row) => [
          { id: "row-show", label: `Show ${row.name} on the board`, run: () => show([row.key]) },
          ...(twins(row).length > 0 ? [{ id: "untwin", label: `Untwin ${row.name}`, run: () => setTwin(row, "") }] : []),
        ]}
        empty={
          <Empty title="No cities yet">
            <p>Add a region, then cities in it.</p>
          </Empty>
        }
      />
    </>
  );
}

const chosenRegion = (): Region | undefined => (rows("regions") as readonly Region[]).find((row) => row.key === currentRegion.value);
const chosenCity = (): City | undefined => (rows("cities") as readonly City[]).find((row) => row.key === currentCity.value);
const withRegion = (act: (row: Region) => void) => () => {
  const row = chosenRegion();
  if (row) act(row);
};
const GROUP = "Cities and regions";
const REGION_FIRST = "choose a region in the work space Cities first";

register(
  { id: "city-add", label: "Add a city by figures …", group: GROUP, enabled: () => Object.keys(regions.value).length > 0, needs: "add a region first", run: addCity },
  {
    id: "city-delete",
    get label() {
      return `Delete the city ${chosenCity()?.name ?? ""} …`.replace("  ", " ");
    },
    group: GROUP,
    enabled: () => chosenCity() !== undefined,
    needs: "choose a city in the work space Cities first",
    run: () => {
      const row = chosenCity();
      if (row) void deleteCity(row);
    },
  },
  { id: "region-add", label: "Add a region …", group: GROUP, run: addRegion },
  { id: "region-delete", label: "Delete the chosen region …", group: GROUP, enabled: () => chosenRegion() !== undefined, needs: REGION_FIRST, run: withRegion((row) => void deleteRegion(row)) },
  {
    id: "region-show",
    label: "Show the cities of the chosen region",
    group: GROUP,
    enabled: () => chosenRegion() !== undefined,
    needs: REGION_FIRST,
    run: withRegion((row) => show(citiesOf(row.key).map((city) => city.key))),
  },
);

export const citiesPanel: Panel = { id: "cities", title: "Cities", keys: ["Alt+I"], component: Cities };
