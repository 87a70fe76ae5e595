// The menu of a thing under the pointer, or under the cross of the keyboard; one at a time, on the canvas and in tables.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { MenuItems, type MenuItem } from "./Menu";

const shown = signal<{ x: number; y: number; label: string; items: readonly MenuItem[]; from: Element | null } | null>(null);

/** Open it at a place of the window; where nothing can be done, nothing opens. */
export function openContextMenu(x: number, y: number, label: string, items: readonly MenuItem[]): void {
  const can = items.filter((item) => item.disabled !== true);
  shown.value = can.length > 0 ? { x, y, label, items: can, from: document.activeElement } : null;
}

/** Open the menu of a row where it was asked for: under the pointer, or, by the keyboard, at the cell. */
export function openRowMenu(event: MouseEvent | KeyboardEvent, label: string, items: readonly MenuItem[]): void {
  const cell = event.target instanceof Element ? event.target.closest("td, [role=gridcell], [role=row]") : null;
  if (!cell || items.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const box = cell.getBoundingClientRect();
  const pointed = event instanceof MouseEvent && event.button === 2;
  openContextMenu(pointed ? event.clientX : box.left + 12, pointed ? event.clientY : box.bottom, label, items);
}

/** Whether a key asks for the menu of what has the focus. */
export const asksForMenu = (event: KeyboardEvent): boolean => event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");

function close(): void {
  const from = shown.peek()?.from;
  shown.value = null;
  if (from instanceof HTMLElement) from.focus({ preventScroll: true });
}

export function ContextMenu() {
  const box = useRef<HTMLDivElement>(null);
  const now = shown.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !now) return;
    // it stays in the window
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(now.x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(now.y, innerHeight - height - 4))}px`;
    element.querySelector("button")?.focus();
  }, [now]);
  useEffect(() => {
    if (!now) return undefined;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) shown.value = null;
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("wheel", outside, true);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("wheel", outside, true);
    };
  }, [now]);
  if (!now) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...(box.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[to % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu context" ref={box} onKeyDown={onKeyDown} onContextMenu={(event) => event.preventDefault()}>
      <div role="menu" aria-label={now.label}>
        <MenuItems items={now.items} close={close} />
      </div>
    </div>
  );
}
