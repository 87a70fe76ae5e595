// Answers of Python that follow the board: asked again when the board, or the question, has changed.
import { useEffect, useState } from "preact/hooks";
import { query } from "./edit";
import { revision } from "./store";

export interface Asked<T> {
  answer: T | null;
  error: string | null;
  busy: boolean;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The answer to a question about the board as it is now; the last one stays until the next is there. */
export function useAnswer<T>(name: string, body: object | null, follow = true, again = 0): Asked<T> {
  const text = body === null ? null : JSON.stringify(body);
  const at = follow ? revision.value : 0;
  const [state, setState] = useState<Asked<T>>({ answer: null, error: null, busy: text !== null });
  useEffect(() => {
    if (text === null) {
      setState({ answer: null, error: null, busy: false });
      return undefined;
    }
    const stop = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    query<T>(name, JSON.parse(text) as object, stop.signal).then(
      (answer) => setState({ answer, error: null, busy: false }),
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ answer: null, error: message(error), busy: false });
      },
    );
    return () => stop.abort();
  }, [name, text, at, again]);
  return state;
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

export { message as errorText };
