// The panels beside the board: what is chosen, findings, tables, steps, help.
import { Button, EditTable, Field, Select, type EditColumn, type MenuItem } from "../ui";
import type { ShownFinding } from "../generated";
import { cellText, entries, type Entry } from "../tabled/document";
import type { Panel } from "../panels/panel";
import { InspectorFrame } from "../shell/InspectorFrame";
import { registerSpaces } from "../shell/pane";
import type { WorkSpace } from "../shell/spaces";
import { Findings, History, Keys } from "../tabled/frame";
import { flyTo, marked } from "./Board";
import { board, cities, cityAt, edgeKinds, findings, grid, run, tables, terrainOf, terrains, view } from "./store";
import { remove, wayFrom } from "./actions";
import { CITY_COLOURS, ends, nameOf, picked, selected, way } from "./tools";
import { asTitle } from "../names";
import { NO_PIGMENT, OF_A_TERRAIN } from "../colours";

const TABLES: Readonly<Record<string, string>> = {
  track: "Track",
  components: "Components",
  operations: "Operations cards",
  barons: "Baron cards",
  links: "Printed links",
  lines: "Major lines",
  cities: "Cities",
  terrains: "Own terrains",
};

export function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" style={{ background: colour }} aria-hidden="true" />;
}

function CityCard({ hex }: { hex: string }) {
  const city = cityAt(hex);
  if (!city) return null;
  const row = tables.value["cities"]?.[city.id];
  const pigments = view.value?.pigments ?? {};
  const own = city.colours.length ? city.colours : ["gray"];
  const toggle = (colour: string): void => {
    const rest = own.filter((one) => one !== "gray" && one !== colour);
    const next = colour === "gray" ? [] : own.includes(colour) ? rest : [...rest, colour];
    void run({ kind: "recolour-city", id: city.id, colours: next });
  };
  return (
    <section class="card">
      <h3>{city.name}</h3>
      <Field label="Name" value={city.name} onCommit={(name) => void run({ kind: "rename-city", id: city.id, name })} />
      <fieldset>
        <legend>Colours</legend>
        <div class="bar">
          {CITY_COLOURS.map((colour) => (
            <Button key={colour} aria-pressed={own.includes(colour)} onClick={() => toggle(colour)}>
              <Swatch colour={pigments[colour] ?? NO_PIGMENT} /> {colour}
            </Button>
          ))}
        </div>
      </fieldset>
      <Field
        label="Cubes at the start"
        type="number"
        min={0}
        value={typeof row?.["cubes"] === "number" ? row["cubes"] : 0}
        onCommit={(text) => void run({ kind: "set-city", id: city.id, cubes: Number(text) })}
      />
      <div class="bar">
        <Button onClick={() => wayFrom(city)}>Cheapest way from here</Button>
        <Button kind="danger" onClick={() => remove(city)}>
          Remove
        </Button>
      </div>
    </section>
  );
}

function WayCard() {
  if (!ends.value) return null;
  const [a, b] = ends.value;
  const found = way.value;
  const options = cities.value.map((city) => ({ value: city.id, label: city.name }));
  return (
    <section class="card" aria-label="Cheapest way">
      <h3>Cheapest way</h3>
      <Select label="From" value={a} options={options} onCommit={(id) => (ends.value = [id, b])} />
      <Select label="To" value={b} options={options} onCommit={(id) => (ends.value = [a, id])} />
      <p class="figure" role="status">
        {found === null ? "Looking …" : found.cost === null ? `No track can link ${nameOf(a)} and ${nameOf(b)}.` : `$${found.cost.toLocaleString("en")}, ${found.tiles} tiles`}
      </p>
      <Button onClick={() => (ends.value = null)}>Put it away</Button>
    </section>
  );
}

