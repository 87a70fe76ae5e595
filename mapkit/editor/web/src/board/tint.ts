// Colours that the canvas draws for a while in place of those of the board: figures, seen on the map.
import { signal } from "@preact/signals";

export interface TintStep {
  readonly colour: string;
  readonly label: string;
}

export interface Tinted {
  readonly colour: string;
  /** Its figure, in words. */
  readonly note: string;
}

export interface Tint {
  readonly title: string;
  /** Segments and mileposts; those that are not there are drawn in `NONE`. */
  readonly segments: Readonly<Record<string, Tinted>>;
  readonly mileposts: Readonly<Record<string, Tinted>>;
  /** The key of the colours, the least first. */
  readonly steps: readonly TintStep[];
  /** What `NONE` stands for. */
  readonly none: string;
}

/** What has no figure. */
export const NONE = "#8e959b";
// From the least to the most; lightness changes all the way, so that no colour vision is needed. The most stands out most
// from the paper.
const ON_LIGHT = ["#f3d9a4", "#ecb96a", "#dd8f45", "#c0613a", "#8f3a3c", "#56233a"] as const;
const ON_DARK = ["#7d4a4c", "#a3584a", "#c97a3f", "#e39f4c", "#f0c77b", "#fbeeca"] as const;
export const heats = (dark: boolean): readonly string[] => (dark ? ON_DARK : ON_LIGHT);

/** Far less, less, more, far more: seen apart from each other and from `NONE` by any colour vision, on any paper. */
export const CHANGES = ["#2f78c8", "#9cc3ea", "#f2b87a", "#c9601a"] as const;

export const tint = signal<Tint | null>(null);

/** The colour of a value, where the last holds the most. */
export const heat = (colours: readonly string[], value: number, most: number): string =>
  (value > 0 && most > 0 ? colours[Math.min(colours.length - 1, Math.floor((colours.length * value) / most))] : undefined) ?? NONE;

/** The key of colours up to the most. */
export const heatSteps = (colours: readonly string[], most: number, text: (value: number) => string): TintStep[] =>
  colours.map((colour, k) => ({ colour, label: `${text((most * k) / colours.length)} – ${text((most * (k + 1)) / colours.length)}` }));
