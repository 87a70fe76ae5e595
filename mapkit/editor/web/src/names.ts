// Names as people type them.

/** The id of a name, as `slug` of mapkit/core/names.py makes it. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\P{ASCII}|'/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** A name without case, accents, punctuation and spaces, to compare with. */
export const plain = (name: string): string => name.normalize("NFKD").toLowerCase().replaceAll(/[^\p{L}\p{N}&]/gu, "");
