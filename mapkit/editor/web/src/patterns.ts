// The patterns of railroads, as `Pattern` of mapkit/kinds/rail/model/board.py has them.
export const PATTERNS = (["solid", "dash", "dot", "dash-dot", "dash-dot-dot", "double", "hollow", "pearl", "ladder", "ties", "beads", "sawtooth", "wave"] as const).map(
  (value) => ({ value, label: value }),
);
