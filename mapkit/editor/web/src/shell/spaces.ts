// A work space: what belongs to one task, in one panel or several. Each kind of board has its own.
import type { Panel } from "../panels/panel";

export interface WorkSpace {
  id: string;
  title: string;
  /** None where the whole window is the work space. */
  panels: readonly Panel[];
  /** At the end of the bar, as an icon only. */
  apart?: boolean;
}

/** The figure on the tab of a work space: that of its first panel that has one. */
export function badgeOf(space: WorkSpace): string | number | null {
  for (const panel of space.panels) {
    const badge = panel.badge?.() ?? null;
    if (badge !== null) return badge;
  }
  return null;
}

const last = new Map<string, string>();

/** Note which panel of its work space was open, so that the work space comes back as it was left. */
export function noteOpen(spaces: readonly WorkSpace[], panel: string): void {
  const space = spaceOf(spaces, panel);
  if (space) last.set(space.id, panel);
}

export const spaceOf = (spaces: readonly WorkSpace[], panel: string): WorkSpace | undefined =>
  spaces.find((space) => space.id === panel || space.panels.some((one) => one.id === panel));

/** The panel that a work space shows when it is opened. */
export const panelOf = (space: WorkSpace): string => last.get(space.id) ?? space.panels[0]?.id ?? space.id;
