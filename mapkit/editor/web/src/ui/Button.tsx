import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { actions, keyText } from "../actions";

export interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "icon" | "label" | "class"> {
  kind?: "plain" | "primary" | "danger" | "quiet";
  disabled?: boolean;
  class?: string;
  children?: ComponentChildren;
}

/**
 * A button. One that cannot be used any more by what it did keeps the focus until it is left, so that the keyboard does
 * not lose its place.
 */
export function Button({ kind = "plain", children, ...rest }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const disabled = rest.disabled === true;
  useLayoutEffect(() => {
    const element = button.current;
    if (!element || !disabled || element.type === "submit" || document.activeElement !== element) return undefined;
    element.disabled = false;
    element.setAttribute("aria-disabled", "true");
    const settle = (left: boolean): void => {
      element.removeAttribute("aria-disabled");
      if (left) element.disabled = true;
    };
    const leave = (): void => settle(true);
    element.addEventListener("blur", leave, { once: true });
    return () => {
      element.removeEventListener("blur", leave);
      settle(false);
    };
  }, [disabled]);
  const { onClick } = rest;
  return (
    <button
      type="button"
      {...rest}
      ref={button}
      {...(onClick
        ? {
            onClick: (event) => {
              if (event.currentTarget.getAttribute("aria-disabled") !== "true") onClick.call(event.currentTarget, event);
            },
          }
        : {})}
      class={`button ${kind} ${rest.class ?? ""}`}
    >
      {children}
    </button>
  );
}

/** A button of a registered action: its label, key and whether it can be done come from there. */
export function ActionButton({ id, children, pressed }: { id: string; children?: ComponentChildren; pressed?: boolean }) {
  const action = actions.value.get(id);
  if (!action) return null;
  const key = action.keys?.[0];
  return (
    <Button
      kind="quiet"
      disabled={!(action.enabled?.() ?? true)}
      title={key ? `${action.label} (${keyText(key)})` : action.label}
      aria-label={action.label}
      {...(key ? { "aria-keyshortcuts": key.replace("Ctrl", "Control") } : {})}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      onClick={() => action.run()}
    >
      {children ?? action.label}
    </Button>
  );
}
