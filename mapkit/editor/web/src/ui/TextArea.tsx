import { useId } from "preact/hooks";
import { theirsText, useTyped } from "./typed";

/** Several lines of text from the document, sent when the field is left; Escape takes them back. */
export function TextArea(props: { label: string; value: string; rows?: number; hint?: string; onInput?: (text: string) => void; onCommit?: (text: string) => void }) {
  const id = useId();
  const typed = useTyped(props.value);
  const { text, theirs } = typed;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        rows={props.rows ?? 3}
        value={text}
        spellcheck={false}
        {...(props.hint ? { "aria-describedby": `${id}-hint` } : {})}
        onInput={(event) => {
          typed.type(event.currentTarget.value);
          props.onInput?.(event.currentTarget.value);
        }}
        onBlur={() => {
          if (text === props.value || !props.onCommit) return;
          typed.sent();
          props.onCommit(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || text === props.value || !props.onCommit) return;
          event.stopPropagation();
          typed.back();
        }}
      />
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {theirs !== null && (
        <p class="hint theirs" role="status">
          {theirsText(theirs)}
        </p>
      )}
    </div>
  );
}
