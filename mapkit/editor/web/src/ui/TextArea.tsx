import { useId, useLayoutEffect, useState } from "preact/hooks";

/** Several lines of text from the document, sent when the field is left; Escape takes them back. */
export function TextArea(props: { label: string; value: string; rows?: number; hint?: string; onCommit: (text: string) => void }) {
  const id = useId();
  const [text, setText] = useState(props.value);
  useLayoutEffect(() => setText(props.value), [props.value]);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        rows={props.rows ?? 3}
        value={text}
        spellcheck={false}
        {...(props.hint ? { "aria-describedby": `${id}-hint` } : {})}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => {
          if (text !== props.value) props.onCommit(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || text === props.value) return;
          event.stopPropagation();
          setText(props.value);
        }}
      />
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}
