// The chart as a grid. Only the cells in sight, and a few around them, are in the page, however many cities there are.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { mileposts } from "../../store";
import { toast } from "../../ui";
import { amountText, readAmount, tsv } from "./amounts";
import {
  amount,
  anchor,
  block,
  blockPairs,
  blockTable,
  choose,
  cityAt,
  cityName,
  head,
  heat,
  onGrid,
  order,
  regionColour,
  regionOf,
  shown,
  sort,
  summary,
  torn,
  triangle,
  type Spot,
} from "./chart";
import { clearBlock, fill, setCell } from "./edits";
import { cellsByKey, levelOf } from "./judged";
import { keyOf } from "./chart";
import { menuAtPointer, menuByKey } from "./menu";
import { openPaste } from "./Paste";
import { doubted, settle } from "./scan";
import { run } from "../../edit";

const ROW = 24;
const COLUMN = 46;
const LEFT = 136;
const TOP = 112;
const SPARE = 4;

interface Editing {
  spot: Spot;
  text: string;
  /** Begun by typing: arrows then end the edit, as in a spreadsheet. */
  typed: boolean;
}
export const editing = signal<Editing | null>(null);
const wrong = signal("");
let element: HTMLDivElement | null = null;

export function focusGrid(): void {
  element?.focus({ preventScroll: true });
}

/** The cell that is typed in: the active one, or the first trip of the block if that is a city's own cell. */
function typedIn(): Spot {
  const spot = onGrid(anchor.value);
  if (spot.row !== spot.col) return spot;
  const { top, bottom, left, right } = block.value;
  for (let row = top; row <= bottom; row += 1)
    for (let col = left; col <= right; col += 1) {
      const at = onGrid({ row, col });
      if (at.row !== at.col) return at;
    }
  return spot;
}

function beginEdit(text: string | null): void {
  const spot = typedIn();
  if (spot.row === spot.col) return void toast("A trip from a city to itself pays nothing.");
  wrong.value = "";
  shown.value = { ...spot };
  editing.value = { spot, text: text ?? amountText(amount(cityAt(spot.row), cityAt(spot.col))), typed: text !== null };
}

/** Take what was typed; false if it is not an amount. */
function commit(whole = false): boolean {
  const now = editing.value;
  if (now === null) return true;
  const read = readAmount(now.text, summary.value.filled > 10 ? summary.value.largest : Infinity);
  if ("why" in read) {
    wrong.value = read.why;
    return false;
  }
  editing.value = null;
  wrong.value = "";
  const pairs = blockPairs.value;
  if (whole && pairs.length > 1) void run(fill(pairs, read.value));
  else {
    const [a, b] = [cityAt(now.spot.row), cityAt(now.spot.col)];
    // who types an amount has looked
    settle(a, b, read.value);
    void setCell([a, b], read.value);
  }
  return true;
}

function cancelEdit(): void {
  editing.value = null;
  wrong.value = "";
  focusGrid();
}

const move = (rows: number, columns: number, extend = false): void => {
  const from = extend ? head.value : anchor.value;
  choose({ row: from.row + rows, col: from.col + columns }, extend);
};

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function Editor() {
  const input = useRef<HTMLInputElement>(null);
  const now = editing.value!;
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    if (!now.typed) input.current?.select();
  }, []);
  const end = (rows: number, columns: number, whole = false): void => {
    if (!commit(whole)) return;
    focusGrid();
    if (!whole) move(rows, columns);
  };
  return (
    <>
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        value={now.text}
        aria-label={`${cityName(cityAt(now.spot.row))} to ${cityName(cityAt(now.spot.col))}, thousands`}
        aria-invalid={wrong.value ? "true" : "false"}
        aria-describedby={wrong.value ? "payoff-wrong" : undefined}
        autocomplete="off"
        onInput={(event) => {
          wrong.value = "";
          editing.value = { ...now, text: event.currentTarget.value };
        }}
        onBlur={() => {
          if (editing.value && !commit()) editing.value = null;
        }}
        onCopy={(event) => event.stopPropagation()}
        onCut={(event) => event.stopPropagation()}
        onPaste={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation();
          const arrow = ARROWS[event.key];
          if (event.key === "Enter") end(event.shiftKey ? -1 : 1, 0, event.ctrlKey || event.metaKey);
          else if (event.key === "Tab") end(0, event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") cancelEdit();
          else if (event.key === "F2") editing.value = { ...now, typed: !now.typed };
          else if (now.typed && arrow) end(...arrow);
          else return;
          event.preventDefault();
        }}
      />
      {wrong.value && (
        <span class="wrong" id="payoff-wrong" role="alert">
          {wrong.value}
        </span>
      )}
    </>
  );
}