function Chosen() {
  const hex = selected.value;
  const around = hex ? [0, 1, 2, 3, 4, 5].flatMap((side) => grid.value?.edge(hex, side) ?? []).filter((edge) => edgeKinds(edge).length > 0) : [];
  return (
    <>
      <WayCard />
      {picked.value.length > 0 && <p class="hint">Picked: {picked.value.map(nameOf).join(", ")}</p>}
      {hex && (
        <>
          <CityCard hex={hex} />
          <section class="card">
            <h3>Hexagon {hex}</h3>
            <Select
              label="Terrain"
              value={terrainOf(hex)}
              options={terrains.value.map((one) => ({ value: one.id, label: `${one.name}${one.cost === null ? "" : `, $${one.cost.toLocaleString("en")}`}` }))}
              onCommit={(id) => void run({ kind: "paint-hexes", hexes: [hex], terrain: id })}
            />
            {around.length > 0 && (
              <ul class="plain">
                {around.map((edge) => (
                  <li key={edge}>
                    {edge}: {edgeKinds(edge).join(" and ")}
                    <Button kind="quiet" aria-label={`Clear the edge ${edge}`} onClick={() => void run({ kind: "set-edges", edges: [edge], kinds: [] })}>
                      Clear
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </>
      )}
    </>
  );
}

function goes(one: ShownFinding): (() => void) | null {
  const places = one.at.length > 0 ? one.at : one.x !== null && one.y !== null ? [[one.x, one.y] as const] : [];
  const first = places[0];
  if (!first) return null;
  return () => {
    marked.value = places;
    flyTo(first);
    selected.value = grid.value?.hexAt(first) ?? null;
  };
}

function Tables({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name) => (
        <section key={name} aria-label={TABLES[name] ?? name}>
          <h3>{TABLES[name] ?? name}</h3>
          <OneTable name={name} />
        </section>
      ))}
      <p class="hint">Enter or a double click changes a cell; several words in a cell stand with spaces between them. Shift+Delete removes a row.</p>
    </>
  );
}

/** Terrains as the board has them, and how much of it they cover. */
function Ground() {
  const at = grid.value;
  const held = new Map<string, number>();
  for (const hex of at?.all() ?? []) held.set(terrainOf(hex), (held.get(terrainOf(hex)) ?? 0) + 1);
  return (
    <>
      <section aria-label="Terrains">
        <h3>Terrains</h3>
        <ul class="plain">
          {terrains.value.map((one) => (
            <li key={one.id}>
              <Swatch colour={one.colour} /> {one.name}
              {one.cost !== null && <span class="soft">${one.cost.toLocaleString("en")}</span>}
              <span class="figure">{held.get(one.id) ?? 0}</span>
            </li>
          ))}
        </ul>
      </section>
      <Tables names={["terrains"]} />
    </>
  );
}

/** What the menu of a row that has a place on the board offers first. */
function goTo(row: Entry): MenuItem[] {
  const hex = cellText(row["hex"]);
  const at = hex ? grid.value?.centre(hex) : undefined;
  return at ? [{ id: "row-show", label: `Show ${row.key} on the board`, run: () => (flyTo(at), (selected.value = hex)) }] : [];
}

function OneTable({ name }: { name: string }) {
  const rows = entries(tables.value, name);
  const change = (row: Entry, field: string, given: string): void => {
    const { key, ...rest } = row;
    const old = rest[field];
    const value = given === "" ? null : Array.isArray(old) ? given.split(/\s+/) : given;
    const next = Object.fromEntries(Object.entries({ ...rest, [field]: value }).filter(([, one]) => one !== null));
    void run({ kind: "set-rows", label: `Change ${field} of ${key}`, rows: [{ table: name, key, row: next }] });
  };
  const columns: EditColumn<Entry>[] = [
    { id: "key", title: name === "track" ? "Points" : "Id", show: (row) => row.key, sort: (row) => (name === "track" ? Number(row.key) : row.key) },
    ...(view.value?.fields[name] ?? []).map(
      (field): EditColumn<Entry> => ({
        id: field,
        title: asTitle(field),
        sort: (row) => (typeof row[field] === "number" ? row[field] : cellText(row[field])),
        edit: { kind: "text", value: (row) => cellText(row[field]), commit: (row, given) => change(row, field, given) },
      }),
    ),
  ];
  return (
    <>
      <EditTable
        key={name}
        caption={TABLES[name] ?? name}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.key}
        name={(row) => row.key}
        onDelete={(row) => void run({ kind: "set-rows", label: `Remove ${row.key}`, rows: [{ table: name, key: row.key, row: null }] })}
        deleting="Remove"
        menu={(row) => goTo(row)}
        empty="No rows yet. Add one below by its id."
      />
      <AddRow name={name} />
    </>
  );
}

const LEAST: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  track: { income: 0 },
  components: { kind: "other" },
  operations: { title: "New card", text: "What it does.", effect: "other" },
  barons: { title: "New card", text: "What it asks for.", effect: "other" },
  terrains: { name: "New terrain", cost: 3000, colour: OF_A_TERRAIN },
};

