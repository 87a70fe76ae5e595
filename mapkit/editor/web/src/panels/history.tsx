import { useEffect, useRef } from "preact/hooks";
import { checkpoint, goTo } from "../edit";
import { history, position } from "../store";
import { ActionButton, askText, Button, Empty } from "../ui";
import type { Panel } from "./panel";

export async function makeCheckpoint(): Promise<void> {
  const name = await askText("New checkpoint", "Name of the checkpoint", "", "Make it");
  if (name !== null) await checkpoint(name);
}

function History() {
  const { steps, saved, other } = history.value;
  const list = useRef<HTMLOListElement>(null);
  const at = position.value;
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [at, steps.length]);
  if (steps.length <= 1 && other.length === 0)
    return (
      <Empty title="Nothing done yet">
        <p>Every step stands here with its name. Click one to go back to it, or forward again; it is kept when you close the editor.</p>
      </Empty>
    );
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
  };
  return (
    <>
      <div class="bar">
        <ActionButton id="undo" />
        <ActionButton id="redo" />
        <Button onClick={() => void makeCheckpoint()}>Checkpoint …</Button>
      </div>
      <ol class="history" ref={list} onKeyDown={onKeyDown} aria-label="Steps, the first on top">
        {steps.map((entry) => (
          <li key={entry.n} class={entry.done ? "" : "undone"}>
            <button
              type="button"
              aria-current={entry.n === at ? "step" : undefined}
              onClick={() => void goTo(entry.n)}
              title={entry.done ? "Go back to just after this step" : "Do everything up to this step again"}
            >
              <span>{entry.label}</span>
              {entry.checkpoints.map((name) => (
                <span class="mark" key={name}>
                  {name}
                </span>
              ))}
              {entry.n === saved && <span class="mark quiet">saved</span>}
              {!entry.done && <span class="unseen">, undone</span>}
            </button>
          </li>
        ))}
      </ol>
      {other.length > 0 && (
        <details>
          <summary>{other.length === 1 ? "One step" : `${other.length} steps`} of other branches</summary>
          <ul class="history" aria-label="Steps of other branches">
            {other.map((step) => (
              <li key={step.n} class="undone">
                <button type="button" onClick={() => void goTo(step.n)} title="Go to the board as it was after this step">
                  <span>{step.label}</span>
                  {step.checkpoints.map((name) => (
                    <span class="mark" key={name}>
                      {name}
                    </span>
                  ))}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

export const historyPanel: Panel = { id: "history", title: "History", keys: ["Alt+H"], component: History };
