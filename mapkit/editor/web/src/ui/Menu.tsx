import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { actions, keyText, perform } from "../actions";
import { Icon } from "./Icon";

export interface MenuItem {
  id: string;
  label: string;
  keys?: string;
  disabled?: boolean;
  checked?: boolean;
  run: () => void;
}

/** Menu items of registered actions. */
export function itemsOf(ids: readonly string[]): MenuItem[] {
  return ids.flatMap((id) => {
    const action = actions.value.get(id);
    if (!action) return [];
    const key = action.keys?.[0];
    return [
      {
        id,
        label: action.label,
        disabled: !(action.enabled?.() ?? true),
        run: () => perform(id),
        ...(key ? { keys: keyText(key) } : {}),
      },
    ];
  });
}

/** What stands in a menu. Choosing closes it first, so that what is chosen has the focus. */
export function MenuItems({ items, close }: { items: readonly MenuItem[]; close: () => void }) {
  return (
    <>
      {items.map((item) => (
        <button
          type="button"
          key={item.id}
          role={item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
          {...(item.checked === undefined ? {} : { "aria-checked": item.checked })}
          disabled={item.disabled ?? false}
          tabIndex={-1}
          onClick={() => {
            close();
            item.run();
          }}
        >
          <Icon of={item.id} />
          <span>{item.label}</span>
          {item.keys && <kbd>{item.keys}</kbd>}
        </button>
      ))}
    </>
  );
}

/** Pixels that a menu keeps from the edge of the window. */
const EDGE = 4;

/** Move a menu sideways, so that all of it can be seen: at 200 % zoom it may be wider than there is room on its side. */
function keepInWindow(menu: HTMLElement): void {
  menu.style.translate = "";
  const { left, right } = menu.getBoundingClientRect();
  const by = Math.max(EDGE - left, 0) + Math.min(innerWidth - EDGE - right, 0);
  if (by !== 0) menu.style.translate = `${by}px`;
}

/** A button that opens a menu; arrows move, also to the menu beside it, Enter takes, Escape closes. */
export function Menu({ label, items, children }: { label: string; items: readonly MenuItem[]; children?: ComponentChildren }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const choices = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? [])];
  useLayoutEffect(() => {
    if (!open) return;
    const menu = box.current?.querySelector<HTMLElement>("[role=menu]");
    if (menu) keepInWindow(menu);
    choices()[0]?.focus();
  }, [open]);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = choices();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 };
    const to = steps[event.key];
    if (open && to !== undefined) {
      event.preventDefault();
      all[to % all.length]?.focus();
    } else if (open && (event.key === "Escape" || event.key === "Tab")) {
      event.preventDefault();
      close();
    } else if (!open && event.key === "ArrowDown") {
      event.preventDefault();
      setOpen(true);
    } else if (open && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      // the menu beside it, open too
      const beside = [...(box.current?.closest("[role=toolbar], header")?.querySelectorAll<HTMLElement>(".menu > button") ?? [])];
      const here = button.current ? beside.indexOf(button.current) : -1;
      const next = beside[(here + (event.key === "ArrowRight" ? 1 : -1) + beside.length) % beside.length];
      if (!next || next === button.current) return;
      event.preventDefault();
      setOpen(false);
      next.focus();
      next.click();
    } else return;
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="button quiet"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {children ?? label}
      </button>
      <div id={id} role="menu" aria-label={label} hidden={!open}>
        <MenuItems items={items} close={close} />
      </div>
    </div>
  );
}
