// The side pane as the rest of the page knows it: how wide it is, whether it is shown, and which panel is open.
import { signal } from "@preact/signals";
import { fields } from "../json";
import { keepSetting, keptSetting } from "../settings";

const START = 400;
export const NARROW = 240;
export const WIDE = 900;
export const STEP = 40;

export const paneWidth = signal(START);
export const openPanel = signal("");
export const paneShown = signal(true);

function take(kept: string | null): void {
  const { width, open, shown } = fields(kept);
  paneWidth.value = typeof width === "number" ? width : START;
  openPanel.value = typeof open === "string" ? open : "";
  paneShown.value = shown !== false;
}
take(keptSetting("pane", take));

export function keepPane(): void {
  const now = { width: paneWidth.value, open: openPanel.value, shown: paneShown.value };
  keepSetting("pane", JSON.stringify(now));
}

/** Show a panel; `focus` puts the keyboard into it. */
export function showPanel(id: string, focus = false): void {
  openPanel.value = id;
  paneShown.value = true;
  keepPane();
  if (focus) requestAnimationFrame(() => document.querySelector<HTMLElement>(".pane [role=tabpanel]")?.focus());
}

export function setWidth(pixels: number): void {
  paneWidth.value = Math.max(NARROW, Math.min(WIDE, innerWidth * 0.7, Math.round(pixels)));
  keepPane();
}
