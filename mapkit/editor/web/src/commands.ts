// Commands that the shell itself makes. Panels make theirs in their own modules, with `run` and `runAll`.
import { query, runAll } from "./edit";
import { errorText } from "./errors";
import { toast } from "./ui/Toast";
import { cities, lines, mileposts, regions } from "./store";
import type { Answer, Command, Point } from "./wire";

/** Degrees (EPSG:4326) of points on the page, by the projection of this session. */
export async function degrees(points: readonly Point[]): Promise<Point[]> {
  return [...(await query("degrees", { points })).points];
}

/** The name by which lines and tables know a milepost; its shown name may be shorter. */
export function placeOf(milepost: string): string {
  for (const line of Object.values(lines.value))
    for (const stop of line.stops) if (stop.milepost === milepost) return stop.place;
  const city = mileposts.value[milepost]?.cities.map((id) => cities.value[id]).find((row) => row !== undefined);
  return city ? city.milepost || city.name : (mileposts.value[milepost]?.name ?? milepost);
}

/** Put cities in a region, as one step. */
export function putInRegion(ids: readonly string[], region: string, options: { seen?: number } = {}): Promise<Answer> {
  const commands = ids.map((id): Command => ({ kind: "edit-city", id, region }));
  return runAll(`Move ${ids.length} cities to ${regions.value[region]?.name ?? region}`, commands, options);
}

/** Move mileposts by so many millimetres, as one step. */
export async function moveMileposts(ids: readonly string[], dx: number, dy: number, seen: number): Promise<Answer | null> {
  const moved = ids.flatMap((id) => {
    const post = mileposts.value[id];
    return post ? [{ place: placeOf(id), at: [post.x + dx, post.y + dy] as Point }] : [];
  });
  try {
    const places = await degrees(moved.map((post) => post.at));
    const commands = moved.flatMap((post, i): Command[] => {
      const spot = places[i];
      return spot ? [{ kind: "edit-place", place: post.place, lon: spot[0], lat: spot[1] }] : [];
    });
    return await runAll(`Move ${moved.length} mileposts`, commands, { seen });
  } catch (error) {
    toast(`Not moved: ${errorText(error)}`, "error");
    return null;
  }
}
