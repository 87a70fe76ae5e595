// The 22 cells of a chart. Arrows move, Shift with them chooses a block, a letter looks for a city, Delete empties.
import { signal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { asksForMenu } from "../../ui/ContextMenu";
import { brush } from "./brush";
import { copied, paste } from "./clipboard";
import { openCellMenu } from "./menu";
import {
  active,
  ALL,
  armed,
  cellAt,
  chart,
  chartName,
  contents,
  fill,
  PARITIES,
  pick,
  picked,
  proposal,
  spot,
  SUMS,
  thing,
  thingsOf,
  weight,
  type CellKey,
} from "./state";
import { plain } from "../../names";

const asking = signal<{ text: string; at: number } | null>(null);
const wanted = signal(false);
const ask = (): void => void (asking.value = { text: "", at: 0 });

/** Put the keyboard on the active cell. */
export function focusGrid(): void {
  wanted.value = true;
}

function close(): void {
  asking.value = null;
  focusGrid();
}

function matches(text: string): { id: string; name: string }[] {
  const look = plain(text);
  const all = thingsOf(chart.value);
  const first = all.filter((one) => plain(one.name).startsWith(look));
  const words = all.filter((one) => !first.includes(one) && one.name.split(/[\s.-]+/).some((word) => plain(word).startsWith(look)));
  return [...first, ...words];
}

function choose(id: string): void {
  const cells = picked.value;
  armed.value = id;
  void fill(chart.value, cells, id);
  close();
  if (cells.size === 1) {
    const { row, column } = spot(active.value);
    pick(row < 10 ? cellAt(row + 1, column) : active.value);
  }
}

function Chooser() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // before the next key is read
  useLayoutEffect(() => input.current?.focus(), []);
  const now = asking.value;
  if (!now) return null;
  const found = matches(now.text);
  const at = Math.min(now.at, found.length - 1);
  const move = (by: number): void => {
    if (found.length > 0) asking.value = { ...now, at: (at + by + found.length) % found.length };
  };
  return (
    <div class="chooser">
      <input
        ref={input}
        role="combobox"
        aria-label={`What stands in ${picked.value.size === 1 ? active.value.replace("/", " ") : `${picked.value.size} cells`}`}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        {...(found[at] ? { "aria-activedescendant": `${id}-${at}` } : {})}
        autocomplete="off"
        spellcheck={false}
        value={now.text}
        onInput={(event) => (asking.value = { text: event.currentTarget.value, at: 0 })}
        onBlur={() => (asking.value = null)}
        onKeyDown={(event) => {
          const chosen = found[at];
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else if ((event.key === "Enter" || event.key === "Tab") && chosen) choose(chosen.id);
          else if (event.key === "Escape") close();
          else {
            event.stopPropagation();
            return;
          }
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <ul id={id} role="listbox" aria-label="What fits">
        {found.map((one, i) => (
          <li
            key={one.id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(one.id);
            }}
          >
            {one.name}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="soft">Nothing of that name belongs in this chart.</p>}
    </div>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLElement) || event.target.role !== "gridcell") return;
  const { row, column } = spot(active.value);
  const steps: Record<string, readonly [number, number]> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    Home: [0, column],
    End: [10, column],
  };
  const held = event.ctrlKey || event.metaKey;
  const to = steps[event.key];
  if (to && !event.altKey && !held) {
    pick(cellAt(...to), event.shiftKey ? "range" : "set");
    focusGrid();
  } else if (held && event.key.toLowerCase() === "a") picked.value = new Set(ALL);
  else if (held && /^[cvx]$/i.test(event.key)) {
    // the browser's own copy and paste, which follow this key
    event.stopPropagation();
    return;
  } else if (asksForMenu(event)) openCellMenu(event, active.value, ask);
  else if (event.key === "Delete" || event.key === "Backspace") void fill(chart.value, picked.value, null);
  else if (event.key === "Enter" || event.key === "F2") ask();
  else if (event.key === " " && armed.value !== null) void fill(chart.value, picked.value, armed.value);
  else if (event.key.length === 1 && event.key !== " " && !held && !event.altKey && /[\p{L}\p{N}]/u.test(event.key)) {
    asking.value = { text: event.key, at: 0 };
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

export function Grid() {
  const box = useRef<HTMLTableElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    const within = (): boolean => box.current?.contains(document.activeElement) === true && asking.value === null;
    const copy = (event: ClipboardEvent): void => {
      if (!within()) return;
      event.clipboardData?.setData("text/plain", copied());
      event.preventDefault();
      if (event.type === "cut") void fill(chart.value, picked.value, null);
    };
    const put = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain");
      if (!within() || !text) return;
      event.preventDefault();
      paste(text);
    };
    const release = (): void => {
      pressed.current = false;
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", put);
    window.addEventListener("pointerup", release);
    return () => {
      asking.value = null;
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", put);
      window.removeEventListener("pointerup", release);
    };
  }, []);
  useLayoutEffect(() => {
    if (!wanted.value) return;
    wanted.value = false;
    box.current?.querySelector<HTMLElement>("td[tabindex='0']")?.focus();
  });
  void wanted.value;
  const of = chart.value;
  const under = contents(of, active.value);
  const offered = proposal.value;
  const painted = brush.value;

  const cell = (key: CellKey) => {
    const { parity, total } = spot(key);
    const now = contents(of, key);
    const next = painted?.cells.has(key) ? painted.item : offered ? (offered[parity][String(total)] ?? null) : now;
    const shown = next === null ? null : thing(of, next);
    const classes = [
      next === null ? "blank" : "",
      next !== now ? "other" : "",
      now !== null && now === under ? "same" : "",
    ];
    return (
      <td
        key={key}
        role="gridcell"
        data-chart-cell={key}
        class={classes.filter(Boolean).join(" ")}
        tabIndex={key === active.value ? 0 : -1}
        aria-selected={picked.value.has(key)}
        aria-label={`${parity} ${total}: ${shown?.name ?? "empty"}${next !== now && now !== null ? `, now ${thing(of, now).name}` : ""}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pressed.current = true;
          pick(key, event.shiftKey ? "range" : event.ctrlKey || event.metaKey ? "toggle" : "set");
          event.currentTarget.focus();
          if (event.pointerType !== "touch") event.preventDefault();
        }}
        onPointerEnter={() => {
          if (pressed.current && brush.value === null) pick(key, "range");
        }}
        onDblClick={ask}
        onContextMenu={(event) => openCellMenu(event, key, ask)}
      >
        <span class="stripe" style={{ background: shown?.colour ?? "transparent" }} />
        <span class="what">
          {next !== now && now !== null && <s>{thing(of, now).name}</s>} {shown?.name ?? "empty"}
        </span>
        {asking.value !== null && key === active.value && <Chooser />}
      </td>
    );
  };
  return (
    <table class="chart" role="grid" aria-label={`${chartName(of)}, 22 cells`} aria-multiselectable="true" ref={box} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          <th scope="col">Sum</th>
          {PARITIES.map((parity) => (
            <th scope="col" key={parity}>
              {parity === "odd" ? "Odd" : "Even"}
            </th>
          ))}
          <th scope="col" title="Rolls of 72 that give each cell of the row">
            of 72
          </th>
        </tr>
      </thead>
      <tbody>
        {SUMS.map((total) => (
          <tr key={total}>
            <th scope="row">{total}</th>
            {PARITIES.map((parity) => cell(`${parity}/${total}`))}
            <td class="weight">{weight(`odd/${total}`)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
