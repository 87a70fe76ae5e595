// Ctrl+K: every action, milepost, city and railroad by typing a part of its name.
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { actions, keyText, whyNot } from "../actions";
import { board } from "../board";
import { currentRailroad, select, type Item } from "../selection";
import { cities, mileposts, railroads, segments } from "../store";
import { Dialog, Icon, openDialog } from "../ui";
import { showPanel } from "./pane";
import { score } from "./score";

interface Choice {
  id: string;
  label: string;
  kind: string;
  keys?: string;
  /** Why it cannot be done now. */
  why?: string;
  run: () => void;
}

export function goToItem(item: Item): void {
  select([item]);
  board.flyTo([item]);
  board.focus();
}

function showRailroad(id: string): void {
  const items = Object.entries(segments.value).flatMap(([key, s]) => (s.railroad === id ? [{ kind: "segment", id: key } as const] : []));
  currentRailroad.value = id;
  select(items);
  board.flyTo(items);
  showPanel("selection");
}

function choices(): Choice[] {
  const out: Choice[] = [];
  for (const action of actions.value.values()) {
    if (action.id === "palette") continue;
    const key = action.keys?.[0];
    const why = whyNot(action);
    out.push({ id: `a:${action.id}`, label: action.label, kind: action.group, run: action.run, ...(key ? { keys: keyText(key) } : {}), ...(why === null ? {} : { why }) });
  }
  for (const [id, city] of Object.entries(cities.value))
    out.push({ id: `c:${id}`, label: city.name, kind: "City", run: () => goToItem({ kind: "milepost", id: at(id) ?? id }) });
  for (const [id, railroad] of Object.entries(railroads.value))
    out.push({ id: `r:${id}`, label: `${railroad.name} (${railroad.short})`, kind: "Railroad", run: () => showRailroad(id) });
  for (const [id, post] of Object.entries(mileposts.value))
    if (post.kind === "dot") out.push({ id: `m:${id}`, label: post.name, kind: "Milepost", run: () => goToItem({ kind: "milepost", id }) });
  return out;
}

function at(city: string): string | undefined {
  return Object.entries(mileposts.value).find(([, post]) => post.cities.includes(city))?.[0];
}

const MOST = 60;

function Finder({ close }: { close: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [on, setOn] = useState(0);
  const [refused, setRefused] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const all = useMemo(choices, []);
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
        aria-label="Find a command, milepost, city or railroad"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[on] ? `${id}-${on}` : undefined}
        aria-autocomplete="list"
        autocomplete="off"
        spellcheck={false}
        placeholder="A command, milepost, city or railroad"
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

export function openPalette(): void {
  openDialog((close) => (
    <Dialog title="Find" onClose={close}>
      <Finder close={close} />
    </Dialog>
  ));
}
