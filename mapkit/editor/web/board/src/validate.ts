/** Validation of a board against the schema of its file, and of what its parts refer to. */
import schemaFile from "../../../../../docs/schema/board.schema.json";
import type { Board } from "./board.js";

interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly pattern?: string;
}
const whole = schemaFile as unknown as Schema & { readonly $defs: Readonly<Record<string, Schema>> };

/** A board that is not valid: the first wrong value and its place in the file. */
export class BoardError extends Error {
  override readonly name = "BoardError";
  /**
   * @param path of the value, such as `cities[3].milepost`
   * @param value that is wrong; undefined if it is missing
   * @param expected what it should be
   */
  constructor(readonly path: string, readonly value: unknown, expected: string) {
    const text = value === undefined ? "it is missing" : `it is ${JSON.stringify(value).slice(0, 80)}`;
    super(`${path || "the file"} should be ${expected}; ${text}`);
  }
}

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};
const LIMITS: readonly (readonly [string, string, (value: number, limit: number) => boolean])[] = [
  ["minimum", "at least", (value, limit) => value >= limit],
  ["maximum", "at most", (value, limit) => value <= limit],
  ["exclusiveMinimum", "above", (value, limit) => value > limit],
];
const LENGTHS: readonly (readonly [string, string, (value: number, limit: number) => boolean])[] = [
  ["min", "at least", (value, limit) => value >= limit],
  ["max", "at most", (value, limit) => value <= limit],
];

function member(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}

function findMistake(schema: Schema, value: unknown, path: string): BoardError | null {
  if (schema.$ref) return findMistake(whole.$defs[schema.$ref.slice("#/$defs/".length)], value, path);
  if (schema.anyOf) {
    const mistakes = schema.anyOf.map((option) => findMistake(option, value, path));
    if (mistakes.includes(null)) return null;
    const inside = mistakes.find((mistake) => mistake!.path !== path);
    const kinds = schema.anyOf.map((option) => option.type ?? "object").join(" or ");
    return inside ?? new BoardError(path, value, kinds);
  }
  if ("const" in schema && value !== schema["const"]) return new BoardError(path, value, JSON.stringify(schema["const"]));
  if (schema.enum && !schema.enum.includes(value)) {
    return new BoardError(path, value, `one of ${schema.enum.map((option) => JSON.stringify(option)).join(", ")}`);
  }
  if (schema.type && !KINDS[schema.type](value)) {
    return new BoardError(path, value, `${/^[aio]/.test(schema.type) ? "an" : "a"} ${schema.type}`);
  }
  if (typeof value === "number") return findLimit(LIMITS, "", schema, value, value, path);
  if (typeof value === "string") {
    if (schema.pattern && !new RegExp(schema.pattern, "u").test(value)) {
      return new BoardError(path, value, `a text of the form ${schema.pattern}`);
    }
    return findLimit(LENGTHS, "Length", schema, Array.from(value).length, value, path);
  }
  if (Array.isArray(value)) return findInList(schema, value, path);
  return KINDS["object"](value) ? findInObject(schema, value as Readonly<Record<string, unknown>>, path) : null;
}

function findLimit(limits: typeof LIMITS, suffix: string, schema: Schema, size: number, value: unknown, path: string): BoardError | null {
  for (const [keyword, words, holds] of limits) {
    const limit = schema[keyword + suffix];
    if (typeof limit === "number" && !holds(size, limit)) {
      return new BoardError(path, value, `${suffix && (suffix === "Items" ? "a list of " : "a text of ")}${words} ${limit}`);
    }
  }
  return null;
}

function findInList(schema: Schema, list: readonly unknown[], path: string): BoardError | null {
  for (const [k, value] of list.entries()) {
    const item = schema.prefixItems?.[k] ?? schema.items;
    const mistake = item && findMistake(item, value, `${path}[${k}]`);
    if (mistake) return mistake;
  }
  return findLimit(LENGTHS, "Items", schema, list.length, list, path);
}

function findInObject(schema: Schema, object: Readonly<Record<string, unknown>>, path: string): BoardError | null {
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(object, key)) return new BoardError(member(path, key), undefined, "there");
  }
  const patterns = Object.entries(schema.patternProperties ?? {});
  for (const [key, value] of Object.entries(object)) {
    const known = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const part = known ?? patterns.find(([pattern]) => new RegExp(pattern, "u").test(key))?.[1] ?? schema.additionalProperties;
    if (part === false) return new BoardError(member(path, key), value, "left out, as no board has it");
    const mistake =
      (schema.propertyNames && findMistake(schema.propertyNames, key, member(path, key))) ??
      (typeof part === "object" ? findMistake(part, value, member(path, key)) : null);
    if (mistake) return mistake;
  }
  return null;
}

function findReference(board: Board): BoardError | null {
  const ids = (list: readonly { readonly id: string }[]) => new Set(list.map((row) => row.id));
  const [cities, mileposts, pieces] = [ids(board.cities), ids(board.mileposts), ids(board.pieces)];
  const [railroads, regions] = [ids(board.railroads), ids(board.regions)];
  const references: [string, string, ReadonlySet<string>, string][] = [
    ...board.cities.flatMap((city, k): typeof references => [
      [`cities[${k}].milepost`, city.milepost, mileposts, "milepost"],
      [`cities[${k}].region`, city.region, regions, "region"],
    ]),
    ...board.segments.flatMap((segment, k): typeof references => [
      [`segments[${k}].a`, segment.a, mileposts, "milepost"],
      [`segments[${k}].b`, segment.b, mileposts, "milepost"],
      [`segments[${k}].railroad`, segment.railroad, railroads, "railroad"],
      ...segment.pieces.map((piece, n): (typeof references)[number] => [`segments[${k}].pieces[${n}]`, piece, pieces, "piece"]),
    ]),
    ...board.payoffs.cities.map((city, k): (typeof references)[number] => [`payoffs.cities[${k}]`, city, cities, "city"]),
  ];
  for (const [chart, columns] of Object.entries(board.destinations)) {
    const [known, kind] = chart === "regions" ? [regions, "region"] : [cities, "city"];
    for (const parity of ["odd", "even"] as const) {
      for (const [sum, cell] of Object.entries(columns[parity])) {
        if (cell !== null) references.push([`destinations.${chart}.${parity}.${sum}`, cell, known, kind]);
      }
    }
  }
  const missing = references.find(([, id, known]) => !known.has(id));
  if (missing) return new BoardError(missing[0], missing[1], `the id of a ${missing[3]}`);
  const size = board.payoffs.cities.length;
  const rows = board.payoffs.thousands;
  if (rows.length !== size) return new BoardError("payoffs.thousands", rows, `a list of ${size} rows`);
  const wrong = rows.findIndex((row) => row.length !== size);
  return wrong < 0 ? null : new BoardError(`payoffs.thousands[${wrong}]`, rows[wrong], `a list of ${size} amounts`);
}

/**
 * Return the board of a `board.json`.
 *
 * @param file its text, or what `JSON.parse` made of it
 * @throws {BoardError} the file is not valid
 */
export function loadBoard(file: unknown): Board {
  let data = file;
  if (typeof file === "string") {
    try {
      data = JSON.parse(file);
    } catch {
      throw new BoardError("", file, "JSON");
    }
  }
  const mistake = findMistake(whole, data, "") ?? findReference(data as Board);
  if (mistake) throw mistake;
  return data as Board;
}
