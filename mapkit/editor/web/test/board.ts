// A small board, as the server says it: a line of PA from Albany by a bend to Boston, and one of B&O across it.
import { hear } from "../src/store";
import { TABLES, type FromServer, type Line, type Milepost, type Tables } from "../src/wire";

type Stop = Line["stops"][number];

const post = (name: string, x: number, y: number): Milepost => ({ name, kind: "city", x, y, lon: x, lat: y, cities: [], region: null });
const stop = (at: number, place: string, x: number, y: number, milepost: string | null): Stop => ({
  at, place, x, y, lon: x, lat: y, milepost, kind: milepost === null ? "via" : "milepost",
});
const railroad = (rank: number, name: string, short: string) => ({ rank, name, short, price: 10000, public: false, colour: "#1f6fb2", pattern: "solid" as const });
const empty = Object.fromEntries(TABLES.map((name) => [name, {}])) as unknown as Tables;

export const hello: Extract<FromServer, { type: "hello" }> = {
  type: "hello", revision: 7, position: 1, board: "mymap", title: "My map", client: "aaaa", kind: "rail", unsaved: false,
  tables: { ...empty, railroads: { pa: railroad(1, "Pennsylvania", "PA"), bo: railroad(2, "Baltimore & Ohio", "B&O") } },
  view: {
    mileposts: {
      albany: post("Albany", 0, 0), boston: post("Boston", 100, 0), troy: post("Troy", 70, -50), utica: post("Utica", 70, 50), york: post("York", 300, 0),
    },
    segments: {}, junctions: { j: { railroad: "pa", x: 200, y: 0, lon: 0, lat: 0 } },
    lines: {
      "pa/1": { railroad: "pa", name: "1", stops: [stop(1, "Albany", 0, 0, "albany"), stop(2, "@30,0", 30, 0, null), stop(3, "Boston", 100, 0, "boston")] },
      "bo/1": { railroad: "bo", name: "1", stops: [stop(1, "Troy", 70, -50, "troy"), stop(2, "Utica", 70, 50, "utica")] },
    },
    page: { width: 400, height: 200, frame: [0, 0, 400, 200], projection: { name: "", crs: "", scale_mm_per_m: 1, offset_x_mm: 0, offset_y_mm: 0 } },
  },
  history: { position: 1, saved: 0, steps: [], other: [] },
  findings: [], notices: [], writable: true, disk: null,
  limits: { step: 4 * 2 ** 20, request: 4 * 2 ** 20, files: { "/api/pictures": 200 * 2 ** 20 } },
};

export const showBoard = (): void => hear(hello);
/** Show it with other rows in some tables. */
export const showTables = (tables: Partial<Tables>): void => hear({ ...hello, tables: { ...hello.tables, ...tables } });
