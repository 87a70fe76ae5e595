import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { theirsText, useTyped } from "./typed";

interface Common {
  label: string;
  hint?: string;
  error?: string | null;
  disabled?: boolean;
  /** The label is read aloud but not shown. */
  hideLabel?: boolean;
}

function Frame({ id, label, hint, error, hideLabel, theirs, children }: Common & { id: string; theirs?: string | null; children: ComponentChildren }) {
  return (
    <div class={`field${error ? " wrong" : ""}`}>
      <label for={id} class={hideLabel ? "unseen" : ""}>
        {label}
      </label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {theirs !== undefined && theirs !== null && (
        <p class="hint theirs" role="status">
          {theirsText(theirs)}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

const described = (id: string, hint?: string, error?: string | null): { "aria-describedby"?: string } => {
  const ids = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return ids ? { "aria-describedby": ids } : {};
};

export interface FieldProps extends Common {
  value: string | number | null;
  type?: "text" | "number" | "color" | "search";
  min?: number;
  max?: number;
  step?: number | "any";
  placeholder?: string;
  list?: readonly string[];
  autoFocus?: boolean;
  /** Called when the value is settled (Enter, or the field is left) and differs; Escape takes it back. */
  onCommit?: (value: string) => void;
  /** Called at every keystroke. */
  onInput?: (value: string) => void;
  /** Called when Escape has taken back what was typed. */
  onBack?: () => void;
}

/** A labelled field whose value comes from the document: it is sent when settled, not at every keystroke. */
export function Field(props: FieldProps) {
  const id = useId();
  const given = props.value === null ? "" : String(props.value);
  const typed = useTyped(given);
  const { text } = typed;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (props.autoFocus) input.current?.focus();
  }, []);
  const commit = (): void => {
    if (text === given || !props.onCommit) return;
    typed.sent();
    props.onCommit(text);
  };
  return (
    <Frame {...props} id={id} theirs={props.onCommit ? typed.theirs : null}>
      <input
        ref={input}
        id={id}
        type={props.type ?? "text"}
        value={text}
        autocomplete="off"
        spellcheck={false}
        {...(props.autoFocus ? { "data-first": "" } : {})}
        {...(props.min === undefined ? {} : { min: props.min })}
        {...(props.max === undefined ? {} : { max: props.max })}
        {...(props.step === undefined ? {} : { step: props.step })}
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
        {...(props.list ? { list: `${id}-list` } : {})}
        disabled={props.disabled ?? false}
        aria-invalid={props.error ? "true" : "false"}
        {...described(id, props.hint, props.error)}
        onInput={(event) => {
          typed.type(event.currentTarget.value);
          props.onInput?.(event.currentTarget.value);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape" && text !== given) {
            event.stopPropagation();
            event.preventDefault();
            typed.back();
            props.onBack?.();
          }
        }}
      />
      {props.list && (
        <datalist id={`${id}-list`}>
          {props.list.map((value) => (
            <option value={value} key={value} />
          ))}
        </datalist>
      )}
    </Frame>
  );
}

export interface SelectProps<Value extends string> extends Common {
  value: Value;
  options: readonly { value: Value; label: string }[];
  onCommit: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const id = useId();
  return (
    <Frame {...props} id={id}>
      <select
        id={id}
        value={props.value}
        disabled={props.disabled ?? false}
        {...described(id, props.hint, props.error)}
        onChange={(event) => {
          const chosen = props.options[event.currentTarget.selectedIndex];
          if (chosen) props.onCommit(chosen.value);
        }}
        onKeyDown={(event) => {
          // a list has no Enter of its own that ends a form
          if (event.key !== "Enter" || !event.currentTarget.form) return;
          event.preventDefault();
          event.currentTarget.form.requestSubmit();
        }}
      >
        {props.options.map((option) => (
          <option value={option.value} key={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export interface CheckProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onCommit: (checked: boolean) => void;
}

export function Check({ label, checked, disabled = false, onCommit }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCommit(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

export interface SliderProps {
  label: string;
  value: number;
  min?: number;
  max?: number;
  step?: number;
  onInput: (value: number) => void;
}

export function Slider({ label, value, min = 0, max = 1, step = 0.05, onInput }: SliderProps) {
  const id = useId();
  return (
    <div class="field slider">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="range"
        value={value}
        min={min}
        max={max}
        step={step}
        onInput={(event) => onInput(Number(event.currentTarget.value))}
      />
    </div>
  );
}
