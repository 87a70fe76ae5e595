// Questions that are asked again after every change of the board.
import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { query } from "./edit";
import { ready, revision } from "./store";

export interface Live<T> {
  readonly answer: T | null;
  /** What was wrong with the last question; the answer is the one before it then. */
  readonly error: string | null;
}

const REST = 60;

/** The answer to a question about the board as it is; the one before it until the next is there. */
export function useLive<T>(name: string, body: object = {}): Live<T> {
  const [found, setFound] = useState<Live<T>>({ answer: null, error: null });
  const at = revision.value;
  const text = JSON.stringify(body);
  const first = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    const ask = (): void => {
      query<T>(name, JSON.parse(text) as object, stop.signal)
        .then((answer) => setFound({ answer, error: null }))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) setFound((old) => ({ ...old, error: error instanceof Error ? error.message : String(error) }));
        });
    };
    const timer = setTimeout(ask, first.current ? 0 : REST);
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [at, name, text, ready.value]);
  return found;
}

/** A question whose answer never changes, asked once. */
export function once<T>(name: string): { value: ReadonlySignal<T | null>; ask: () => void } {
  const value = signal<T | null>(null);
  let asked = false;
  const ask = (): void => {
    if (asked) return;
    asked = true;
    query<T>(name).then(
      (answer) => (value.value = answer),
      () => (asked = false),
    );
  };
  return { value, ask };
}
