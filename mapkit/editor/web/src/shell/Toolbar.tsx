import { board as name, title, toRedo, toUndo } from "../store";
import { currentTool, tools } from "../tools";
import { ActionButton, Menu, itemsOf } from "../ui";
import { menus } from "./menus";

export function Toolbar() {
  return (
    <header class="toolbar">
      <h1 title={name.value}>{title.value || name.value || "mapkit"}</h1>
      <div class="group" role="group" aria-label="Steps">
        <ActionButton id="undo">
          <span aria-hidden="true">↶</span> Undo{toUndo.value && <span class="what">: {toUndo.value}</span>}
        </ActionButton>
        <ActionButton id="redo">
          <span aria-hidden="true">↷</span> Redo{toRedo.value && <span class="what">: {toRedo.value}</span>}
        </ActionButton>
      </div>
      <div class="group tools" role="toolbar" aria-label="Tools">
        {tools.map((tool) => (
          <ActionButton id={`tool-${tool.id}`} key={tool.id} pressed={currentTool.value === tool}>
            {tool.short ?? tool.label}
          </ActionButton>
        ))}
      </div>
      <div class="group end">
        <ActionButton id="palette">Find …</ActionButton>
        {menus.value.map((menu) => (
          <Menu key={menu.label} label={menu.label} items={itemsOf(menu.actions)} />
        ))}
        <ActionButton id="save">Save</ActionButton>
      </div>
    </header>
  );
}
