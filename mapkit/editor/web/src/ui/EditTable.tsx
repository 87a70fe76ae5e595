// A table whose cells are changed in place. Arrows move between cells, Enter, F2 or a letter begins, Enter or Tab ends,
// Escape takes it back; Alt with arrows moves a row, Shift+Delete deletes it, the menu key or Shift+F10 says what else can be done. With a mouse: a
// double click begins, the right button opens the menu.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keyText } from "../actions";
import { asksForMenu, openRowMenu } from "./ContextMenu";
import type { MenuItem } from "./Menu";
import { useSorted } from "./sorting";
import { toast } from "./Toast";
import "./table.css";

export interface Choice {
  value: string;
  label: string;
}
type Edit<T> =
  | { kind: "text" | "number"; value: (row: T) => string; commit: (row: T, text: string) => void; list?: readonly string[] }
  | { kind: "check"; value: (row: T) => boolean; commit: (row: T, on: boolean) => void }
  | { kind: "colour"; value: (row: T) => string; commit: (row: T, colour: string) => void }
  | { kind: "choice"; value: (row: T) => string; options: (row: T) => readonly Choice[]; commit: (row: T, value: string) => void };

export interface EditColumn<T> {
  id: string;
  title: string;
  /** Read aloud and shown when the pointer rests on the title. */
  about?: string;
  show?: (row: T) => ComponentChildren;
  edit?: Edit<T>;
  sort?: (row: T) => string | number;
  align?: "left" | "right";
}
export interface EditTableProps<T> {
  caption: string;
  rows: readonly T[];
  columns: readonly EditColumn<T>[];
  rowKey: (row: T) => string;
  /** What a row is called in labels. */
  name: (row: T) => string;
  current?: string | null;
  onCurrent?: (key: string) => void;
  onDelete?: (row: T) => void;
  /** Move a row by so many places, in the order of the file. */
  onMove?: (row: T, by: number) => void;
  /** What else can be done with a row, in its menu, before what every table can do. */
  menu?: (row: T) => readonly MenuItem[];
  /** What the menu calls deleting; Delete by default. */
  deleting?: string;
  empty: ComponentChildren;
}

interface Cell {
  row: number;
  column: number;
}

