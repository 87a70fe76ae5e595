// Coordinates as people type and paste them: 47.6, -122.33; 47,6 -122,33; 47°36'N 122°20'W; N 47° 36.5' W 122° 20.1'.

export interface Degrees {
  lat: number;
  lon: number;
}
/** What a text means: a place in degrees, or why it is none; null if it is a name. */
export type Read = Degrees | { problem: string } | null;

export const EXAMPLES = "such as 47.6, -122.33 or 47°36'N 122°20'W";
const NUMBER = String.raw`\d+(?:[.,]\d+)?`;
const ANGLE = new RegExp(String.raw`^([NSEW])?\s*([+-])?\s*(${NUMBER})\s*(?:[°\s]\s*(?:(${NUMBER})\s*(?:['\s]\s*(?:(${NUMBER})\s*"?)?)?)?)?\s*([NSEW])?$`);
const DIGITS = 5;

/** One kind of sign for what typists and programs write in many. */
function plain(text: string): string {
  return text
    .replace(/^\s*geo:/i, "")
    .replace(/[−–—]\s*(?=\d)/g, "-")
    .replace(/[′’‘´`]/g, "'")
    .replace(/''|[″”“]/g, '"')
    .replace(/º|\bdeg(?:rees?)?\b|(?<=\d)\s*d(?=[\s\d]|$)/gi, "°")
    .replace(/\b(?:north|south|east|west)\b/gi, (word) => word.charAt(0))
    .replace(/\b(?:lat(?:itude)?|lon(?:g(?:itude)?)?|lng)\b\.?\s*[:=]?/gi, " ")
    .replace(/[NSEW]/gi, (letter) => letter.toUpperCase())
    .replace(/\s+/g, " ")
    .trim();
}

/** The two halves of a text of coordinates; null if it has not two. */
function halves(text: string): [string, string] | null {
  const cut = (at: number): [string, string] => [text.slice(0, at).replace(/[\s,;/]+$/, ""), text.slice(at).replace(/^[\s,;/]+/, "")];
  const letters = [...text.matchAll(/[NSEW]/g)].map((found) => found.index);
  if (letters.length > 0) return letters.length === 2 ? cut(letters[0] === 0 ? letters[1]! : letters[0]! + 1) : null;
  const mark = /[;/|]/.exec(text);
  if (mark) return [text.slice(0, mark.index).trim(), text.slice(mark.index + 1).trim()];
  const degrees = [...text.matchAll(new RegExp(`[+-]?\\s*${NUMBER}\\s*°`, "g"))].map((found) => found.index);
  if (degrees.length === 2) return cut(degrees[1]!);
  if (degrees.length === 1) return null;
  const spaced = text.split(/,? /);
  if (spaced.length > 1) return spaced.length % 2 === 0 && spaced.length <= 6 ? [spaced.slice(0, spaced.length / 2).join(" "), spaced.slice(spaced.length / 2).join(" ")] : null;
  const parts = text.split(",");
  // 47.6,-122.33 and 47,6,-122,33
  return parts.length === 2 || parts.length === 4 ? [parts.slice(0, parts.length / 2).join(","), parts.slice(parts.length / 2).join(",")] : null;
}

interface Angle {
  degrees: number;
  axis: "lat" | "lon" | null;
}

function angle(text: string): Angle | string {
  const found = ANGLE.exec(text);
  if (!found) return text ? `${text} is no angle` : "One of the two is missing";
  const [, before, sign, d, m, s, after] = found;
  const letter = before ?? after;
  if (before && after) return `${text} has two letters`;
  if (letter && sign) return `${text} has a sign and a letter; write one of the two`;
  const parts = [d, m, s].flatMap((part) => (part === undefined ? [] : [Number(part.replace(",", "."))]));
  if (parts.slice(0, -1).some((part) => !Number.isInteger(part))) return `${text} has a fraction before its last number`;
  if (parts.slice(1).some((part) => part >= 60)) return `${text} has 60 minutes or seconds, or more`;
  const size = parts.reduce((sum, part, i) => sum + part / 60 ** i, 0);
  const south = sign === "-" || letter === "S" || letter === "W";
  return { degrees: Number((south ? -size : size).toFixed(DIGITS)) || 0, axis: letter === undefined ? null : letter === "N" || letter === "S" ? "lat" : "lon" };
}

/** What a text says of one of the two, such as `122,33 W`: degrees, or why it says none. */
export function readDegrees(text: string, axis: "lat" | "lon"): number | string {
  const [name, most] = axis === "lat" ? ["latitude", 90] : ["longitude", 180];
  const found = angle(plain(text));
  if (typeof found === "string") return `${found}; type a ${name}, such as ${axis === "lat" ? "41.88 or 41°53'N" : "87.63 W or -87.63"}.`;
  if (found.axis !== null && found.axis !== axis) return `${text} is no ${name}.`;
  return Math.abs(found.degrees) <= most ? found.degrees : `${text} is no ${name}; type degrees from -${most} to ${most}.`;
}

/** What a text says of a place. */
export function readCoordinates(text: string): Read {
  const line = plain(text);
  if (!/\d/.test(line) || /[^\d\s.,;:/|'"°+\-NSEW()]/.test(line) || /[NSEW]{2}/.test(line)) return null;
  const two = halves(line.replace(/[()]/g, "").trim());
  if (!two) return { problem: `Write two figures, latitude and longitude, ${EXAMPLES}.` };
  const [one, other] = two.map(angle);
  for (const half of [one, other]) if (typeof half === "string") return { problem: `${half}. Write latitude and longitude, ${EXAMPLES}.` };
  const [a, b] = [one as Angle, other as Angle];
  if (a.axis !== null && a.axis === b.axis) return { problem: `Both figures are ${a.axis === "lat" ? "north or south" : "east or west"}; one must be the other way.` };
  const turned = a.axis === "lon" || b.axis === "lat";
  const [lat, lon] = turned ? [b.degrees, a.degrees] : [a.degrees, b.degrees];
  if (Math.abs(lat) > 90) return { problem: `Latitude ${lat} is beyond the poles; it comes first, from -90 to 90.` };
  if (Math.abs(lon) > 180) return { problem: `Longitude ${lon} is beyond 180; write -180 to 180.` };
  return { lat, lon };
}

/** Degrees as people read them: `47.6° N, 122.33° W`. */
export function sayDegrees({ lat, lon }: Degrees): string {
  return `${Math.abs(lat)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon)}° ${lon < 0 ? "W" : "E"}`;
}
