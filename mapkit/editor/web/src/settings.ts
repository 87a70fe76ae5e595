// What the author has set on pages, such as light or dark. The browser keeps it per port, so that nothing flashes when the
// page opens; the program keeps it too, for its port is another after a restart.
import { askJson, askServer } from "./entry";
import { replyOf } from "./json";
import type { Bodies } from "./wire";

/** Milliseconds that a change waits for the next, as while a width is dragged. */
const REST = 300;
const PREFIX = "mapkit-";

const heard = new Map<string, (value: string) => void>();
const waiting = new Map<string, string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asked = false;

/** A setting as it was kept; `take` is called with what the program kept, where that is something else. */
export function keptSetting(name: string, take: (value: string) => void): string | null {
  heard.set(name, take);
  return localStorage.getItem(PREFIX + name);
}

/** Keep a setting. */
export function keepSetting(name: string, value: string): void {
  if (localStorage.getItem(PREFIX + name) === value) return;
  localStorage.setItem(PREFIX + name, value);
  waiting.set(name, value);
  clearTimeout(timer);
  timer = setTimeout(() => void sendAll(), REST);
}

async function sendAll(): Promise<void> {
  const body: Bodies["POST /api/settings"] = { kept: Object.fromEntries(waiting) };
  waiting.clear();
  try {
    await replyOf("POST /api/settings", await askJson("/api/settings", body));
  } catch {
    // this browser has them
  }
}

/** Take over what the program has kept, once. */
export async function fetchSettings(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    const { kept } = await replyOf("GET /api/settings", await askServer("/api/settings"));
    for (const [name, take] of heard) {
      const value = kept[name];
      if (value === undefined || waiting.has(name) || value === localStorage.getItem(PREFIX + name)) continue;
      localStorage.setItem(PREFIX + name, value);
      take(value);
    }
  } catch {
    asked = false; // at the next greeting
  }
}
