// What is dragged, in figures: its neighbours with their miles, and what the checks would say of it where it is now.
import { signal } from "@preact/signals";

export interface Neighbour {
  readonly key: string;
  readonly name: string;
  readonly railroads: readonly { readonly short: string; readonly colour: string }[];
  readonly miles: number;
  /** Before it was dragged. */
  readonly was: number;
}

export interface Dragged {
  readonly title: string;
  /** The first few. */
  readonly neighbours: readonly Neighbour[];
  /** How many there are beside these. */
  readonly more: number;
  /** What is wrong, in sentences. */
  readonly notes: readonly string[];
}

/** What is dragged now; null while nothing is. */
export const dragged = signal<Dragged | null>(null);
/** Where on the canvas it is, in pixels, and the size of the canvas. */
export const draggedAt = signal({ x: 0, y: 0, width: 0, height: 0 });

/** Miles as a person says them: short ones with a tenth. */
export const milesText = (miles: number): string => (miles < 10 ? miles.toFixed(1) : miles.toFixed(0));

/** The same for a screen reader; "" while nothing is dragged. */
export function draggedText(): string {
  const now = dragged.value;
  if (!now) return "";
  const sentences = now.neighbours.map(({ name, railroads, miles, was }) => {
    const by = railroads.map(({ short }) => short).join(" and ");
    const changed = milesText(miles) === milesText(was) ? "" : `, was ${milesText(was)}`;
    return `${milesText(miles)} miles to ${name}${by ? ` on ${by}` : ""}${changed}.`;
  });
  return [...now.notes, ...sentences, ...(now.more > 0 ? [`${now.more} more neighbours.`] : [])].join(" ");
}
