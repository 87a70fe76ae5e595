// Dialogs are the browser's own <dialog>: focus stays inside, Escape closes, the rest of the page is inert.
import { effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./Button";
import { Field, Select } from "./Field";

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

/** A dialog with a form: Enter and the button on the right say that it is done. */
export function FormDialog(props: { title: string; done: string; onClose: () => void; onDone: () => void; children: ComponentChildren }) {
  const id = useId();
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      buttons={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id}>
            {props.done}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          props.onDone();
        }}
      >
        {props.children}
      </form>
    </Dialog>
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
  /** What stands under the text. */
  below?: () => ComponentChildren;
  /** Once this is true nobody needs an answer any more: the dialog closes by itself. */
  over?: ReadonlySignal<boolean>;
  buttons: readonly { id: string; label: string; kind?: NonNullable<ButtonProps["kind"]> }[];
}

/** Ask, and wait for the id of the button; `null` if the dialog was closed. */
export function ask({ title, text, below, over, buttons }: Question): Promise<string | null> {
  return new Promise((settle) => {
    let stop = (): void => undefined;
    const shut = openDialog((close) => {
      const end = (id: string | null): void => {
        stop();
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
          {below?.()}
        </Dialog>
      );
    });
    if (over)
      stop = effect(() => {
        if (!over.value) return;
        untracked(shut);
        settle(null);
      });
  });
}

/** Ask by a form of one field; null if the dialog was closed, or the value is empty. */
function askField(title: string, done: string, value: Signal<string>, field: () => ComponentChildren): Promise<string | null> {
  return new Promise((settle) => {
    openDialog((close) => {
      const end = (answer: string | null): void => {
        close();
        settle(answer);
      };
      const take = (): void => end(value.value.trim() || null);
      return (
        <FormDialog title={title} done={done} onClose={() => end(null)} onDone={take}>
          {field()}
        </FormDialog>
      );
    });
  });
}

/** Ask for one line of text; `null` if the dialog was closed. */
export function askText(title: string, label: string, value = "", done = "OK"): Promise<string | null> {
  const typed = signal(value);
  return askField(title, done, typed, () => <Field label={label} value={value} autoFocus onInput={(text) => (typed.value = text)} />);
}

/** Ask for one of a list; `null` if the dialog was closed. */
export function askChoice(
  title: string,
  label: string,
  options: readonly { value: string; label: string }[],
  done = "OK",
  first?: string,
): Promise<string | null> {
  const chosen = signal(first ?? options[0]?.value ?? "");
  return askField(title, done, chosen, () => (
    <Select label={label} value={chosen.value} options={options} onCommit={(id) => (chosen.value = id)} />
  ));
}
