import { useMemo, useState } from "preact/hooks";

export interface Sorted {
  id: string;
  down: boolean;
}

type Columns<T> = readonly { id: string; sort?: ((row: T) => string | number) | undefined }[];

/** Rows in the order of a column; equal ones, and all where no column is chosen, in their own. */
export function inOrder<T>(rows: readonly T[], columns: Columns<T>, sorted: Sorted | null): readonly T[] {
  const by = columns.find((column) => column.id === sorted?.id)?.sort;
  if (!by || !sorted) return rows;
  const sign = sorted.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    if (typeof x === "number" && typeof y === "number") return sign * (x - y);
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true });
  });
}

/** Rows in the order of a column that the reader chooses. */
export function useSorted<T>(rows: readonly T[], columns: Columns<T>) {
  const [sorted, setSorted] = useState<Sorted | null>(null);
  const shown = useMemo(() => inOrder(rows, columns, sorted), [rows, columns, sorted]);
  return { shown, sorted, setSorted };
}
