import { useMemo, useState } from "preact/hooks";

interface Sorted {
  id: string;
  down: boolean;
}

/** Rows in the order of a column; in their own until one is chosen. */
export function useSorted<T>(
  rows: readonly T[],
  columns: readonly { id: string; sort?: ((row: T) => string | number) | undefined }[],
) {
  const [sorted, setSorted] = useState<Sorted | null>(null);
  const shown = useMemo(() => {
    const by = columns.find((column) => column.id === sorted?.id)?.sort;
    if (!by || !sorted) return rows;
    const sign = sorted.down ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [by(a), by(b)];
      if (typeof x === "number" && typeof y === "number") return sign * (x - y);
      return sign * String(x).localeCompare(String(y), undefined, { numeric: true });
    });
  }, [rows, columns, sorted]);
  return { shown, sorted, setSorted };
}
