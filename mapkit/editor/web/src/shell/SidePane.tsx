import { signal } from "@preact/signals";
import { register } from "../actions";
import { panelRows, panels } from "../panels";
import { Tabs } from "../ui";

const KEY = "mapkit-pane";
const NARROW = 240;
const WIDE = 900;
const STEP = 40;
const START = 384;

function kept(): { width: number; open: string; shown: boolean } {
  const first = panels[0]?.id ?? "";
  try {
    const { width, open, shown } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      width: typeof width === "number" ? width : START,
      open: panels.some((panel) => panel.id === open) ? String(open) : first,
      shown: shown !== false,
    };
  } catch {
    return { width: START, open: first, shown: true };
  }
}

const start = kept();
export const paneWidth = signal(start.width);
export const openPanel = signal(start.open);
export const paneShown = signal(start.shown);

function keep(): void {
  const now = { width: paneWidth.value, open: openPanel.value, shown: paneShown.value };
  localStorage.setItem(KEY, JSON.stringify(now));
}

/** Show a panel; `focus` puts the keyboard into it. */
export function showPanel(id: string, focus = false): void {
  openPanel.value = id;
  paneShown.value = true;
  keep();
  if (focus) requestAnimationFrame(() => document.querySelector<HTMLElement>(".pane [role=tabpanel]")?.focus());
}

function setWidth(width: number): void {
  paneWidth.value = Math.max(NARROW, Math.min(WIDE, innerWidth * 0.7, Math.round(width)));
  keep();
}

register(
  ...panels.map((panel) => ({
    id: `panel-${panel.id}`,
    label: `Panel: ${panel.title}`,
    group: "Panels",
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
      keep();
    },
  },
);

function Divider() {
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the side pane"
      aria-valuenow={paneWidth.value}
      aria-valuemin={NARROW}
      aria-valuemax={WIDE}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setWidth(paneWidth.value + by);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) setWidth(innerWidth - event.clientX);
      }}
    />
  );
}

export function SidePane() {
  if (!paneShown.value) return null;
  const panel = panels.find((p) => p.id === openPanel.value) ?? panels[0];
  if (!panel) return null;
  const Content = panel.component;
  return (
    <>
      <Divider />
      <aside class="pane" style={{ width: `${paneWidth.value}px` }} aria-label="Panels">
        <Tabs
          label="Panels"
          rows={panelRows.map((row) => row.map((p) => ({ id: p.id, title: p.title, badge: p.badge?.() ?? null })))}
          open={panel.id}
          onOpen={(id) => showPanel(id)}
        >
          <Content key={panel.id} />
        </Tabs>
      </aside>
    </>
  );
}
