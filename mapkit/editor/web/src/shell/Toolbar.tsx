import { board as name, title, toRedo, toUndo } from "../store";
import { ActionButton, Menu, itemsOf } from "../ui";
import { menus } from "./menus";
import { ToolMenu } from "./Tools";

export function Toolbar() {
  return (
    <header class="toolbar">
      <h1 title={name.value}>{title.value || name.value || "mapkit"}</h1>
      <ToolMenu />
      <div class="group" role="group" aria-label="Steps">
        <ActionButton id="undo">
          <span aria-hidden="true">↶</span> <span class="word">Undo</span>
          {toUndo.value && <span class="what">: {toUndo.value}</span>}
        </ActionButton>
        <ActionButton id="redo">
          <span aria-hidden="true">↷</span> <span class="word">Redo</span>
          {toRedo.value && <span class="what">: {toRedo.value}</span>}
        </ActionButton>
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
