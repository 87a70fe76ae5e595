// Answers of Python that follow the board: asked again when the board, or the question, has changed.
import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { query } from "./edit";
import { errorText } from "./errors";
import { history, revision } from "./store";

export interface Asked<T> {
  answer: T | null;
  /** Why there is no answer. */
  error: string | null;
  busy: boolean;
}

/** Milliseconds that a follower waits after a change for the next one. */
const REST = 60;
/** The same for what takes long to answer. */
export const CALM = 250;

/**
 * The answer to a question about the board as it is now; the last one stays until the next is there.
 *
 * It is asked again when the question changes, after each step and each save (unless `follow` is false), and when
 * `again` changes; a body of `null` asks nothing.
 */
export function useAnswer<T>(name: string, body: object | null = {}, { follow = true, again = 0, rest = REST } = {}): Asked<T> {
  const text = body === null ? null : JSON.stringify(body);
  const at = follow ? `${revision.value} ${history.value.saved}` : "";
  const first = useRef(true);
  const [state, setState] = useState<Asked<T>>({ answer: null, error: null, busy: text !== null });
  useEffect(() => {
    if (text === null) {
      setState({ answer: null, error: null, busy: false });
      return undefined;
    }
    const stop = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const ask = (): void => {
      query<T>(name, JSON.parse(text) as object, stop.signal).then(
        (answer) => setState({ answer, error: null, busy: false }),
        (error: unknown) => {
          if (!stop.signal.aborted) setState({ answer: null, error: errorText(error), busy: false });
        },
      );
    };
    const timer = setTimeout(ask, first.current ? 0 : rest);
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, text, at, again]);
  return state;
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

/** Send JSON to an address of the server that is no question. */
export async function send<T>(method: "POST" | "GET" | "DELETE", address: string, body?: object): Promise<T> {
  const response = await fetch(address, {
    method,
    ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json().catch(() => ({}))) as T & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `The server answered ${response.status}.`);
  return answer;
}
