// What is typed into a field whose value comes from the document: the author's text stays, whatever others do.
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface Typed {
  text: string;
  /** Text that was typed and is not sent. */
  own: boolean;
  /** What somebody else has put there since the author began to type; null if nobody has. */
  theirs: string | null;
  type: (text: string) => void;
  /** Forget what was typed. */
  back: () => void;
  /** Note that the text is sent. */
  sent: () => void;
}

interface State {
  text: string;
  /** The value that the text was typed over. */
  over: string;
  /** What was sent last; its echo is nobody else's. */
  sent: string | null;
}

/** What a field shows when its value changes: the value, unless something else was typed that was not sent. */
export function afterChange(state: State, given: string): State {
  if (given === state.text) return { text: given, over: given, sent: null };
  const typed = state.text !== state.over && state.text !== state.sent;
  if (!typed) return { text: given, over: given, sent: null };
  // the echo of what was sent before the author typed on
  return given === state.sent ? { ...state, over: given, sent: null } : state;
}

export function useTyped(given: string): Typed {
  const [state, setState] = useState<State>({ text: given, over: given, sent: null });
  const now = useRef(state);
  const set = (next: State): void => {
    now.current = next;
    setState(next);
  };
  // before the next key is read, which would be lost else
  useLayoutEffect(() => {
    const next = afterChange(now.current, given);
    if (next !== now.current) set(next);
  }, [given]);
  const { text, over } = state;
  const own = text !== given && text !== state.sent;
  return {
    text,
    own,
    theirs: own && over !== given && text !== over ? given : null,
    type: (next) => set({ ...now.current, text: next }),
    back: () => set({ text: given, over: given, sent: null }),
    sent: () => set({ ...now.current, over: given, sent: now.current.text }),
  };
}

/** What to say of a value that somebody else has put where the author is typing. */
export const theirsText = (theirs: string): string => `Changed meanwhile to ${theirs === "" ? "nothing" : `“${theirs}”`}. Enter keeps yours, Escape takes it.`;
