// A bar of buttons is one stop of Tab: arrows, Home and End move within it, and Tab comes back to where one was.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const BUTTONS = "button:not([role^=menuitem]):not([tabindex='-1'][aria-hidden])";

/** Where a key leads from one of so many in a row; null if it is none of the keys that move. */
export function keyStep(key: string, at: number, of: number, upright: boolean): number | null {
  const [back, on] = upright ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  if (of === 0) return null;
  if (key === on) return (at + 1) % of;
  if (key === back) return (at - 1 + of) % of;
  if (key === "Home") return 0;
  return key === "End" ? of - 1 : null;
}

/** Make a bar one stop of Tab; `upright` says that up and down move in it. */
export function useRoving(box: RefObject<HTMLElement | null>, upright = false): void {
  useLayoutEffect(() => {
    const bar = box.current;
    if (!bar) return undefined;
    let current: HTMLButtonElement | null = null;
    const usable = (): HTMLButtonElement[] =>
      [...bar.querySelectorAll<HTMLButtonElement>(BUTTONS)].filter((one) => !one.disabled && one.closest("[role=menu]") === null);
    const settle = (): void => {
      const all = usable();
      if (current === null || !all.includes(current)) current = all[0] ?? null;
      for (const one of all) {
        const stop = one === current ? 0 : -1;
        if (one.tabIndex !== stop) one.tabIndex = stop;
      }
    };
    const focused = (event: FocusEvent): void => {
      if (event.target instanceof HTMLButtonElement && usable().includes(event.target)) current = event.target;
      settle();
    };
    const pressed = (event: KeyboardEvent): void => {
      const all = usable();
      const at = all.indexOf(document.activeElement as HTMLButtonElement);
      const to = at < 0 || event.ctrlKey || event.altKey || event.metaKey ? null : keyStep(event.key, at, all.length, upright);
      if (to === null) return;
      event.preventDefault();
      event.stopPropagation();
      all[to]?.focus();
    };
    bar.addEventListener("focusin", focused);
    bar.addEventListener("keydown", pressed);
    const watch = new MutationObserver(settle);
    watch.observe(bar, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
    settle();
    return () => {
      watch.disconnect();
      bar.removeEventListener("focusin", focused);
      bar.removeEventListener("keydown", pressed);
    };
  }, []);
}
