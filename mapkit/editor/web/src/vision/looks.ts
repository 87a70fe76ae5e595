// What Python knows of patterns and of colour vision; see mapkit/editor/questions/looks.py.
import { once } from "../asked";

export type Matrix = readonly (readonly number[])[];
export interface Stroke {
  d: string;
  stroke: "line" | "casing";
  "stroke-width": string;
  "stroke-linejoin"?: "round" | "miter";
  "stroke-linecap"?: "round";
  "stroke-dasharray"?: string;
  "stroke-dashoffset"?: string;
}
export interface Looks {
  long: number;
  swatches: Readonly<Record<string, readonly Stroke[]>>;
  visions: { protan: Matrix; deutan: Matrix; tritan: readonly [Matrix, Matrix]; side: readonly number[]; grey: Matrix };
}

export const { value: looks, ask: askLooks } = once<Looks>("looks");
