import { signal } from "@preact/signals";
import { Button } from "./Button";

type Level = "info" | "warning" | "error";
interface Said {
  key: number;
  text: string;
  level: Level;
  action?: { label: string; run: () => void };
  /** What it is about; a newer one about the same stands in its place. */
  about: string;
}

const said = signal<readonly Said[]>([]);
const STAY: Record<Level, number> = { info: 5000, warning: 9000, error: 15000 };
let count = 0;

function drop(key: number): void {
  said.value = said.value.filter((toast) => toast.key !== key);
}

/**
 * Say something at the foot of the page; it is read aloud too. The same text is not said twice at once, and of what is
 * `about` the same only the newest stays.
 */
export function toast(text: string, level: Level = "info", action?: { label: string; run: () => void }, about = text): void {
  count += 1;
  const key = count;
  const others = said.value.filter((other) => other.text !== text && other.about !== about).slice(-3);
  said.value = [...others, { key, text, level, about, ...(action ? { action } : {}) }];
  setTimeout(() => drop(key), STAY[level]);
}

function List({ level, all }: { level: "status" | "alert"; all: readonly Said[] }) {
  return (
    <div role={level} aria-live={level === "alert" ? "assertive" : "polite"}>
      {all.map(({ key, text, level: of, action }) => (
        <div class={`toast ${of}`} key={key}>
          <span>{text}</span>
          {action && (
            <Button
              onClick={() => {
                drop(key);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" aria-label="Dismiss" onClick={() => drop(key)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  );
}

export function Toasts() {
  return (
    <div class="toasts">
      <List level="status" all={said.value.filter((toast) => toast.level !== "error")} />
      <List level="alert" all={said.value.filter((toast) => toast.level === "error")} />
    </div>
  );
}
