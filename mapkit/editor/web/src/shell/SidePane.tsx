import { register } from "../actions";
import { panelRows, panels } from "../panels";
import { Tabs } from "../ui";
import { keepPane, NARROW, openPanel, paneShown, paneWidth, setWidth, showPanel, STEP, WIDE } from "./pane";

if (!panels.some((panel) => panel.id === openPanel.value)) openPanel.value = panels[0]?.id ?? "";

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
      keepPane();
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
