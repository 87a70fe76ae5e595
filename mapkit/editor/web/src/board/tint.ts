// Colours that the canvas draws for a while in place of those of the board: figures, seen on the map.
import { signal } from "@preact/signals";
import { HEATS_ON_DARK, HEATS_ON_LIGHT, LESS_AND_MORE, NO_FIGURE } from "../colours";

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
export const NONE = NO_FIGURE;
/** From the least to the most; the most stands out most from the paper. */
export const heats = (dark: boolean): readonly string[] => (dark ? HEATS_ON_DARK : HEATS_ON_LIGHT);

/** Far less, less, more, far more. */
export const CHANGES = LESS_AND_MORE;

export const tint = signal<Tint | null>(null);

/** The colour of a value, where the last holds the most. */
export const heat = (colours: readonly string[], value: number, most: number): string =>
  (value > 0 && most > 0 ? colours[Math.min(colours.length - 1, Math.floor((colours.length * value) / most))] : undefined) ?? NONE;

/** The key of colours up to the most. */
export const heatSteps = (colours: readonly string[], most: number, text: (value: number) => string): TintStep[] =>
  colours.map((colour, k) => ({ colour, label: `${text((most * k) / colours.length)} – ${text((most * (k + 1)) / colours.length)}` }));
