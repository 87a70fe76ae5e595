import { useRef } from "preact/hooks";
import { board as name, title, toRedo, toUndo } from "../store";
import { ActionButton, Icon, Menu, itemsOf } from "../ui";
import { useRoving } from "../ui/roving";
import { menus } from "./menus";
import { onPhone } from "./room";
import { ToolMenu } from "./Tools";

export function Toolbar() {
  const box = useRef<HTMLElement>(null);
  useRoving(box);
  // where there is no room for several menus, one has all
  const shown = onPhone.value ? [{ label: "Menu", actions: menus.value.flatMap((menu) => menu.actions) }] : menus.value;
  return (
    <header class="toolbar" ref={box}>
      <h1 title={name.value}>{title.value || name.value || "mapkit"}</h1>
      <ToolMenu />
      <div class="group" role="group" aria-label="Steps">
        <ActionButton id="undo">
          <Icon of="undo" /> <span class="word">Undo</span>
          {toUndo.value && <span class="what">: {toUndo.value}</span>}
        </ActionButton>
        <ActionButton id="redo">
          <Icon of="redo" /> <span class="word">Redo</span>
          {toRedo.value && <span class="what">: {toRedo.value}</span>}
        </ActionButton>
      </div>
      <div class="group end">
        <ActionButton id="palette">
          <Icon of="palette" /> <span class="word">Find …</span>
        </ActionButton>
        {shown.map((menu) => (
          <Menu key={menu.label} label={menu.label} items={itemsOf(menu.actions)} />
        ))}
        <ActionButton id="save">
          <Icon of="save" /> <span class="word">Save</span>
        </ActionButton>
      </div>
    </header>
  );
}
