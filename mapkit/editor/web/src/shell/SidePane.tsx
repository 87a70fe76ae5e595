import { register } from "../actions";
import { workSpaces } from "../panels";
import { Dock } from "./Dock";
import { Inspector } from "./Inspector";
import { selection } from "../selection";
import { cardInInspector } from "./ToolCard";
import { openPanel, paneShown, registerSpaces, showPanel } from "./pane";

registerSpaces(workSpaces);
register({
  id: "panel-selection",
  label: "Go to what is selected",
  group: "Work spaces",
  keys: ["Alt+S"],
  enabled: () => selection.value.length > 0 || cardInInspector.value,
  needs: "select something first",
  run: () => showPanel("selection", true),
});

export function SidePane() {
  if (!paneShown.value) return null;
  return (
    <Dock spaces={workSpaces} open={openPanel.value} onOpen={(id) => showPanel(id)}>
      <Inspector />
    </Dock>
  );
}
