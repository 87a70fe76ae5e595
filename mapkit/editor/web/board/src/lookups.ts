/** Neighbours, routes, payoffs and destinations, as mapkit finds them. */
import { readChart } from "../../../../kinds/rail/render/report_page/dice.js";
import { makeRouter } from "../../../../kinds/rail/render/report_page/routes.js";
import type { Board, Route as WholeRoute, Segment } from "./board.js";

/** A route; its payoff is that of `payoff`. */
export type Route = Omit<WholeRoute, "payoff">;

/** One move from a milepost. */
export interface Neighbour {
  readonly milepost: string;
  readonly segment: string;
  readonly railroad: string;
  readonly miles: number;
}

/** A die for odd or even, and two dice for the row of a chart. */
export interface Dice {
  readonly coloured: number;
  readonly white: readonly [number, number];
}

const SUMS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(String);

/**
 * Return the milepost of a city or milepost (id).
 *
 * @throws {RangeError} nothing has the id
 */
export function milepostOf(board: Board, place: string): string {
  const milepost = board.cities.find((city) => city.id === place)?.milepost ?? board.mileposts.find((one) => one.id === place)?.id;
  if (milepost === undefined) throw new RangeError(`no city or milepost has the id ${JSON.stringify(place)}`);
  return milepost;
}

/** Return the moves from a city or milepost (id), in the order of the board's segments. */
export function neighbours(board: Board, place: string): Neighbour[] {
  const here = milepostOf(board, place);
  return board.segments
    .filter((segment) => segment.a === here || segment.b === here)
    .map(({ id, railroad, a, b, miles }) => ({ milepost: a === here ? b : a, segment: id, railroad, miles }));
}

type Router = (start: string, end: string) => readonly Segment[] | null;
const MOST_ROUTERS = 100;
/** Routers of each board by the railroads that may be ridden. */
const routers = new WeakMap<Board, Map<string, Router>>();

function routerOf(board: Board, railroads: readonly string[] | undefined): Router {
  const key = railroads === undefined ? "" : JSON.stringify([...railroads].sort());
  const made = routers.get(board) ?? new Map<string, Router>();
  routers.set(board, made);
  let router = made.get(key);
  if (!router) {
    const position = (list: readonly { readonly id: string }[]) => new Map(list.map((row, k) => [row.id, k]));
    const [mileposts, pieces, lines] = [position(board.mileposts), position(board.pieces), position(board.railroads)];
    const unknown = railroads?.find((id) => !lines.has(id));
    if (unknown !== undefined) throw new RangeError(`no railroad has the id ${JSON.stringify(unknown)}`);
    const segments = board.segments.filter((segment) => !railroads || railroads.includes(segment.railroad));
    const find = makeRouter({
      mileposts: board.mileposts,
      segments: segments.map((segment) => ({
        railroad: lines.get(segment.railroad)!,
        a: mileposts.get(segment.a)!,
        b: mileposts.get(segment.b)!,
        miles: Math.round(segment.miles * 100),
        pieces: segment.pieces.map((piece) => pieces.get(piece)!),
      })),
    });
    router = (start, end) => find(mileposts.get(start)!, mileposts.get(end)!)?.segments.map((k) => segments[k]) ?? null;
    if (made.size >= MOST_ROUTERS) made.delete([...made.keys()][0]); // the oldest
    made.set(key, router);
  }
  return router;
}

/**
 * Return the route of fewest mileposts between cities or mileposts (ids); ties go to fewest changes of railroad, then
 * fewest miles. Null if there is none.
 *
 * @param options `railroads`: ids of those that may be ridden; all by default
 */
export function route(board: Board, start: string, end: string, options: { readonly railroads?: readonly string[] } = {}): Route | null {
  const [from, to] = [milepostOf(board, start), milepostOf(board, end)];
  const segments = routerOf(board, options.railroads)(from, to);
  if (!segments) return null;
  let here = from;
  const steps = segments.map((segment) => {
    const step = { segment: segment.id, railroad: segment.railroad, start: here, end: segment.a === here ? segment.b : segment.a, miles: segment.miles };
    here = step.end;
    return step;
  });
  const miles = Math.round(steps.reduce((sum, step) => sum + step.miles, 0) * 100) / 100;
  return { start: from, end: to, mileposts: steps.length, miles, railroads: [...new Set(steps.map((step) => step.railroad))], steps };
}

/** Return the payoff between two cities (ids) in whole money; null if the chart has none. */
export function payoff(board: Board, from: string, to: string): number | null {
  const [row, column] = [from, to].map((city) => board.payoffs.cities.indexOf(city)) as [number, number];
  const thousands = board.payoffs.thousands[row]?.[column] ?? null;
  return thousands === null ? null : thousands * board.units.payoff;
}

/**
 * Return the region (id) of a roll on the region chart or, with a region, the city (id) of a roll on its chart. Null if
 * the cell is empty.
 *
 * @throws {RangeError} no chart has the name
 */
export function destination(board: Board, dice: Dice, region = "regions"): string | null {
  const chart = Object.hasOwn(board.destinations, region) ? board.destinations[region] : undefined;
  if (!chart) throw new RangeError(`no destination chart is called ${JSON.stringify(region)}`);
  const columns = [chart.odd, chart.even].map((column) => SUMS.map((sum) => column[sum] ?? null));
  return readChart(columns, dice.coloured, ...dice.white) ?? null;
}
