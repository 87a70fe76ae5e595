// Names as people type them.

/** An id of a name, as Python's `slug` makes it of plain letters and digits. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f'’.]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** A name without case, accents and marks, to compare with. */
export const plain = (name: string): string => slug(name).replaceAll("-", " ");
