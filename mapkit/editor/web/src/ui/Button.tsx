import type { ComponentChildren, JSX } from "preact";
import { actions, keyText } from "../actions";

export interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "icon" | "label"> {
  kind?: "plain" | "primary" | "danger" | "quiet";
  disabled?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = "plain", children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} class={`button ${kind} ${String(rest.class ?? "")}`}>
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
