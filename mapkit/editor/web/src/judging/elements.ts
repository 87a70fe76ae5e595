// What on the canvas an id, or a row of a table, stands for.
import { cities, junctions, lines, mileposts, segments } from "../store";
import type { Item } from "../selection";
import type { Point } from "../wire";

/** The milepost of a city. */
export function milepostOf(city: string): string | null {
  for (const [id, post] of Object.entries(mileposts.value)) if (post.cities.includes(city)) return id;
  return null;
}

export const segmentsOf = (railroad: string): Item[] =>
  Object.entries(segments.value).flatMap(([id, s]) => (s.railroad === railroad ? [{ kind: "segment" as const, id }] : []));

/** Items of an id that checks name: a milepost, segment, junction, city, railroad or region. */
export function itemsOf(id: string): Item[] {
  if (id in mileposts.value) return [{ kind: "milepost", id }];
  if (id in segments.value) return [{ kind: "segment", id }];
  if (id in junctions.value) return [{ kind: "junction", id }];
  const post = id in cities.value ? milepostOf(id) : null;
  if (post !== null) return [{ kind: "milepost", id: post }];
  const line = segmentsOf(id);
  if (line.length > 0) return line;
  return Object.entries(mileposts.value).flatMap(([key, one]) =>
    one.region === id && one.cities.length > 0 ? [{ kind: "milepost" as const, id: key }] : [],
  );
}

/** Items of a row of the document. */
export function itemsOfRow(table: string, key: string): Item[] {
  switch (table) {
    case "lines":
      return (lines.value[key]?.stops ?? []).flatMap((stop) => (stop.milepost ? [{ kind: "milepost" as const, id: stop.milepost }] : []));
    case "places":
      for (const line of Object.values(lines.value))
        for (const stop of line.stops)
          if (stop.place === key && stop.milepost) return [{ kind: "milepost", id: stop.milepost }];
      return [];
    case "payoffs":
      return key.split("|").flatMap(itemsOf);
    case "accepted":
      return key.split(":").slice(1).flatMap(itemsOf);
    case "destinations": {
      const chart = key.split("/")[0] ?? "";
      return itemsOf(chart);
    }
    case "cities":
    case "railroads":
    case "regions":
    case "payoff_cities":
      return itemsOf(key);
    default:
      return [];
  }
}

/** A window around places, in millimetres, with room at the sides. */
export function boxOf(places: readonly Point[], room = 12): { left: number; top: number; right: number; bottom: number } {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  return {
    left: Math.min(...xs) - room,
    top: Math.min(...ys) - room,
    right: Math.max(...xs) + room,
    bottom: Math.max(...ys) + room,
  };
}
