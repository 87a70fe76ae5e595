// What a step made becomes the selection, so that the keys act on what the author has just done.
import { select, type Item } from "../selection";
import { cities, mileposts, segments } from "../store";
import { places } from "./track";

function milepostOf(place: string): string | null {
  const found = places.value.get(place)?.milepost;
  return found ?? Object.keys(mileposts.value).find((id) => mileposts.value[id]?.name === place) ?? null;
}

/** Select the milepost that a place of a line is. */
export function selectPlace(place: string): void {
  const id = milepostOf(place);
  if (id !== null) select([{ kind: "milepost", id }]);
}

/** Select the mileposts of cities, by their ids. */
export function selectCities(ids: readonly string[]): void {
  const found = Object.entries(mileposts.value).flatMap(([id, post]) => (post.cities.some((city) => ids.includes(city)) ? [id] : []));
  if (found.length > 0) select(found.map((id) => ({ kind: "milepost", id })));
}

/** Select the city that has a name. */
export function selectCity(name: string): void {
  const id = Object.keys(cities.value).find((key) => cities.value[key]?.name === name);
  if (id !== undefined) selectCities([id]);
}

/** The segments of railroads along places, in order. */
function trackAlong(railroads: readonly string[], path: readonly string[]): Item[] {
  const items: Item[] = [];
  for (const railroad of railroads) {
    const posts = path.flatMap((place) => {
      const known = places.value.get(place);
      const id = known && known.kinds.get(railroad) !== "via" ? known.milepost : null;
      return id === null ? [] : [id];
    });
    const pairs = new Set(posts.flatMap((id, i) => (i > 0 ? [`${posts[i - 1]!}|${id}`, `${id}|${posts[i - 1]!}`] : [])));
    for (const [id, one] of Object.entries(segments.value))
      if (one.railroad === railroad && pairs.has(`${one.a}|${one.b}`)) items.push({ kind: "segment", id });
  }
  return items;
}

/** Select the segments of railroads along one or more paths of places. */
export function selectTrack(railroads: readonly string[], ...paths: readonly (readonly string[])[]): void {
  const items = paths.flatMap((path) => trackAlong(railroads, path));
  if (items.length > 0) select(items);
}
