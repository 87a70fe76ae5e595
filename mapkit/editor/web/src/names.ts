// Names as people type them.

const LATIN_FOR = new Map([
  ...pairs("αβγδεζηικλμνξοπρστυφω", "avgdeziiklmnxoprstyfo"),
  ["θ", "th"], ["ς", "s"], ["χ", "ch"], ["ψ", "ps"],
  ...pairs("абвгдезийклмнопрстуфыэіјґ", "abvgdeziiklmnoprstufyeijg"),
  ["ж", "zh"], ["х", "kh"], ["ц", "ts"], ["ч", "ch"], ["ш", "sh"], ["щ", "shch"], ["ю", "yu"], ["я", "ya"], ["є", "ie"],
  ["ђ", "dj"], ["ћ", "c"], ["љ", "lj"], ["њ", "nj"], ["џ", "dz"],
]);

function pairs(from: string, to: string): [string, string][] {
  return Array.from(from).map((letter, at) => [letter, to[at]!]);
}

/** The id of a name, as `slug` of mapkit/core/names.py makes it. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{Script=Greek}\p{Script=Cyrillic}]/gu, (letter) => LATIN_FOR.get(letter) ?? "")
    .replaceAll(/\P{ASCII}|'/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** A name without case, accents, punctuation and spaces, to compare with. */
export const plain = (name: string): string => name.normalize("NFKD").toLowerCase().replaceAll(/[^\p{L}\p{N}&]/gu, "");

/** The name of a field as a title: `cubes_by_players` as "Cubes by players". */
export const asTitle = (field: string): string => {
  const words = field.replaceAll("_", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};
