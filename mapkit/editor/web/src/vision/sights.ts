// The kinds of colour vision that the page imitates.
import type { Visions } from "../generated";

export type Sight = "normal" | "protan" | "deutan" | "tritan" | "grey";
export const SIGHTS: readonly { value: Sight; label: string }[] = [
  { value: "normal", label: "Normal sight" },
  { value: "protan", label: "Protan (no red cones)" },
  { value: "deutan", label: "Deutan (no green cones)" },
  { value: "tritan", label: "Tritan (no blue cones)" },
  { value: "grey", label: "Grey, as a copier prints" },
];

/** The one after another, round and round. */
export function nextSight(sight: Sight): Sight {
  return SIGHTS[(SIGHTS.findIndex((one) => one.value === sight) + 1) % SIGHTS.length]!.value;
}

/** A matrix of red, green and blue as SVG takes it: five columns, and a fourth row that leaves alpha as it is. */
export function matrixText(matrix: Visions["grey"]): string {
  return [...matrix.map((row) => [...row, 0, 0].join(" ")), "0 0 0 1 0"].join(" ");
}
