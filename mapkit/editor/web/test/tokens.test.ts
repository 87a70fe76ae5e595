// The look of the pages comes from one set of tokens, and its colours can be told apart in light and in dark.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const SRC = join(process.cwd(), "src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).sort();
const read = (name: string): string => readFileSync(join(SRC, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
const sheets = files.filter((name) => name.endsWith(".css") && name !== "tokens.css").map((name) => ({ name, css: read(name) }));
const components = files.filter((name) => /\.tsx?$/.test(name) && !["generated.ts", "colours.ts"].includes(name)).map((name) => ({ name, text: read(name) }));
const tokens = read("tokens.css");

interface Rule {
  file: string;
  selector: string;
  declarations: (readonly [property: string, value: string])[];
}
/** The rules of a style sheet that hold declarations, also those within @media. */
const rulesOf = (file: string, css: string): Rule[] =>
  [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
    file,
    selector: selector.trim(),
    declarations: body.split(";").flatMap((one) => {
      const at = one.indexOf(":");
      return at < 0 ? [] : [[one.slice(0, at).trim(), one.slice(at + 1).trim()] as const];
    }),
  }));
const rules = sheets.flatMap(({ name, css }) => rulesOf(name, css));
/** All declarations for which something holds, as they would be quoted to somebody. */
const declared = (wrong: (property: string, value: string) => boolean): string[] =>
  rules.flatMap(({ file, selector, declarations }) => declarations.flatMap(([property, value]) => (wrong(property, value) ? [`${file}: ${selector} { ${property}: ${value} }`] : [])));

const RAW_COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|\b(?:white|black|red|green|blue|gr[ae]y|silver|yellow|orange|purple)\b/i;
const without = (value: string): string => value.replaceAll(/url\([^)]*\)|var\([^)]*\)/g, "");

test("no style sheet names a colour that is not a token", () => {
  assert.deepEqual(declared((_, value) => RAW_COLOUR.test(without(value))), []);
});

