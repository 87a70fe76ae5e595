// Whether the server answers. A step may take long, and the server says meanwhile that it is there; one that hangs does not.
import { signal } from "@preact/signals";

/** Milliseconds after which the server is asked whether it is there, how long it has for that, and between two times. */
const FIRST = 1000;
const PATIENCE = 2000;
const AGAIN = 1000;

/** Whether something was asked and the server does not even say that it is there. */
export const silent = signal(false);

/** Asks the server whether it is there; any answer will do. */
export type Probe = (stop: AbortSignal) => Promise<unknown>;

const open = new Set<object>();
let probing = false;

async function look(probe: Probe): Promise<void> {
  if (probing) return;
  probing = true;
  try {
    while (open.size > 0) {
      const stop = new AbortController();
      const late = setTimeout(() => {
        silent.value = open.size > 0;
        stop.abort();
      }, PATIENCE);
      await probe(stop.signal).then(
        () => (silent.value = false),
        () => undefined, // a line that is cut says so itself
      );
      clearTimeout(late);
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  } finally {
    probing = false;
    silent.value = false;
  }
}

/** Note that an answer is waited for; call what it returns when it has come, or is waited for no more. */
export function waiting(probe: Probe): () => void {
  const one = {};
  open.add(one);
  const timer = setTimeout(() => void look(probe), FIRST);
  return () => {
    open.delete(one);
    clearTimeout(timer);
    if (open.size === 0) silent.value = false;
  };
}
