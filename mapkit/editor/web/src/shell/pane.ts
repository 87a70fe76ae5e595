// The side pane as the rest of the page knows it: how wide it is, whether it is shown, and which panel is open.
import { signal } from "@preact/signals";
import { fields } from "../json";

const KEY = "mapkit-pane";
const START = 400;
export const NARROW = 240;
export const WIDE = 900;
export const STEP = 40;

const { width, open, shown } = fields(localStorage.getItem(KEY));
export const paneWidth = signal(typeof width === "number" ? width : START);
export const openPanel = signal(typeof open === "string" ? open : "");
export const paneShown = signal(shown !== false);

export function keepPane(): void {
  const now = { width: paneWidth.value, open: openPanel.value, shown: paneShown.value };
  localStorage.setItem(KEY, JSON.stringify(now));
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
