// What the author must know until it is over: the line is cut, nothing can be written, files have changed.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { register } from "../actions";
import { silent } from "../answering";
import { dismiss, dismissed } from "../dismissed";
import type { Steps } from "../steps";
import { Button } from "../ui";
import { counted, whileCut } from "./line";
import "./banners.css";

const knowsNotWritable = signal(false);

register({
  id: "notices",
  label: "Go to the notices",
  group: "Help",
  keys: ["Alt+Shift+N"],
  enabled: () => document.querySelector(".banners button") !== null,
  run: () => document.querySelector<HTMLElement>(".banners button")?.focus(),
});

export function Banner({ level, children, buttons }: { level: "info" | "warning" | "error"; children: ComponentChildren; buttons?: ComponentChildren }) {
  return (
    <div class={`banner ${level}`} role={level === "error" ? "alert" : "status"}>
      <p>{children}</p>
      {buttons}
    </div>
  );
}

const NOT_WRITTEN = {
  step: {
    what: "Your last step was not done, for it could not be kept.",
    cure: "All steps before it are safe. Make room or give mapkit the right to write there, then do it again.",
  },
  save: {
    what: "The files were not saved.",
    cure: "All your steps are kept. Save again when that is mended.",
  },
} as const;
const first = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What must be said of a board; `children` stand below. */
export function Banners({ steps, children }: { steps: Steps; children?: ComponentChildren }) {
  const { connection, onDisk, unkept, writable, notices } = steps;
  const cutLong = useMemo(() => whileCut(connection), [connection]);
  useEffect(() => {
    const stop = new AbortController();
    addEventListener("beforeunload", (event) => connection.pending.peek() > 0 && event.preventDefault(), { signal: stop.signal });
    return () => stop.abort();
  }, [connection]);
  const n = connection.pending.value;
  return (
    <div class="banners" role="region" aria-label="Notices">
      {connection.line.value === "locked out" && (
        <Banner level="error">
          <b>The editor does not know this page.</b> Its address was used before, or another editor runs here now. Start the editor again as you did before, and go on in the page that it opens;{" "}
          {n > 0 ? `${n} of your last steps did not reach it` : "all your steps are kept"}.
        </Banner>
      )}
      {cutLong.value && connection.line.value === "cut" && (
        <Banner level="error">
          <b>No connection to the editor.</b>{" "}
          {n > 0 ? `${counted(n, "A step waits", "steps wait")} here and will be sent; keep this page open. ` : "What you did is kept. "}
          Is it still running? If it was ended, start it again.
        </Banner>
      )}
      {silent.value && connection.line.value === "open" && (
        <Banner level="error">
          <b>The editor does not answer.</b> {n > 0 ? `${counted(n, "A step waits", "steps wait")} for it; keep this page open. ` : "All steps that it has done are kept. "}
          Look whether it was stopped (Ctrl+Z in its terminal; fg goes on), or whether the computer is busy.
        </Banner>
      )}
      {unkept.value !== null && (
        <Banner
          level="error"
          buttons={
            <Button onClick={() => (unkept.value = null)} aria-label={`Dismiss: ${NOT_WRITTEN[unkept.value.what].what}`}>
              Dismiss
            </Button>
          }
        >
          <b>{NOT_WRITTEN[unkept.value.what].what}</b> {ended(first(unkept.value.why))} {NOT_WRITTEN[unkept.value.what].cure}
        </Banner>
      )}
      {!writable.value && !knowsNotWritable.value && (
        <Banner
          level="warning"
          buttons={
            <Button onClick={() => (knowsNotWritable.value = true)} aria-label="Dismiss: the folder is read-only">
              Dismiss
            </Button>
          }
        >
          <b>The folder of this board is read-only.</b> You can look at everything, but no step can be kept. Give yourself the right to write there, or begin a new board as a
          copy of this one.
        </Banner>
      )}
      {onDisk.value !== null && (
        <Banner
          level="warning"
          buttons={
            <Button kind="primary" onClick={() => void steps.settleDisk()}>
              Choose …
            </Button>
          }
        >
          <b>Files of this board were changed by another program</b> in rows that you have changed too: {onDisk.value.files.join(", ")}. Saving waits until you have chosen.
        </Banner>
      )}
      {notices.value
        .filter((text) => !dismissed.value.includes(text))
        .map((text) => (
          <Banner
            key={text}
            level="info"
            buttons={
              <Button onClick={() => dismiss(text)} aria-label={`Dismiss: ${text}`}>
                OK
              </Button>
            }
          >
            {ended(first(text))}
          </Banner>
        ))}
      {children}
    </div>
  );
}
