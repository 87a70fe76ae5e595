// The tools of the board of hexagons: what a click, a drag or the Enter key does with the hexagon or edge under it.
import { computed, effect, signal } from "@preact/signals";
import { register } from "../actions";
import { slug } from "../names";
import { askText } from "../ui/Dialog";
import { toast } from "../ui/Toast";
import { board, cities, cityAt, edgeKinds, grid, query, revision, run, tables, terrainOf, terrains, type City } from "./store";

export type ToolId = "select" | "paint" | "flood" | "edge" | "city" | "link" | "line" | "way";
interface Tool {
  readonly id: ToolId;
  readonly label: string;
  readonly key: string;
  readonly hint: string;
}

export const tools: readonly Tool[] = [
  { id: "select", label: "Select and move", key: "V", hint: "Click a hexagon or a city; drag a city to another hexagon. Drag the ground to move the view." },
  { id: "paint", label: "Paint terrain", key: "P", hint: "Click or drag to paint. Keys 1 to 9 choose the terrain, [ and ] the size of the brush." },
  { id: "flood", label: "Flood terrain", key: "F", hint: "Click a hexagon: all of its terrain that lie together become the chosen one." },
  { id: "edge", label: "Set edges", key: "E", hint: "Click an edge, or drag along several. A click on the same kind takes it away." },
  { id: "city", label: "Place a city", key: "C", hint: "Click a hexagon without a city and give the name." },
  { id: "link", label: "Print a link", key: "L", hint: "Click two cities: a link between them is printed on the board." },
  { id: "line", label: "Draw a major line", key: "N", hint: "Click its cities in order, then press Enter." },
  { id: "way", label: "Cheapest way", key: "W", hint: "Click two cities: the cheapest link between them stays on the board while you edit." },
];

export const tool = signal<ToolId>("select");
export const currentTool = computed(() => tools.find((one) => one.id === tool.value)!);
export const terrain = signal("mountain");
export const size = signal(0);
export const EDGES = ["ridge", "river", "impassable", "ferry", "clear"] as const;
export const edgeKind = signal<(typeof EDGES)[number]>("ridge");
export const CITY_COLOURS = ["gray", "red", "blue", "black", "yellow", "purple"] as const;
export const cityColour = signal<string>("gray");
/** Cities clicked so far by a tool that takes several. */
export const picked = signal<readonly string[]>([]);
export const selected = signal<string | null>(null);
/** The hexagon that the keyboard is at, and its side for edges. */
export const cursor = signal<string | null>(null);
export const side = signal(0);
export const ends = signal<readonly [string, string] | null>(null);
export const way = signal<{ cost: number | null; tiles: number | null; hexes: readonly string[] } | null>(null);
/** Whether the saved board is shown in place of the one now. */
export const { before } = board;

export const LARGEST = 4;

export function choose(id: ToolId): void {
  tool.value = id;
  picked.value = [];
}

export const brush = (hex: string): string[] => grid.value?.around(hex, size.value) ?? [];

export function paint(hexes: readonly string[]): void {
  const wanted = hexes.filter((hex) => terrainOf(hex) !== terrain.value);
  if (wanted.length > 0) void run({ kind: "paint-hexes", hexes: wanted, terrain: terrain.value });
}

/** Set the chosen kind on edges; edges that all have it alone lose it. */
export function setEdges(edges: readonly string[]): void {
  if (edges.length === 0) return;
  const kind = edgeKind.value;
  const there = edges.every((edge) => edgeKinds(edge).join() === kind);
  if (kind === "clear" && edges.every((edge) => edgeKinds(edge).length === 0)) return;
  void run({ kind: "set-edges", edges, kinds: kind === "clear" || there ? [] : [kind] });
}

async function addCity(hex: string): Promise<void> {
  const other = cityAt(hex);
  if (other) return void toast(`${other.name} is in this hexagon already; choose another.`, "warning");
  const name = await askText("New city", "Name of the city", "", "Place it");
  if (!name) return;
  const colours = cityColour.value === "gray" ? [] : [cityColour.value];
  if (await run({ kind: "add-city", name, hex, colours })) selected.value = hex;
}

