// What the author has set on pages, such as light or dark. The browser keeps it per port, so that nothing flashes when the
// page opens; the program keeps it too, for its port is another after a restart.
import { askJson, askServer } from "./entry";
import { replyOf } from "./json";
import { slug } from "./names";
import type { Bodies } from "./wire";

/** Milliseconds that a change waits for the next, as while a width is dragged. */
const REST = 300;
const PREFIX = "mapkit-";
/** As `Name` of mapkit/editor/server/settings.py has it. */
const LONGEST = 61;

const heard = new Map<string, (value: string) => void>();
const waiting = new Map<string, string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asked = false;

/** What the program has, once it has said so. */
let known: Readonly<Record<string, string>> = {};

/** A setting as it was kept; `take` is called with what the program kept, where that is something else. */
export function keptSetting(name: string, take: (value: string) => void): string | null {
  heard.set(name, take);
  const value = known[name];
  if (value !== undefined && !waiting.has(name)) localStorage.setItem(PREFIX + name, value);
  return localStorage.getItem(PREFIX + name);
}

/** The name of a setting that each board has for itself. */
export const ofBoard = (name: string, board: string): string => `${name}-${slug(board)}`.slice(0, LONGEST);

/** Keep a setting. */
export function keepSetting(name: string, value: string): void {
  if (localStorage.getItem(PREFIX + name) === value) return;
  localStorage.setItem(PREFIX + name, value);
  known = { ...known, [name]: value };
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
    known = { ...kept, ...Object.fromEntries(waiting) };
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
