// The side pane as the rest of the page knows it: how wide it is, whether it is shown, and which panel is open.
import { signal } from "@preact/signals";
import { register } from "../actions";
import { fields } from "../json";
import { keepSetting, keptSetting } from "../settings";
import { cramped, onPhone } from "./room";
import { noteOpen, type WorkSpace } from "./spaces";

const START = 400;
export const NARROW = 240;
export const WIDE = 900;
export const STEP = 40;

export const paneWidth = signal(START);
export const openPanel = signal("");
export const paneShown = signal(true);
/** Whether the inspector is open; in a small window it is not until it is asked for. */
export const inspecting = signal(true);

/** Whether the work space is open on a phone, where it lies over the board. */
export const sheetOpen = signal(false);

function take(kept: string | null): void {
  const { width, open, shown, inspector, sheet } = fields(kept);
  paneWidth.value = typeof width === "number" ? width : START;
  openPanel.value = typeof open === "string" ? open : "";
  paneShown.value = shown !== false;
  inspecting.value = inspector !== false;
  sheetOpen.value = sheet === true;
}
take(keptSetting("pane", take));

export function keepPane(): void {
  const now = { width: paneWidth.value, open: openPanel.value, shown: paneShown.value, inspector: inspecting.value, sheet: sheetOpen.value };
  keepSetting("pane", JSON.stringify(now));
}

export const inspectingCramped = signal(false);

/** Whether the author is at the work space: an inspector that stands under it is folded meanwhile, and leaves it the room. */
export const atSpace = signal(false);

export function inspect(open: boolean): void {
  atSpace.value = false;
  if (cramped.value) inspectingCramped.value = open;
  else inspecting.value = open;
  if (open) sheetOpen.value = false;
  keepPane();
}

/** Open or fold the work space on a phone; of it and what is selected one is open. */
export function openSheet(open: boolean): void {
  sheetOpen.value = open;
  if (open) inspectingCramped.value = false;
  keepPane();
}

/** Show a panel, or what is selected; `focus` puts the keyboard into it. */
export function showPanel(id: string, focus = false): void {
  if (id === "selection") inspect(true);
  else {
    if (onPhone.value) openSheet(true);
    openPanel.value = id;
    atSpace.value = true;
  }
  paneShown.value = true;
  keepPane();
  const within = id === "selection" ? ".inspector .inspected" : ".pane .tabpanel";
  if (focus) requestAnimationFrame(() => document.querySelector<HTMLElement>(within)?.focus());
}

export function setWidth(pixels: number): void {
  paneWidth.value = Math.max(NARROW, Math.min(WIDE, innerWidth * 0.7, Math.round(pixels)));
  keepPane();
}

/** Make the panels of these work spaces known to the palette and to keys; the first is shown if what was open is not there. */
export function registerSpaces(spaces: readonly WorkSpace[]): void {
  const panels = spaces.flatMap((space) => space.panels);
  if (!panels.some((panel) => panel.id === openPanel.value)) openPanel.value = panels[0]?.id ?? "";
  openPanel.subscribe((panel) => noteOpen(spaces, panel));
  register(
    ...panels.map((panel) => ({
      id: `panel-${panel.id}`,
      label: `Open: ${panel.title}`,
      group: "Work spaces",
      ...(panel.keys ? { keys: panel.keys } : {}),
      run: () => showPanel(panel.id, true),
    })),
    {
      id: "pane",
      label: "Show or hide the side pane",
      group: "View",
      keys: ["\\"],
      run: () => {
        paneShown.value = !paneShown.value;
        keepPane();
      },
    },
  );
}