function pick(city: City | undefined): void {
  if (!city) return void toast("There is no city in this hexagon; click one.", "warning");
  const now = picked.value.includes(city.id) ? picked.value.filter((id) => id !== city.id) : [...picked.value, city.id];
  picked.value = now;
  const [a, b] = now;
  if (a === undefined || b === undefined || tool.value === "line") return;
  picked.value = [];
  if (tool.value === "link") void run({ kind: "add-link", a, b });
  else ends.value = [a, b];
}

/** End a major line: ask for its name and points. */
export async function finishLine(): Promise<void> {
  const chosen = picked.value;
  if (chosen.length < 2) return void toast("A major line needs two cities or more; click them first.", "warning");
  const name = await askText("New major line", "Name of the line", "", "Draw it");
  if (!name) return;
  if (await run({ kind: "set-major-line", id: slug(name), name, points: chosen.length, cities: chosen })) picked.value = [];
}

/** What a click on a hexagon does, or Enter at the cursor. */
export function use(hex: string, edge: string | null): void {
  if (before.value) return void toast("You see the saved board; press B to go on.", "warning");
  if (tool.value === "paint") paint(brush(hex));
  else if (tool.value === "flood") void run({ kind: "flood-hexes", hex, terrain: terrain.value });
  else if (tool.value === "edge") setEdges(edge ? [edge] : []);
  else if (tool.value === "city") void addCity(hex);
  else if (tool.value === "select") selected.value = hex;
  else pick(cityAt(hex));
}

export function moveCity(city: City, hex: string): void {
  if (city.hex !== hex) void run({ kind: "move-city", id: city.id, hex }).then((ok) => ok && (selected.value = hex));
}

/** In words, what is in a hexagon. */
export function described(hex: string): string {
  const city = cityAt(hex);
  const name = terrains.value.find((one) => one.id === terrainOf(hex))?.name ?? terrainOf(hex);
  const around = [0, 1, 2, 3, 4, 5].flatMap((at) => edgeKinds(grid.value?.edge(hex, at) ?? ""));
  return [hex, name, city ? `${city.name}, ${city.colours.join(" and ") || "gray"}` : "", [...new Set(around)].join(" and ")].filter(Boolean).join(", ");
}

const nth = (n: number): void => {
  const found = terrains.value[n - 1];
  if (found) terrain.value = found.id;
};

board.registerSteps();
register(
  ...tools.map((one) => ({ id: `tool-${one.id}`, label: one.label, group: "Tools", keys: [one.key], run: () => choose(one.id) })),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({
    id: `terrain-${n}`,
    get label() {
      return `Terrain: ${terrains.value[n - 1]?.name ?? `number ${n}`}`;
    },
    group: "Tools",
    keys: [String(n)],
    enabled: () => terrains.value.length >= n,
    needs: () => `the board has ${terrains.value.length} terrains`,
    run: () => nth(n),
  })),
  { id: "smaller", label: "Smaller brush, or the side before", group: "Tools", keys: ["["], run: () => turn(-1) },
  { id: "larger", label: "Larger brush, or the next side", group: "Tools", keys: ["]"], run: () => turn(1) },
  { id: "escape", label: "Let go", group: "Edit", keys: ["Escape"], enabled: () => picked.value.length > 0 || ends.value !== null || selected.value !== null, needs: "choose something first", run: letGo },
);

function turn(by: number): void {
  if (tool.value === "edge") side.value = (side.value + by + 6) % 6;
  else size.value = Math.max(0, Math.min(LARGEST, size.value + by));
}

function letGo(): void {
  if (picked.value.length > 0) picked.value = [];
  else if (ends.value) ends.value = null;
  else selected.value = null;
}

// the way is asked for again after each edit
effect(() => {
  const asked = ends.value;
  const at = revision.value;
  if (!asked || !cities.peek().some((city) => city.id === asked[0]) || !cities.peek().some((city) => city.id === asked[1])) {
    way.value = null;
    return;
  }
  query("way", { a: asked[0], b: asked[1] }).then(
    (found) => {
      if (ends.peek() !== asked || revision.peek() !== at) return;
      const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
      way.value = { cost: number(found["cost"]), tiles: number(found["tiles"]), hexes: Array.isArray(found["hexes"]) ? found["hexes"].map(String) : [] };
    },
    () => undefined,
  );
});

export const nameOf = (id: string): string => {
  const name = tables.value["cities"]?.[id]?.["name"];
  return typeof name === "string" ? name : id;
};
