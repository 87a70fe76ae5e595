// Boxes and polygons of a draft as texts, and the part of the world that its map shows.

/** Longitude and latitude, degrees. */
export type Corner = readonly [number, number];

/** West, south, east, north in degrees; west is more than east across longitude 180. */
export type Box = readonly [number, number, number, number];

/** What a map shows: its left and upper side and its width, degrees; it is as high as the whole world is in proportion. */
export interface View {
  readonly west: number;
  readonly north: number;
  readonly width: number;
}

export const WORLD: View = { west: -180, north: 85, width: 360 };
/** Height through width of the map. */
export const SHAPE = 145 / 360;
const CLOSEST = 3;

const tenth = (degrees: number): number => Math.round(degrees * 10) / 10;
const hundredth = (degrees: number): number => Math.round(degrees * 100) / 100;
const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));

/** The box as `mapkit draft --bbox` writes it. */
export const boxText = (box: Box | null): string => (box ? box.map(tenth).join(",") : "");

/** The box of a text, if it is one. */
export function boxOf(text: string): Box | null {
  const parts = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const [west, south, east, north] = parts;
  if (parts.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) return null;
  if (!parts.every(Number.isFinite) || Math.max(Math.abs(west), Math.abs(east)) > 180) return null;
  return south < north && Math.max(Math.abs(south), Math.abs(north)) <= 90 ? [west, south, east, north] : null;
}

/** The polygon as `mapkit draft --polygon` writes it. */
export const polygonText = (corners: readonly Corner[]): string => corners.map((corner) => corner.map(hundredth).join(",")).join(" ");

/** The corners of a text, or null if it is something else, such as the name of a file. */
export function cornersOf(text: string): readonly Corner[] | null {
  const out: Corner[] = [];
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const parts = word.split(",").map((part) => (part === "" ? NaN : Number(part)));
    const [lon, lat] = parts;
    if (parts.length !== 2 || lon === undefined || lat === undefined) return null;
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) return null;
    out.push([lon, lat]);
  }
  return out;
}

/** Corners with longitudes that go on across 180, so that each side takes the shorter way. */
export function turned(corners: readonly Corner[]): readonly Corner[] {
  const out: Corner[] = [];
  for (const [lon, lat] of corners) {
    const before = out.at(-1)?.[0] ?? lon;
    out.push([before + ((((lon - before + 180) % 360) + 360) % 360) - 180, lat]);
  }
  return out;
}

/** A view so many times as close, in which a corner stays where it is. */
export function zoomed(view: View, times: number, at: Corner): View {
  const width = between(CLOSEST, view.width / times, WORLD.width);
  const share = width / view.width;
  return within({ west: at[0] - (at[0] - view.west) * share, north: at[1] + (view.north - at[1]) * share, width });
}

/** A view of some corners, with room around them; the whole world if there are none. */
export function viewOf(corners: readonly Corner[]): View {
  if (corners.length === 0) return WORLD;
  const lons = corners.map(([lon]) => lon);
  const lats = corners.map(([, lat]) => lat);
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
  const width = between(CLOSEST, 1.4 * Math.max(east - west, (north - south) / SHAPE), WORLD.width);
  return within({ west: (west + east - width) / 2, north: (north + south + width * SHAPE) / 2, width });
}

function within({ west, north, width }: View): View {
  const lowest = WORLD.north - WORLD.width * SHAPE + width * SHAPE;
  return { west: between(-180, west, 180 - width), north: between(lowest, north, WORLD.north), width };
}
