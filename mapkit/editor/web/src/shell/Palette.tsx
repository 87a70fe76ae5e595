// Ctrl+K on every page: every action, and what else the page names, by typing a part of its name.
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { actions, keyText, register, whyNot } from "../actions";
import { Dialog, openDialog } from "../ui/Dialog";
import { Icon } from "../ui/Icon";
import { score } from "./score";

export interface Choice {
  id: string;
  label: string;
  kind: string;
  keys?: string;
  /** Why it cannot be done now. */
  why?: string;
  run: () => void;
}

/** What a page finds beside its actions. */
export interface Findable {
  /** In words, actions too: "a command, milepost, city or railroad". */
  readonly what: string;
  readonly choices: () => readonly Choice[];
}

function choices({ choices: named }: Findable): Choice[] {
  const out: Choice[] = [];
  for (const action of actions.value.values()) {
    if (action.id === "palette") continue;
    const key = action.keys?.[0];
    const why = whyNot(action);
    out.push({ id: `a:${action.id}`, label: action.label, kind: action.group, run: action.run, ...(key ? { keys: keyText(key) } : {}), ...(why === null ? {} : { why }) });
  }
  return [...out, ...named()];
}

const MOST = 60;

function Finder({ findable, close }: { findable: Findable; close: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [on, setOn] = useState(0);
  const [refused, setRefused] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(() => choices(findable), []);
  const found = useMemo(() => {
    const scored = all.flatMap((choice) => {
      const value = score(choice.label, typed);
      return value === null ? [] : [{ choice, value }];
    });
    // what can be done now goes before what cannot
    const late = (choice: Choice): number => (choice.why === undefined ? 0 : 1000);
    if (typed) scored.sort((a, b) => a.value + late(a.choice) - b.value - late(b.choice));
    else scored.sort((a, b) => late(a.choice) - late(b.choice));
    return scored.slice(0, MOST).map(({ choice }) => choice);
  }, [typed, all]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [on, found]);
  const take = (choice: Choice | undefined): void => {
    if (!choice) return;
    if (choice.why !== undefined) return setRefused(`${choice.label}: ${choice.why}.`);
    close();
    // after the dialog has gone and given the focus back, but before the next key: that one may act on what was found
    queueMicrotask(choice.run);
  };
  return (
    <div class="finder">
      <input
        data-first=""
        type="text"
        role="combobox"
        aria-label={`Find ${findable.what}`}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[on] ? `${id}-${on}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder={`${findable.what.charAt(0).toUpperCase()}${findable.what.slice(1)}`}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOn(0);
          setRefused("");
        }}
        onKeyDown={(event) => {
          const to = { ArrowDown: on + 1, ArrowUp: on - 1, PageDown: on + 10, PageUp: on - 10 }[event.key];
          if (to !== undefined) setOn(Math.max(0, Math.min(found.length - 1, to)));
          else if (event.key === "Enter") take(found[on]);
          else return;
          event.preventDefault();
        }}
      />
      {/* the field above keeps the focus and moves in the list by arrows */}
      <ul id={id} role="listbox" aria-label="Found" ref={list} tabIndex={-1}>
        {found.map((choice, i) => (
          <li role="option" id={`${id}-${i}`} key={choice.id} aria-selected={i === on} aria-disabled={choice.why !== undefined} onClick={() => take(choice)}>
            <Icon of={choice.id.slice(2)} />
            <span class="label">{choice.label}</span>
            {choice.why !== undefined && <span class="why">{choice.why}</span>}
            <span class="kind">{choice.kind}</span>
            {choice.keys && <kbd>{choice.keys}</kbd>}
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {refused || (found.length === 0 ? "Nothing has this name." : "")}
      </p>
    </div>
  );
}

/** Give a page its palette. */
export function registerPalette(findable: Findable): void {
  const open = (): void =>
    void openDialog((close) => (
      <Dialog title="Find" onClose={close}>
        <Finder findable={findable} close={close} />
      </Dialog>
    ));
  register({ id: "palette", label: `Find ${findable.what} …`, group: "View", keys: ["Ctrl+K", "/"], run: open });
}
