// Everything that can be done by a key, a button or the palette is an action, registered once under an id.
import { signal } from "@preact/signals";

export interface Action {
  id: string;
  /** What it does, as a menu would say it. */
  label: string;
  /** The heading in the sheet of shortcuts: "Edit", "View", "Tools" ... */
  group: string;
  /** Keys such as "Ctrl+Z", "V", "?", "Shift+F"; Ctrl is Command on a Mac. */
  keys?: readonly string[];
  enabled?: () => boolean;
  /** What has to be done first where it is not enabled, as words of the palette: "choose a line first". */
  needs?: string | (() => string);
  run: () => void;
}

export const actions = signal<ReadonlyMap<string, Action>>(new Map());

/** Add actions; a key that another action has is a mistake and throws. Returns how to take them away again. */
export function register(...added: readonly Action[]): () => void {
  const next = new Map(actions.value);
  for (const action of added) {
    for (const key of action.keys ?? []) {
      const other = [...next.values()].find((a) => a.id !== action.id && (a.keys ?? []).some((k) => same(k, key)));
      if (other) throw new Error(`${key} is the key of ${other.id} already; give ${action.id} another`);
    }
    next.set(action.id, action);
  }
  actions.value = next;
  return () => {
    const left = new Map(actions.value);
    for (const action of added) left.delete(action.id);
    actions.value = left;
  };
}

/** Why an action cannot be done now; null if it can. */
export function whyNot(action: Action): string | null {
  if (action.enabled?.() ?? true) return null;
  return (typeof action.needs === "function" ? action.needs() : action.needs) ?? "not possible now";
}

export function perform(id: string): void {
  const action = actions.value.get(id);
  if (action && (action.enabled?.() ?? true)) action.run();
}

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/ArrowLeft$/, "←"],
  [/ArrowRight$/, "→"],
  [/ArrowUp$/, "↑"],
  [/ArrowDown$/, "↓"],
  [/Page(Up|Down)$/, "Page $1"],
];

/** How a key is written on this machine. */
export function keyText(key: string): string {
  const text = WORDS.reduce((old, [name, word]) => old.replace(name, word), key);
  return MAC ? text.replace("Ctrl+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥") : text;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The name of a pressed key in the form that actions use. */
export function keyName(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shifted = event.shiftKey && (event.key.length > 1 || /^[A-Z]$/.test(key));
  const held = [event.ctrlKey || event.metaKey ? "Ctrl" : "", event.altKey ? "Alt" : "", shifted ? "Shift" : ""];
  return [...held.filter(Boolean), key].join("+");
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "range", "button", "color"].includes(target.type);
}

const EVERYWHERE = new Set(["Ctrl+S", "Ctrl+K", "Ctrl+Enter", "F6", "Shift+F6", "F10"]);
/** Keys that type nothing, so that one may go to a panel out of a field; Alt types letters on a Mac. */
const silent = (name: string): boolean => EVERYWHERE.has(name) || (!MAC && /^Alt\+(Shift\+)?[A-Z]$/.test(name));

/** Listen for shortcuts on the whole page; fields keep the keys that they need themselves. */
export function listenForKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = keyName(event);
    if (typing(event.target) && !silent(name)) return;
    if (document.querySelector("dialog[open]") && name !== "Ctrl+S") return;
    for (const action of actions.value.values()) {
      if (!(action.keys ?? []).some((k) => same(k, name))) continue;
      // selected text is the browser's to copy
      if ((name === "Ctrl+C" || name === "Ctrl+V") && !((action.enabled?.() ?? true) && (getSelection()?.isCollapsed ?? true))) return;
      event.preventDefault();
      if (action.enabled?.() ?? true) action.run();
      return;
    }
  });
}