test("no component names a colour but those of colours.ts, which belong to boards", () => {
  const literal = /["'`](?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^"'`]*)["'`]/gi;
  assert.deepEqual(components.flatMap(({ name, text }) => [...text.matchAll(literal)].map(([found]) => `${name}: ${found}`)), []);
});

test("sizes of type, spaces and radii are tokens", () => {
  const left = (value: string): string[] =>
    value.replaceAll(/var\(--(?:text|space|radius|sans|mono)[a-z0-9-]*\)|calc\(-1 \* var\(--space-\d\)\)/g, "").split(/[\s/]+/).filter(Boolean);
  const allowed: readonly (readonly [RegExp, RegExp])[] = [
    [/^font-size$/, /^(?:inherit|14px)$/],
    [/^font$/, /^(?:inherit|normal|1(?:\.\d+)?|,)$/],
    [/^(?:padding|margin|gap|row-gap|column-gap)(?:-|$)/, /^(?:0|1px|auto|inherit)$/],
    [/^border-(?:[a-z]+-)*radius$/, /^(?:0|50%|inherit)$/],
  ];
  assert.deepEqual(declared((property, value) => allowed.some(([which, may]) => which.test(property) && left(value).some((one) => !may.test(one)))), []);
  const styled = /style=\{\{[^}]*\b(?:fontSize|padding|margin|gap|borderRadius)\b[^}]*\}\}/g;
  assert.deepEqual(components.flatMap(({ name, text }) => [...text.matchAll(styled)].map(([found]) => `${name}: ${found}`)), []);
});

const themes = Object.fromEntries(
  (["light", "dark"] as const).map((theme) => {
    const own = rulesOf("tokens.css", tokens).filter(({ selector }) => selector === ":root" || (theme === "dark" && selector === ':root[data-theme="dark"]'));
    return [theme, Object.fromEntries(own.flatMap(({ declarations }) => declarations.filter(([name]) => name.startsWith("--"))))];
  }),
) as Record<"light" | "dark", Record<string, string>>;

test("every token that is used is defined, and every one that is defined is used", () => {
  const set = new Set(["--wide", "--region"]); // by components, in `style`
  const everything = [tokens, ...sheets.map(({ css }) => css), ...components.map(({ text }) => text)].join("\n");
  const used = new Set([...everything.matchAll(/var\((--[a-z0-9-]+)/g)].map(([, name]) => name ?? ""));
  assert.deepEqual([...used].filter((name) => !(name in themes.light) && !set.has(name) && !name.endsWith("-")), []);
  // colours of the board are also read by name
  const named = (name: string): boolean => used.has(name) || everything.includes(`"${name}"`) || /^--(?:board|edge)-/.test(name) || everything.includes(`--${name.split("-")[2] ?? ""}-\${`);
  assert.deepEqual(Object.keys(themes.light).filter((name) => !named(name)), []);
  assert.deepEqual(Object.keys(themes.dark).filter((name) => !(name in themes.light)), []);
});

/** WCAG 2.2, relative luminance and contrast. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}
const lone = (value: string): string | null => /^var\((--[a-z0-9-]+)\)$/.exec(value)?.[1] ?? null;
const lastOf = ({ declarations }: Rule, ...properties: string[]): string | null => {
  const value = declarations.filter(([property]) => properties.includes(property)).at(-1)?.[1];
  return value === undefined ? null : lone(value);
};
/** What text lies on where a rule does not say it. */
const GROUNDS = ["--ground", "--surface", "--raised", "--hover", "--chosen"];
function low(pairs: ReadonlySet<string>, least: number): string[] {
  return (["light", "dark"] as const).flatMap((theme) =>
    [...pairs].sort().flatMap((pair) => {
      const [fore = "", back = ""] = pair.split(" on ").map((name) => themes[theme][name] ?? "");
      assert.match(fore + back, /^(?:#[0-9a-f]{6}){2}$/, `${pair} in ${theme} is not two plain colours`);
      const found = contrast(fore, back);
      return found < least ? [`${pair} in ${theme}: ${found.toFixed(2)} is less than ${least}`] : [];
    }),
  );
}

test("text has a contrast of 4.5 with what it lies on, in light and in dark (WCAG 2.2, 1.4.3)", () => {
  const pairs = new Set(["--text on --board-paper"]);
  for (const rule of rules) {
    const [fore, back] = [lastOf(rule, "color"), lastOf(rule, "background", "background-color")];
    if (fore && back) pairs.add(`${fore} on ${back}`);
    else if (fore && !fore.startsWith("--on-")) for (const ground of GROUNDS) pairs.add(`${fore} on ${ground}`);
    else if (back && GROUNDS.includes(back)) pairs.add(`--text on ${back}`);
  }
  assert.ok(pairs.size > 30, `only ${pairs.size} pairs were found`);
  assert.deepEqual(low(pairs, 4.5), []);
});

test("bounds of controls, what is on, and the keyboard's place have a contrast of 3 (WCAG 2.2, 1.4.11)", () => {
  const pairs = new Set<string>();
  const grounds = GROUNDS.filter((name) => name !== "--chosen");
  for (const name of ["--field-rule", "--chosen-rule", "--focus", "--pressed", "--action", "--bad", "--warn", "--note", "--good"]) for (const ground of grounds) pairs.add(`${name} on ${ground}`);
  assert.deepEqual(low(pairs, 3), []);
});

test("what is pressed looks like nothing that acts", () => {
  for (const theme of ["light", "dark"] as const) {
    const all = ["--action", "--pressed", "--focus", "--note", "--warn", "--bad", "--good"].map((name) => themes[theme][name]);
    assert.equal(new Set(all).size, all.length);
  }
  const wrong = rules.filter(({ selector, declarations }) => /aria-(?:pressed|selected|current|checked)/.test(selector) && declarations.some(([, value]) => value.includes("--action")));
  assert.deepEqual(wrong.map(({ selector }) => selector), []);
});
