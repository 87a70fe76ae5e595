// Colours that belong to a board, not to the window: what new things are given, and what stands in for one that is not
// there. The colours of the window are in tokens.css.

/** Of a thing whose own colour is not known. */
export const UNKNOWN = "#888888";
/** Of the paint of a tile or city that the kind does not know. */
export const NO_PIGMENT = "#a3a19a";
/** Of ground that has no terrain. */
export const BARE = "#ffffff";

/** Railroads that are added get the first that is free. */
export const OF_RAILROADS = ["#b3261e", "#1d5fbf", "#2e7d32", "#8e4ec6", "#c77700", "#00838f", "#5d4037", "#c2185b", "#455a64", "#7a8b00"] as const;
/** Regions. */
export const OF_REGIONS = ["#cbdff0", "#f3d9c4", "#cfe3c8", "#eed3e2", "#efe6b8", "#d8d3ee", "#c9e6e2", "#e5d5c8", "#dcdfe3"] as const;
/** Regions that are made while drawing. */
export const OF_LASSOED = ["#cbdff0", "#cfe3c8", "#f0ddc4", "#e3cfe6", "#f3efbe", "#d5e6e4", "#ecccd0"] as const;
export const OF_A_TERRAIN = "#b8a06a";
export const OF_A_HOLDING = "#7a5c2e";

/** Figures from the least to the most; lightness changes all the way, so that no colour vision is needed. */
export const HEATS_ON_LIGHT = ["#f3d9a4", "#ecb96a", "#dd8f45", "#c0613a", "#8f3a3c", "#56233a"] as const;
export const HEATS_ON_DARK = ["#7d4a4c", "#a3584a", "#c97a3f", "#e39f4c", "#f0c77b", "#fbeeca"] as const;
/** What has no figure. */
export const NO_FIGURE = "#8e959b";
/** Far less, less, more, far more: seen apart from each other and from `NO_FIGURE` by any colour vision, on any paper. */
export const LESS_AND_MORE = ["#2f78c8", "#9cc3ea", "#f2b87a", "#c9601a"] as const;
/** Differences of two versions: seen apart by any colour vision, on any paper. */
export const OF_DIFFERENCES = { new: "#1f78c8", gone: "#c2410c", changed: "#7b3fa8" } as const;