export function EditTable<T>(props: EditTableProps<T>) {
  const { rows, columns, rowKey } = props;
  const { shown, sorted, setSorted } = useSorted(rows, columns);
  const [, draw] = useState(0);
  // not a state: keys may come faster than the table is drawn
  const at = useRef<Cell>({ row: 0, column: 0 });
  const [editing, setEditing] = useState<{ key: string; column: string; text: string; was: string } | null>(null);
  const box = useRef<HTMLTableElement>(null);
  const wanted = useRef(false);
  const within = (cell: Cell): Cell => ({
    row: Math.max(0, Math.min(cell.row, shown.length - 1)),
    column: Math.max(0, Math.min(cell.column, columns.length - 1)),
  });
  const setAt = (cell: Cell): void => {
    at.current = cell;
    draw((n) => n + 1);
  };
  const here = within(at.current);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    box.current?.querySelector<HTMLElement>("[role=gridcell][tabindex='0']")?.focus();
  });
  const keyAt = (row: number): string => {
    const found = shown[row];
    return found === undefined ? "" : rowKey(found);
  };
  // what was chosen elsewhere is where Tab comes in, so that passing through the table chooses nothing else
  useLayoutEffect(() => {
    if (props.current === undefined || props.current === null || box.current?.contains(document.activeElement)) return;
    const row = shown.findIndex((one) => rowKey(one) === props.current);
    if (row >= 0 && row !== at.current.row) setAt({ row, column: at.current.column });
  }, [props.current]);
  const go = (cell: Cell): void => {
    const next = within(cell);
    wanted.current = true;
    setAt(next);
    if (shown.length > 0) props.onCurrent?.(keyAt(next.row));
  };
  const begin = (cell: Cell, typed?: string): void => {
    const [row, column] = [shown[cell.row], columns[cell.column]];
    if (row === undefined || !column?.edit) return;
    const { edit } = column;
    if (edit.kind === "text" || edit.kind === "number") {
      setEditing({ key: rowKey(row), column: column.id, text: typed ?? edit.value(row), was: edit.value(row) });
    } else if (edit.kind === "check") edit.commit(row, !edit.value(row));
    else {
      const control = box.current?.querySelector<HTMLElement>(`[data-cell="${cell.row}:${cell.column}"] :is(input, select)`);
      control?.focus();
      if (edit.kind === "colour") control?.click();
    }
  };
  const end = (row: T, column: EditColumn<T>, keep: boolean, next: Cell): void => {
    const { edit } = column;
    const text = editing?.text.trim() ?? "";
    setEditing(null);
    go(next);
    if (!keep || !edit || (edit.kind !== "text" && edit.kind !== "number")) return;
    const now = edit.value(row);
    if (text === now || text === editing?.was.trim()) return; // somebody else's value stays where nothing was typed
    if (editing && now !== editing.was) toast(`${column.title} of ${props.name(row)} was changed to “${now}” while you typed “${text}”; yours is taken, Undo brings theirs back.`, "warning");
    edit.commit(row, text);
  };
  /** All that can be done with a row, and with the cell of it that has the focus. */
  const items = (row: T, cell: Cell): MenuItem[] => {
    const column = columns[cell.column];
    const { edit } = column ?? {};
    const change = !column || !edit ? [] : [{ id: "row-change", label: edit.kind === "check" ? `Switch ${column.title}` : `Change ${column.title}`, keys: "Enter", run: () => begin(cell) }];
    const last = shown.length - 1;
    // in another order than that of the file, a place up or down says nothing
    const move = (by: number): void => {
      props.onMove?.(row, by);
      go({ row: cell.row + by, column: cell.column });
    };
    const moves =
      !props.onMove || sorted
        ? []
        : [
            { id: "row-up", label: "Move up", keys: keyText("Alt+ArrowUp"), disabled: cell.row === 0, run: () => move(-1) },
            { id: "row-down", label: "Move down", keys: keyText("Alt+ArrowDown"), disabled: cell.row === last, run: () => move(1) },
          ];
    const remove = props.onDelete ? [{ id: "row-delete", label: `${props.deleting ?? "Delete"} ${props.name(row)}`, keys: keyText("Shift+Delete"), run: () => props.onDelete?.(row) }] : [];
    return [...(props.menu?.(row) ?? []), ...change, ...moves, ...remove];
  };
  const showMenu = (event: MouseEvent | KeyboardEvent, row: T, cell: Cell): void => openRowMenu(event, `What can be done with ${props.name(row)}`, items(row, cell));
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>("[role=gridcell]");
    const here = within(at.current);
    const row = shown[here.row];
    if (!cell || row === undefined) return;
    if (target !== cell) {
      // in a colour or choice: Escape and Enter come back to the cell
      if ((event.key === "Escape" || event.key === "Enter") && editing === null) {
        event.preventDefault();
        event.stopPropagation();
        cell.focus();
      }
      return;
    }
    const steps: Record<string, Cell> = {
      ArrowDown: { row: here.row + 1, column: here.column },
      ArrowUp: { row: here.row - 1, column: here.column },
      ArrowRight: { row: here.row, column: here.column + 1 },
      ArrowLeft: { row: here.row, column: here.column - 1 },
      Home: { row: event.ctrlKey ? 0 : here.row, column: 0 },
      End: { row: event.ctrlKey ? shown.length - 1 : here.row, column: columns.length - 1 },
      PageDown: { row: here.row + 10, column: here.column },
      PageUp: { row: here.row - 10, column: here.column },
    };
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const to = steps[event.key];
    if (asksForMenu(event)) return showMenu(event, row, here);
    if (event.altKey && props.onMove && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const by = event.key === "ArrowUp" ? -1 : 1;
      props.onMove(row, by);
      go({ row: here.row + by, column: here.column });
    } else if (event.shiftKey && event.key === "Delete" && props.onDelete) props.onDelete(row);
    else if (to && !event.altKey && !event.metaKey) go(to);
    else if (event.key === "Enter" || event.key === "F2") begin(here);
    else if (event.key === " " && columns[here.column]?.edit?.kind === "check") begin(here);
    else if (plain && event.key.length === 1 && event.key !== " " && /text|number/.test(columns[here.column]?.edit?.kind ?? "")) {
      begin(here, event.key);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const content = (row: T, column: EditColumn<T>, i: number, j: number): ComponentChildren => {
    const { edit } = column;
    const label = `${column.title} of ${props.name(row)}`;
    const text = column.show ?? (edit && edit.kind !== "check" ? edit.value : () => "");
    if (editing && editing.key === rowKey(row) && editing.column === column.id) {
      return (
        <Input
          label={label}
          text={editing.text}
          number={edit?.kind === "number"}
          onInput={(value) => setEditing({ ...editing, text: value })}
          onEnd={(keep, by) => end(row, column, keep, { row: i + by.row, column: j + by.column })}
        />
      );
    }
    if (edit?.kind === "check")
      return (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={label}
          checked={edit.value(row)}
          onChange={(event) => edit.commit(row, event.currentTarget.checked)}
        />
      );
    if (edit?.kind === "colour")
      return (
        <span class="colour">
          <input
            type="color"
            tabIndex={-1}
            aria-label={label}
            title={edit.value(row)}
            value={edit.value(row)}
            onChange={(event) => edit.commit(row, event.currentTarget.value)}
          />
          {text(row)}
        </span>
      );
    if (edit?.kind === "choice")
      return (
        <span class="choice">
          {column.show?.(row)}
          <select
            tabIndex={-1}
            aria-label={label}
            value={edit.value(row)}
            onChange={(event) => edit.commit(row, event.currentTarget.value)}
          >
            {edit.options(row).map((option) => (
              <option value={option.value} key={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </span>
      );
    return text(row);
  };

  return (
    <div class="edit-table">
      <table role="grid" aria-label={props.caption} ref={box} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {columns.map((column) => {
              const on = sorted?.id === column.id ? sorted : null;
              return (
                <th
                  key={column.id}
                  scope="col"
                  class={column.align ?? "left"}
                  title={column.about}
                  aria-sort={on ? (on.down ? "descending" : "ascending") : "none"}
                >
                  {column.sort ? (
                    <button
                      type="button"
                      onClick={() => setSorted(on?.down ? null : { id: column.id, down: on !== null })}
                    >
                      {column.title}
                      <span aria-hidden="true">{on ? (on.down ? " ▾" : " ▴") : ""}</span>
                    </button>
                  ) : (
                    column.title
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.length === 0 && (
            <tr>
              <td class="empty" colSpan={columns.length}>
                {props.empty}
              </td>
            </tr>
          )}
          {shown.map((row, i) => {
            const key = rowKey(row);
            return (
              <tr key={key} aria-selected={props.current === key} data-key={key}>
                {columns.map((column, j) => (
                  <td
                    key={column.id}
                    role="gridcell"
                    data-cell={`${i}:${j}`}
                    class={column.align ?? "left"}
                    tabIndex={i === here.row && j === here.column ? 0 : -1}
                    aria-readonly={column.edit ? "false" : "true"}
                    onFocusIn={() => {
                      if (!wanted.current && (i !== at.current.row || j !== at.current.column)) setAt({ row: i, column: j });
                      if (props.current !== key) props.onCurrent?.(key);
                    }}
                    onContextMenu={(event) => {
                      if (event.target instanceof HTMLInputElement && event.target.type === "text") return;
                      go({ row: i, column: j });
                      showMenu(event, row, { row: i, column: j });
                    }}
                    onDblClick={(event) => {
                      if (!(event.target instanceof HTMLInputElement)) begin({ row: i, column: j });
                    }}
                  >
                    {content(row, column, i, j)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const STAY: Cell = { row: 0, column: 0 };

function Input(props: {
  label: string;
  text: string;
  number: boolean;
  onInput: (text: string) => void;
  onEnd: (keep: boolean, by: Cell) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  // before the next key is read
  useLayoutEffect(() => {
    input.current?.focus();
    if (props.text.length > 1) input.current?.select();
  }, []);
  const end = (keep: boolean, by: Cell): void => {
    if (ended.current) return;
    ended.current = true;
    props.onEnd(keep, by);
  };
  return (
    <input
      ref={input}
      type="text"
      aria-label={props.label}
      inputMode={props.number ? "decimal" : "text"}
      autocomplete="off"
      spellcheck={false}
      value={props.text}
      onInput={(event) => props.onInput(event.currentTarget.value)}
      onBlur={() => end(true, STAY)}
      onKeyDown={(event) => {
        if (event.key === "Enter") end(true, { row: event.shiftKey ? -1 : 1, column: 0 });
        else if (event.key === "Tab") end(true, { row: 0, column: event.shiftKey ? -1 : 1 });
        else if (event.key === "Escape") end(false, STAY);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
