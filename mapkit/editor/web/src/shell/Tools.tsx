import { useRef } from "preact/hooks";
import { keyText } from "../actions";
import { currentTool, toolGroups, tools } from "../tools";
import { ActionButton, Icon, Menu, itemsOf } from "../ui";
import { useRoving } from "../ui/roving";
import { cramped } from "./room";

/** The tools as a rail beside the canvas. */
export function ToolRail() {
  return cramped.value ? null : <Rail />;
}

function Rail() {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box, true);
  return (
    <div class="tools rail" role="toolbar" aria-label="Tools" aria-orientation="vertical" ref={box}>
      {toolGroups.map((group, i) => (
        <div class="group" key={i}>
          {group.map((tool) => (
            <ActionButton id={`tool-${tool.id}`} key={tool.id} pressed={currentTool.value === tool}>
              <Icon of={`tool-${tool.id}`} />
              {tool.key && <kbd aria-hidden="true">{keyText(tool.key).replace("Shift+", "⇧")}</kbd>}
            </ActionButton>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The tools as a menu, where there is no room for a rail. */
export function ToolMenu() {
  if (!cramped.value) return null;
  const now = currentTool.value;
  const items = itemsOf(tools.map((tool) => `tool-${tool.id}`)).map((item) => ({ ...item, checked: item.id === `tool-${now.id}` }));
  return (
    <div class="tools">
      <Menu label={`Tool: ${now.short ?? now.label}`} items={items} />
    </div>
  );
}
