// What is known of what is selected, each fact in a field where a command can change it: Enter or leaving the field sends
// it, Escape gives back what stood there, and a refusal stands at the field.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Field, Select } from "../ui";
import type { Answer } from "../wire";

/** Sends what was typed; a text says why it cannot be sent. */
export type Send = (text: string) => Promise<Answer> | string;

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** What to say of a fact that was refused, until it is typed anew or changes, and how to send it. */
function useSending(value: string, send: Send): { error: string; commit: (text: string) => void; forget: () => void } {
  const [error, setError] = useState("");
  useLayoutEffect(() => setError(""), [value]);
  const commit = (text: string): void => {
    const sent = send(text);
    if (typeof sent === "string") return setError(sent);
    setError("");
    void sent.then((answer) => {
      if (!answer.ok && answer.conflict.length === 0) setError(answer.message);
    });
  };
  return { error, commit, forget: () => setError("") };
}

export interface FactProps {
  /** As the list says it. */
  label: string;
  /** As a screen reader says it, away from the list. */
  name: string;
  value: string;
  send: Send;
}

export function TextFact({ label, name, value, type = "text", send }: FactProps & { type?: "text" | "color" }) {
  const { error, commit, forget } = useSending(value, send);
  return (
    <Fact label={label}>
      <Field label={name} hideLabel type={type} value={value} error={error} onInput={forget} onBack={forget} onCommit={commit} />
    </Fact>
  );
}

export function ChoiceFact({ label, name, value, options, send }: FactProps & { options: readonly { value: string; label: string }[] }) {
  const { error, commit } = useSending(value, send);
  return (
    <Fact label={label}>
      <Select label={name} hideLabel value={value} options={options} error={error} onCommit={commit} />
    </Fact>
  );
}
