// Dialogs are the browser's own <dialog>: focus stays inside, Escape closes, the rest of the page is inert.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./Button";
import { Field } from "./Field";

export interface DialogProps {
  title: string;
  onClose: () => void;
  wide?: boolean;
  /** The row of buttons at the bottom. */
  buttons?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, wide = false, buttons, children }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    (dialog?.querySelector<HTMLElement>("[data-first]") ?? dialog?.querySelector<HTMLElement>(".body :is(input, select, textarea):not(:disabled)"))?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" aria-label="Close" onClick={onClose}>
            ×
          </Button>
        </header>
        {/* reached by Tab, so that arrows can scroll it */}
        <div class="body" tabIndex={0}>
          {children}
        </div>
        {buttons && <footer>{buttons}</footer>}
      </div>
    </dialog>
  );
}

const opened = signal<readonly { key: number; render: () => ComponentChildren }[]>([]);
let count = 0;

/** Open a dialog from anywhere; `close` takes it away. */
export function openDialog(render: (close: () => void) => ComponentChildren): () => void {
  count += 1;
  const key = count;
  const close = (): void => {
    opened.value = opened.value.filter((dialog) => dialog.key !== key);
  };
  opened.value = [...opened.value, { key, render: () => render(close) }];
  return close;
}

/** Where opened dialogs stand in the page. */
export function Dialogs() {
  return (
    <>
      {opened.value.map((dialog) => (
        <Opened key={dialog.key} render={dialog.render} />
      ))}
    </>
  );
}

function Opened({ render }: { render: () => ComponentChildren }) {
  return <>{render()}</>;
}

export interface Question {
  title: string;
  text: string;
  buttons: readonly { id: string; label: string; kind?: NonNullable<ButtonProps["kind"]> }[];
}

/** Ask, and wait for the id of the button; `null` if the dialog was closed. */
export function ask({ title, text, buttons }: Question): Promise<string | null> {
  return new Promise((settle) => {
    openDialog((close) => {
      const end = (id: string | null): void => {
        close();
        settle(id);
      };
      return (
        <Dialog
          title={title}
          onClose={() => end(null)}
          buttons={buttons.map((button) => (
            <Button key={button.id} kind={button.kind ?? "plain"} onClick={() => end(button.id)}>
              {button.label}
            </Button>
          ))}
        >
          <p class="said">{text}</p>
        </Dialog>
      );
    });
  });
}

/** Ask for one line of text; `null` if the dialog was closed. */
export function askText(title: string, label: string, value = "", done = "OK"): Promise<string | null> {
  return new Promise((settle) => {
    let typed = value;
    openDialog((close) => {
      const end = (text: string | null): void => {
        close();
        settle(text);
      };
      return (
        <Dialog
          title={title}
          onClose={() => end(null)}
          buttons={
            <>
              <Button onClick={() => end(null)}>Cancel</Button>
              <Button kind="primary" onClick={() => end(typed.trim() || null)}>
                {done}
              </Button>
            </>
          }
        >
          <form
            method="dialog"
            onSubmit={(event) => {
              event.preventDefault();
              end(typed.trim() || null);
            }}
          >
            <Field label={label} value={value} autoFocus onInput={(text) => (typed = text)} />
          </form>
        </Dialog>
      );
    });
  });
}
