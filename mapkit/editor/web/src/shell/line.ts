// The line to the server in words, for every kind of board.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { silent } from "../answering";
import type { Connection } from "../connection";
import { toast } from "../ui/Toast";

/** Milliseconds for which a line may be cut before that is said. */
const PATIENCE = 1500;

/** `A step waits`, `3 steps wait`. */
export const counted = (n: number, one: string, many: string): string => (n === 1 ? one : `${n} ${many}`);

/** Whether the line is cut for so long that it is said; when it is back, a toast says what is sent. */
export function whileCut(connection: Connection): ReadonlySignal<boolean> {
  const long = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = 0;
  effect(() => {
    const line = connection.line.value;
    if (line === "cut") {
      timer ??= setTimeout(() => (long.value = true), PATIENCE);
    } else if (timer !== undefined && line === "open") {
      clearTimeout(timer);
      timer = undefined;
      if (long.peek()) toast(waiting > 0 ? `Connected again; ${counted(waiting, "the step that waited is", "steps that waited are")} sent.` : "Connected again.");
      long.value = false;
    }
  });
  effect(() => {
    const n = connection.pending.value;
    if (long.value && connection.line.value === "cut") waiting = n;
  });
  return long;
}

/** The line, and whether all is kept and saved, in a few words. */
export function stateText({ connection, unsaved, revision }: { connection: Connection; unsaved: boolean; revision: number }): string {
  const n = connection.pending.value;
  switch (connection.line.value) {
    case "locked out":
      return "The editor does not know this page: start it again";
    case "cut":
      return n > 0 ? `No connection: ${counted(n, "1 step waits", "steps wait")} here` : "No connection; trying again";
    case "connecting":
      return "Connecting";
    default:
      if (silent.value) return "The editor does not answer";
      if (n > 0) return "Working";
      return `${unsaved ? "Kept, not yet in the files" : "Saved"}, revision ${revision}`;
  }
}
