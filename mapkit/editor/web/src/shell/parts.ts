// From one part of the window to the next by a key, as Tab would with many presses; and to the menus.
import { register } from "../actions";
import { board } from "../board";

interface Part {
  within: string;
  focus: (part: HTMLElement) => void;
}

/** Focus the first of the first kind that there is. */
const first = (part: HTMLElement, ...kinds: string[]): void =>
  kinds.map((kind) => part.querySelector<HTMLElement>(kind)).find((found) => found !== null)?.focus();

/** In the order of the window; a sheet stands for the board that it covers. */
const PARTS: readonly Part[] = [
  { within: ".toolbar", focus: (part) => first(part, "button:not(:disabled)") },
  { within: ".spaces", focus: (part) => first(part, "[role=tab][aria-selected=true]") },
  { within: ".middle .sheet", focus: (part) => first(part, "[role=grid][tabindex='0']", "[tabindex='0']", "button:not(:disabled)") },
  { within: ".middle main.canvas:not([inert])", focus: () => board.focus() },
  { within: ".pane .space", focus: (part) => first(part, "[role=tab][aria-selected=true]", ".tabpanel") },
  { within: ".pane .inspector", focus: (part) => first(part, ".inspector-head") },
];

function step(by: number): void {
  const shown = PARTS.flatMap((part) => {
    const element = document.querySelector<HTMLElement>(part.within);
    return element ? [{ part, element }] : [];
  });
  const now = shown.findIndex(({ element }) => element.contains(document.activeElement));
  const next = shown[now < 0 ? 1 % shown.length : (now + by + shown.length) % shown.length];
  next?.part.focus(next.element);
}

register(
  { id: "part-next", label: "Go to the next part of the window", group: "View", keys: ["F6"], run: () => step(1) },
  { id: "part-before", label: "Go to the part of the window before", group: "View", keys: ["Shift+F6"], run: () => step(-1) },
  {
    id: "menus",
    label: "Go to the menus",
    group: "View",
    keys: ["F10"],
    run: () => document.querySelector<HTMLElement>(".toolbar .menu > button")?.focus(),
  },
);