interface Window_ {
  top: number;
  left: number;
  rows: number;
  columns: number;
}

export function Grid() {
  const [box, setBox] = useState<Window_>({ top: 0, left: 0, rows: 20, columns: 15 });
  const dragging = useRef<"cells" | "rows" | "columns" | null>(null);
  const leaving = useRef(false);
  const here = useRef<HTMLDivElement>(null);
  const list = order.value;
  const n = list.length;
  const look = (): void => {
    const at = here.current;
    if (!at) return;
    // by whole pairs of cells, so that most scrolling redraws nothing
    const next = {
      top: Math.floor(at.scrollTop / ROW / 2) * 2,
      left: Math.floor(at.scrollLeft / COLUMN / 2) * 2,
      rows: Math.ceil((at.clientHeight - TOP) / ROW) + 2,
      columns: Math.ceil((at.clientWidth - LEFT) / COLUMN) + 2,
    };
    setBox((was) => (Object.entries(next).every(([key, value]) => was[key as keyof Window_] === value) ? was : next));
  };
  useEffect(() => {
    element = here.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => {
      watch.disconnect();
      element = null;
    };
  }, []);
  useLayoutEffect(() => {
    const at = here.current;
    if (!at) return;
    const { row, col } = onGrid(shown.value);
    const [x, y] = [col * COLUMN, row * ROW];
    const [wide, tall] = [at.clientWidth - LEFT, at.clientHeight - TOP];
    if (x < at.scrollLeft) at.scrollLeft = x;
    else if (x + COLUMN > at.scrollLeft + wide) at.scrollLeft = x + COLUMN - wide;
    if (y < at.scrollTop) at.scrollTop = y;
    else if (y + ROW > at.scrollTop + tall) at.scrollTop = y + ROW - tall;
    look();
  }, [shown.value, sort.value, triangle.value]);

  const spotOf = (event: MouseEvent): { spot: Spot; part: "cells" | "rows" | "columns" } | null => {
    const at = here.current;
    if (!at) return null;
    const edge = at.getBoundingClientRect();
    const [x, y] = [event.clientX - edge.left - at.clientLeft, event.clientY - edge.top - at.clientTop];
    if (x > at.clientWidth || y > at.clientHeight || (x < LEFT && y < TOP)) return null;
    const spot = { row: Math.floor((y - TOP + at.scrollTop) / ROW), col: Math.floor((x - LEFT + at.scrollLeft) / COLUMN) };
    return { spot, part: y < TOP ? "columns" : x < LEFT ? "rows" : "cells" };
  };
  const chooseBy = (part: "cells" | "rows" | "columns", spot: Spot, extend: boolean): void => {
    if (part === "cells") {
      choose(spot, extend);
      return;
    }
    const last = n - 1;
    if (part === "rows") {
      if (!extend) anchor.value = onGrid({ row: spot.row, col: 0 });
      head.value = onGrid({ row: spot.row, col: last });
    } else {
      if (!extend) anchor.value = onGrid({ row: triangle.value ? spot.col : 0, col: spot.col });
      head.value = { row: last, col: onGrid({ row: last, col: spot.col }).col };
    }
  };
  const onPointerDown = (event: PointerEvent): void => {
    const found = spotOf(event);
    if (!found || event.button !== 0 || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    if (editing.value && !commit()) return;
    focusGrid();
    leaving.current = false;
    dragging.current = found.part;
    here.current?.setPointerCapture(event.pointerId);
    chooseBy(found.part, found.spot, event.shiftKey);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const at = here.current;
    if (!dragging.current || !at) return;
    const edge = at.getBoundingClientRect();
    // a drag beyond the edge goes on into the chart
    const x = Math.max(edge.left + LEFT - COLUMN / 2, Math.min(edge.left + at.clientWidth + COLUMN / 2, event.clientX));
    const y = Math.max(edge.top + TOP - ROW / 2, Math.min(edge.top + at.clientHeight + ROW / 2, event.clientY));
    const spot = {
      row: Math.floor((y - edge.top - TOP + at.scrollTop) / ROW),
      col: Math.floor((x - edge.left - LEFT + at.scrollLeft) / COLUMN),
    };
    const to = onGrid(spot);
    if (dragging.current !== "cells") chooseBy(dragging.current, to, true);
    else if (to.row !== head.value.row || to.col !== head.value.col) choose(to, true);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const ctrl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, box.rows - 3);
    const from = event.shiftKey ? head.value : anchor.value;
    const arrow = ARROWS[event.key];
    const key = event.key.toLowerCase();
    const wasLeaving = leaving.current;
    leaving.current = event.key === "Escape";
    if (ctrl && ["c", "x", "v"].includes(key)) {
      // the browser's own events follow; tools of the board must not hear these keys
      event.stopPropagation();
      return;
    }
    if (arrow && ctrl) choose({ row: arrow[0] ? (arrow[0] > 0 ? n : 0) : from.row, col: arrow[1] ? (arrow[1] > 0 ? n : 0) : from.col }, event.shiftKey);
    else if (arrow && !event.altKey) move(...arrow, event.shiftKey);
    else if (event.key === "Home") choose({ row: ctrl ? 0 : from.row, col: 0 }, event.shiftKey);
    else if (event.key === "End") choose({ row: ctrl ? n : from.row, col: n }, event.shiftKey);
    else if (event.key === "PageDown") move(page, 0, event.shiftKey);
    else if (event.key === "PageUp") move(-page, 0, event.shiftKey);
    else if (event.key === "Enter" && !ctrl && !event.altKey) move(event.shiftKey ? -1 : 1, 0);
    else if (event.key === "Tab" && !wasLeaving) {
      const to = onGrid({ row: from.row, col: anchor.value.col + (event.shiftKey ? -1 : 1) });
      if (to.col === anchor.value.col) return;
      choose({ row: anchor.value.row, col: to.col });
    } else if (event.key === "F2") beginEdit(null);
    else if (menuByKey(event, () => beginEdit(null))) leaving.current = false;
    else if (event.key === "Delete" || event.key === "Backspace") void clearBlock();
    else if (event.key === "Escape") choose(anchor.value);
    else if (ctrl && key === "a") chooseAll();
    else if (event.key === " " && event.shiftKey) chooseBy("rows", anchor.value, false);
    else if (event.key === " " && ctrl) chooseBy("columns", anchor.value, false);
    else if (!ctrl && !event.altKey && /^[\d.,½]$/.test(event.key)) beginEdit(event.key);
    else {
      if (!ctrl && !event.altKey && event.key.length === 1 && !"?/\\".includes(event.key)) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", tsv(blockTable(false)));
  };

  const rowsFrom = Math.max(0, box.top - SPARE);
  const rowsTo = Math.min(n, box.top + box.rows + SPARE);
  const columnsFrom = Math.max(0, box.left - SPARE);
  const columnsTo = Math.min(n, box.left + box.columns + SPARE);
  const columns = list.slice(columnsFrom, columnsTo);
  const active = onGrid(anchor.value);
  const chosen = block.value;
  const inSight = active.row >= rowsFrom && active.row < rowsTo && active.col >= columnsFrom && active.col < columnsTo;
  const at = new Map(Object.entries(mileposts.value).flatMap(([id, post]) => post.cities.map((city) => [city, id] as const)));
  const bounds = (index: number): string => (sort.value === "region" && index > 0 && regionOf(list[index - 1]!) !== regionOf(list[index]!) ? " bound" : "");
  return (
    <div
      ref={here}
      class={`payoff-grid${editing.value ? " editing" : ""}`}
      id="payoff-grid"
      role="grid"
      tabIndex={0}
      aria-label="Payoff chart, thousands"
      aria-describedby="payoff-help"
      aria-rowcount={n + 1}
      aria-colcount={n + 1}
      aria-multiselectable="true"
      aria-activedescendant={inSight ? `payoff-${active.row}-${active.col}` : undefined}
      onScroll={look}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => (dragging.current = null)}
      onPointerCancel={() => (dragging.current = null)}
      onContextMenu={(event) => menuAtPointer(event, spotOf(event)?.spot, () => beginEdit(null))}
      onDblClick={(event) => {
        if (spotOf(event)?.part === "cells") beginEdit(null);
      }}
      onCopy={onCopy}
      onCut={(event) => {
        onCopy(event);
        void clearBlock();
      }}
      onPaste={(event) => {
        event.preventDefault();
        openPaste(event.clipboardData?.getData("text/plain") ?? "");
      }}
    >
      <div role="presentation" class="sizer" style={{ width: `${LEFT + n * COLUMN}px`, height: `${TOP + n * ROW}px` }}>
        <div role="row" class="heads" aria-rowindex={1} style={{ height: `${TOP}px` }}>
          <div role="columnheader" class="corner" aria-colindex={1} style={{ width: `${LEFT}px`, height: `${TOP}px` }}>
            thousands
          </div>
          {columns.map((id, i) => {
            const c = columnsFrom + i;
            return (
              <div
                role="columnheader"
                key={id}
                aria-colindex={c + 2}
                class={`head${c >= chosen.left && c <= chosen.right ? " on" : ""}${bounds(c)}`}
                title={cityName(id)}
                style={{ left: `${LEFT + c * COLUMN}px`, width: `${COLUMN}px`, height: `${TOP}px`, "--region": regionColour(id) }}
              >
                <span>{cityName(id)}</span>
              </div>
            );
          })}
        </div>
        {list.slice(rowsFrom, rowsTo).map((row, i) => {
          const r = rowsFrom + i;
          return (
            <div role="row" key={row} aria-rowindex={r + 2} class="line" style={{ top: `${TOP + r * ROW}px`, height: `${ROW}px` }}>
              <div
                role="rowheader"
                aria-colindex={1}
                class={`head${r >= chosen.top && r <= chosen.bottom ? " on" : ""}${bounds(r)}`}
                title={cityName(row)}
                style={{ width: `${LEFT}px`, height: `${ROW}px`, "--region": regionColour(row) }}
              >
                {cityName(row)}
              </div>
              {columns.map((col, j) => {
                const c = columnsFrom + j;
                if (triangle.value && c > r) return null;
                return <Cell key={col} row={row} col={col} r={r} c={c} at={at} bound={bounds(r) + (bounds(c) && " bound-left")} />;
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cell({ row, col, r, c, at, bound }: { row: string; col: string; r: number; c: number; at: ReadonlyMap<string, string>; bound: string }) {
  const same = row === col;
  const value = same ? null : amount(row, col);
  const level = heat.value && !same ? levelOf(cellsByKey.value.get(keyOf(row, col)), value) : null;
  const twins = !same && at.has(row) && at.get(row) === at.get(col);
  const { top, bottom, left, right } = block.value;
  const active = onGrid(anchor.value);
  const isActive = active.row === r && active.col === c;
  const chosen = r >= top && r <= bottom && c >= left && c <= right;
  const now = editing.value;
  const isEditing = now !== null && now.spot.row === r && now.spot.col === c;
  const split = !same && torn(row, col);
  const inDoubt = !same && doubted.value.has(keyOf(row, col));
  const marks = [
    same ? "self" : value === null ? "missing" : "",
    level && level.id !== "fits" ? `heat-${level.id}` : "",
    !heat.value && !same && regionOf(row) === regionOf(col) ? "home" : "",
    split ? "torn" : "",
    inDoubt ? "doubted" : "",
    twins ? "twins" : "",
    isActive ? "active" : "",
    chosen ? "chosen" : "",
  ];
  const said = [inDoubt ? "in doubt in the scan" : "", split ? "the other half differs" : "", twins ? "twins" : "", level && level.id !== "fits" ? level.label : ""].filter(Boolean);
  return (
    <div
      role="gridcell"
      id={`payoff-${r}-${c}`}
      aria-colindex={c + 2}
      aria-selected={chosen}
      {...(same ? { "aria-readonly": "true" } : {})}
      class={`cell ${marks.filter(Boolean).join(" ")}${bound}`}
      style={{ left: `${LEFT + c * COLUMN}px`, width: `${COLUMN}px`, height: `${ROW}px`, ...(heat.value ? {} : { "--region": regionColour(row) }) }}
    >
      {isEditing ? (
        <Editor />
      ) : (
        <>
          {same ? "" : value === null ? "?" : amountText(value)}
          {level?.sign && <i aria-hidden="true">{level.sign}</i>}
          {split && <i aria-hidden="true">≠</i>}
          {said.length > 0 && <span class="unseen">, {said.join(", ")}</span>}
        </>
      )}
    </div>
  );
}

export function chooseAll(): void {
  const last = order.value.length - 1;
  anchor.value = { row: 0, col: 0 };
  head.value = onGrid({ row: last, col: last });
}
