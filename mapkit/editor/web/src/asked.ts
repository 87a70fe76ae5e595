// Answers of Python that follow the board: asked again when the board, or the question, has changed.
import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { query } from "./edit";
import { askJson, askServer } from "./entry";
import { replyOf } from "./json";
import { checkFile } from "./limits";
import { errorText } from "./errors";
import { history, revision } from "./store";
import type { AnswerTo, Asking, Bodies, QuestionName, Replies } from "./wire";

export interface Asked<Name extends QuestionName> {
  answer: AnswerTo<Name> | null;
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
export function useAnswer<Name extends QuestionName>(
  name: Name,
  body: Asking<Name> | null,
  { follow = true, again = 0, rest = REST } = {},
): Asked<Name> {
  const text = body === null ? null : JSON.stringify(body);
  const at = follow ? `${revision.value} ${history.value.saved}` : "";
  const first = useRef(true);
  const [state, setState] = useState<Asked<Name>>({ answer: null, error: null, busy: text !== null });
  useEffect(() => {
    if (body === null) {
      setState({ answer: null, error: null, busy: false });
      return undefined;
    }
    const stop = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const ask = (): void => {
      query(name, body, stop.signal).then(
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
export function once<Name extends QuestionName>(
  name: Name,
  body: Asking<Name>,
): { value: ReadonlySignal<AnswerTo<Name> | null>; ask: () => void } {
  const value = signal<AnswerTo<Name> | null>(null);
  let asked = false;
  const ask = (): void => {
    if (asked) return;
    asked = true;
    query(name, body).then(
      (answer) => (value.value = answer),
      () => (asked = false),
    );
  };
  return { value, ask };
}

/** What goes to an address of the server that is not a question: what replaces `{id}` in it, and the JSON that it takes. */
type Sending<At extends keyof Replies> = (At extends `${string}{id}${string}` ? { readonly id: string } : { readonly id?: never }) &
  (At extends keyof Bodies ? { readonly body: Bodies[At] } : { readonly file?: File; readonly query?: Readonly<Record<string, string>> });

/** Send JSON, a file or nothing to an address of the server that is not a question. */
export async function send<At extends keyof Replies>(at: At, what: Sending<At>): Promise<Replies[At]> {
  const { id = "", body, file, query: asked }: { id?: string; body?: object; file?: File; query?: Readonly<Record<string, string>> } = what;
  const [method = "GET", path = ""] = at.split(" ");
  const address = `${path.replace("{id}", encodeURIComponent(id))}${asked ? `?${new URLSearchParams(asked).toString()}` : ""}`;
  if (file) checkFile(path, file);
  const response = body ? await askJson(address, body, { method }) : await askServer(address, { method, ...(file ? { body: file } : {}) });
  return replyOf(at, response);
}