function AddRow({ name }: { name: string }) {
  const least = LEAST[name];
  if (!least) return <p class="hint">New rows of this table are made on the board, with the tools on the left.</p>;
  return (
    <Field
      key={name}
      label={name === "track" ? "New space, by its points" : "New row, by its id"}
      value=""
      onCommit={(key) => {
        if (key) void run({ kind: "set-rows", label: `Add ${key}`, rows: [{ table: name, key, row: least }] });
      }}
    />
  );
}

function Help() {
  return (
    <>
      <h3>Keys</h3>
      <p class="hint">Arrow keys move over the hexagons once the board has the focus; Enter or Space uses the tool there.</p>
      <Keys numbered={{ prefix: "terrain-", label: "Choose a terrain" }} />
      <h3>With a mouse or a finger</h3>
      <p class="hint">
        The wheel or two fingers zoom. Drag the ground with the tool Select, or with the middle button, to move the view. What you change shows
        at once in plain colours; the drawing follows when you rest.
      </p>
      <p class="hint">Colours are solved, and boards joined and cut, by variants and on the command line; the manual page on hexagon boards says how.</p>
    </>
  );
}

const table = (title: string, keys: string, ...names: readonly string[]): Panel => ({ id: names[0]!, title, keys: [keys], component: () => <Tables names={names} /> });

/** The work spaces of hexagon boards. */
export const spaces: readonly WorkSpace[] = [
  { id: "map", title: "Map", panels: [{ id: "map", title: "Map", keys: ["Alt+L"], component: Ground }] },
  { id: "cities", title: "Cities", panels: [table("Cities", "Alt+I", "cities")] },
  { id: "links", title: "Links and lines", panels: [table("Links and lines", "Alt+N", "links", "lines")] },
  { id: "track", title: "Track", panels: [table("Track", "Alt+K", "track")] },
  { id: "components", title: "Components", panels: [table("Components", "Alt+O", "components")] },
  { id: "cards", title: "Cards", panels: [table("Cards", "Alt+W", "operations", "barons")] },
  { id: "checks", title: "Checks", panels: [{ id: "checks", title: "Checks", keys: ["Alt+C"], badge: () => findings.value.filter((one) => !one.accepted).length || null, component: () => <Findings board={board} goes={goes} /> }] },
  { id: "history", title: "History", panels: [{ id: "history", title: "History", keys: ["Alt+H"], component: () => <History board={board} /> }] },
  { id: "help", title: "Help", panels: [{ id: "help", title: "Help", keys: ["F1"], component: Help }], apart: true },
];
registerSpaces(spaces);

/** The hexagon that is chosen, beside every work space. */
export function Inspector() {
  return (
    <InspectorFrame heading={selected.value ? (cityAt(selected.value)?.name ?? `Hexagon ${selected.value}`) : ends.value ? "Cheapest way" : "Major line"} empty={!selected.value && !ends.value && picked.value.length === 0}>
      <Chosen />
    </InspectorFrame>
  );
}
