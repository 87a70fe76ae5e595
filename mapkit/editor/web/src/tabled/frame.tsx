// What stands around the board on every such page: the bar above, the line below, findings, steps and keys.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { actions, keyText } from "../actions";
import type { ShownFinding } from "../generated";
import { stateText } from "../shell/line";
import { isDark, nextTheme } from "../shell/theme";
import { ActionButton, Button, Empty, Icon } from "../ui";
import { useRoving } from "../ui/roving";
import type { AnyDocument } from "./document";

export function Toolbar({ board, children }: { board: AnyDocument; children?: ComponentChildren }) {
  const { title, toUndo, toRedo, before } = board;
  const box = useRef<HTMLElement>(null);
  useRoving(box);
  return (
    <header class="toolbar" ref={box}>
      <h1>{title.value || "mapkit"}</h1>
      <div class="group" role="group" aria-label="Steps">
        <ActionButton id="undo">
          <Icon of="undo" /> <span class="word">Undo</span>
          {toUndo.value && <span class="what">: {toUndo.value}</span>}
        </ActionButton>
        <ActionButton id="redo">
          <Icon of="redo" /> <span class="word">Redo</span>
          {toRedo.value && <span class="what">: {toRedo.value}</span>}
        </ActionButton>
      </div>
      <div class="group end">
        {children}
        <ActionButton id="palette">
          <Icon of="palette" /> Find …
        </ActionButton>
        <ActionButton id="before" pressed={before.value}>
          <Icon of="before" /> Compare
        </ActionButton>
        <Button kind="quiet" aria-label={isDark.value ? "Light colours" : "Dark colours"} title={isDark.value ? "Light colours" : "Dark colours"} onClick={nextTheme}>
          <Icon of={isDark.value ? "theme" : "theme-dark"} />
        </Button>
        <ActionButton id="save">
          <Icon of="save" /> Save
        </ActionButton>
      </div>
    </header>
  );
}

export const count = (n: number, word: string, many = `${word}s`): string => `${n.toLocaleString("en")} ${n === 1 ? word : many}`;

export function Status({ board, hint, about, onFindings }: { board: AnyDocument; hint: string; about: string; onFindings: () => void }) {
  const { connection, findings } = board;
  const many = (severity: string): number => findings.value.filter((one) => !one.accepted && one.follows === null && one.severity === severity).length;
  const [errors, warnings, notes] = [many("error"), many("warning"), many("note")];
  return (
    <footer class="status">
      <span role="status" aria-live="polite" class={`state ${connection.line.value === "open" ? "" : "cut"}`}>
        {stateText({ connection, unsaved: board.unsaved.value, revision: board.revision.value })}
      </span>
      <span class="hint">{hint}</span>
      <span>{about}</span>
      <button type="button" class="link" onClick={onFindings}>
        {errors + warnings + notes === 0 ? "No findings" : `${count(errors, "error")}, ${count(warnings, "warning")}, ${count(notes, "note")}`}
      </button>
    </footer>
  );
}

/** All findings; a click goes where `goes` says, if it says anything. */
export function Findings({ board, goes }: { board: AnyDocument; goes: (finding: ShownFinding) => (() => void) | null }) {
  const all = board.findings.value;
  const causes = all.filter((one) => one.follows === null);
  const followers = (id: string): number => all.filter((one) => one.follows === id).length;
  if (all.length === 0)
    return (
      <Empty title="Nothing found">
        <p>The board is checked after every edit. What is wrong or odd stands here, with what to do; click it to go there.</p>
      </Empty>
    );
  return (
    <ul class="findings" aria-label="Findings">
      {causes.map((one) => {
        const go = goes(one);
        return (
          <li key={one.id} class={one.accepted ? "accepted" : one.severity}>
            <button type="button" disabled={go === null} onClick={() => go?.()}>
              <strong>
                {one.severity} {one.code}
              </strong>{" "}
              {one.message}
              {one.accepted && <em>Accepted: {one.accepted}</em>}
              {followers(one.id) > 0 && <em>and {followers(one.id)} that follow from it</em>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function History({ board }: { board: AnyDocument }) {
  const { history, position, before } = board;
  const { steps, saved } = history.value;
  if (steps.length <= 1)
    return (
      <Empty title="Nothing done yet">
        <p>Every step stands here with its name. Click one to go back to it, or forward again; it is kept when you close the editor.</p>
      </Empty>
    );
  return (
    <>
      <div class="bar">
        <ActionButton id="undo" />
        <ActionButton id="redo" />
        <ActionButton id="before" pressed={before.value}>
          Compare with the saved board
        </ActionButton>
      </div>
      <ol class="history" aria-label="Steps, the first on top">
        {steps.map((entry) => (
          <li key={entry.n} class={entry.done ? "" : "undone"}>
            <button type="button" aria-current={entry.n === position.value ? "step" : undefined} onClick={() => void board.steps.goTo(entry.n)}>
              <span>{entry.label}</span>
              {entry.n === saved && <span class="mark quiet">saved</span>}
              {!entry.done && <span class="unseen">, undone</span>}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The keys of all actions; those of `numbered` are one line. */
export function Keys({ numbered }: { numbered: { prefix: string; label: string } }) {
  const ours = (id: string): boolean => id.startsWith(numbered.prefix);
  const all = [...actions.value.values()].filter((action) => action.keys?.length && (!ours(action.id) || action.id === `${numbered.prefix}1`));
  const last = [...actions.value.keys()].filter(ours).length;
  return (
    <dl>
      {all.map((action) => [
        <dt key={`${action.id}-key`}>
          <kbd>{ours(action.id) ? `1 to ${last}` : keyText(action.keys?.[0] ?? "")}</kbd>
        </dt>,
        <dd key={action.id}>{ours(action.id) ? numbered.label : action.label}</dd>,
      ])}
    </dl>
  );
}
