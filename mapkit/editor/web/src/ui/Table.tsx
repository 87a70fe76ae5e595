// A table of any length: only the rows in sight are in the page. Arrows, Home, End and letters move between rows.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asksForMenu, openRowMenu } from "./ContextMenu";
import type { MenuItem } from "./Menu";
import { useSorted } from "./sorting";
import "./table.css";

export interface Column<T> {
  id: string;
  title: string;
  cell: (row: T) => ComponentChildren;
  /** What the column is sorted by; columns without it cannot be sorted. */
  sort?: (row: T) => string | number;
  align?: "left" | "right";
  width?: string;
}
export interface TableProps<T> {
  /** Read aloud as the name of the table. */
  caption: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  selected?: ReadonlySet<string>;
  /** Enter, or a click. */
  onPick?: (row: T, event: MouseEvent | KeyboardEvent) => void;
  /** What can be done with a row, in its menu. */
  menu?: (row: T) => readonly MenuItem[];
  /** What typing letters looks for. */
  text?: (row: T) => string;
  rowHeight?: number;
  empty?: ComponentChildren;
}

const SPARE = 8;
/** What a column of one share of the width has at least, in rem; where there is less room, the table scrolls. */
const LEAST = 4.6;

/** The width of a column as a grid has it: shares may grow, but all rows of a table are equally wide. */
export const track = (width = "1fr"): string => {
  const share = /^([\d.]+)fr$/.exec(width)?.[1];
  return share === undefined ? width : `minmax(${(LEAST * Math.max(1, Math.min(Number(share), 2))).toFixed(1)}rem, ${width})`;
};

export function Table<T>(props: TableProps<T>) {
  const { rows, columns, rowKey, rowHeight = 28 } = props;
  const { shown, sorted, setSorted } = useSorted(rows, columns);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const here = Math.min(at, Math.max(shown.length - 1, 0));
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    box.current?.querySelector<HTMLElement>("[role=row][tabindex='0']")?.focus();
  });
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    const element = box.current;
    if (element) {
      const [from, below] = [next * rowHeight, (next + 2) * rowHeight];
      if (from < element.scrollTop) element.scrollTop = from;
      else if (below > element.scrollTop + element.clientHeight) element.scrollTop = below - element.clientHeight;
      setTop(element.scrollTop);
    }
    wanted.current = true;
    setAt(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: shown.length - 1,
    };
    const to = steps[event.key];
    const row = shown[here];
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (props.menu && row !== undefined && asksForMenu(event)) return openRowMenu(event, "What can be done with the row", props.menu(row));
    if (to !== undefined) move(to);
    else if (event.key === "Enter" && row !== undefined && props.onPick && (event.target as HTMLElement).role === "row")
      props.onPick(row, event);
    else if (props.text && event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const after = [...shown.slice(here + 1), ...shown.slice(0, here + 1)];
      const found = after.find((other) => props.text!(other).toLowerCase().startsWith(event.key.toLowerCase()));
      if (found === undefined) return;
      move(shown.indexOf(found));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(shown.length, Math.ceil((top + height) / rowHeight) + SPARE);
  const widths = columns.map((column) => track(column.width)).join(" ");
  return (
    <div
      class="table"
      ref={box}
      role="grid"
      aria-label={props.caption}
      aria-rowcount={shown.length + 1}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} class="head" style={{ gridTemplateColumns: widths }}>
        {columns.map((column) => {
          const on = sorted?.id === column.id ? sorted : null;
          return (
            <div
              role="columnheader"
              key={column.id}
              class={column.align ?? "left"}
              aria-sort={on ? (on.down ? "descending" : "ascending") : "none"}
            >
              {column.sort ? (
                <button type="button" onClick={() => setSorted({ id: column.id, down: on ? !on.down : false })}>
                  {column.title}
                  <span aria-hidden="true">{on ? (on.down ? " ▾" : " ▴") : ""}</span>
                </button>
              ) : (
                column.title
              )}
            </div>
          );
        })}
      </div>
      {shown.length === 0 && props.empty && (
        <div role="row" aria-rowindex={2}>
          <div role="gridcell" class="empty">
            {props.empty}
          </div>
        </div>
      )}
      <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
      {shown.slice(first, last).map((row, i) => {
        const index = first + i;
        const key = rowKey(row);
        return (
          <div
            role="row"
            key={key}
            aria-rowindex={index + 2}
            aria-selected={props.selected?.has(key) ?? false}
            tabIndex={index === here ? 0 : -1}
            class="row"
            style={{ gridTemplateColumns: widths, height: `${rowHeight}px` }}
            onFocus={() => setAt(index)}
            onClick={(event) => props.onPick?.(row, event)}
            onContextMenu={(event) => {
              if (!props.menu) return;
              event.currentTarget.focus();
              openRowMenu(event, "What can be done with the row", props.menu(row));
            }}
          >
            {columns.map((column) => (
              <div role="gridcell" key={column.id} class={column.align ?? "left"}>
                {column.cell(row)}
              </div>
            ))}
          </div>
        );
      })}
      <div role="presentation" style={{ height: `${Math.max(0, shown.length - last) * rowHeight}px` }} />
    </div>
  );
}
