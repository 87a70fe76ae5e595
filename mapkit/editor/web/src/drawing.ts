// The board as it is drawn, on the canvas: asked for part by part, again after each step, in the theme of choice. While
// one answer is awaited only the newest wish is kept, so nothing queues up behind a drawing.
import { computed, effect, signal } from "@preact/signals";
import { board } from "./board";
import { query } from "./edit";
import { page, ready, revision } from "./store";
import { isDark } from "./shell/theme";
import type { WantedPart } from "./generated";

/** "page" follows the page: the board's own theme in the light, the dark one in the dark. */
export type DrawnTheme = NonNullable<WantedPart["theme"]> | "page";
export const THEMES: readonly { value: DrawnTheme; label: string }[] = [
  { value: "page", label: "As the page: its own, or Dark" },
  { value: "board", label: "Its own, as it is printed" },
  { value: "classic", label: "Classic" },
  { value: "atlas", label: "Atlas" },
  { value: "dark", label: "Dark" },
  { value: "print", label: "Print (one ink)" },
];
const KEY = "mapkit-drawn-theme";
const kept = localStorage.getItem(KEY);

export const drawnTheme = signal<DrawnTheme>(THEMES.find(({ value }) => value === kept)?.value ?? "page");
const theme = computed(() => (drawnTheme.value === "page" ? (isDark.value ? "dark" : "board") : drawnTheme.value));
/** Milliseconds that a drawing waits after a step for the next one. */
const REST = 80;

export function drawIn(choice: DrawnTheme): void {
  drawnTheme.value = choice;
  localStorage.setItem(KEY, choice);
}

for (const part of ["track", "ground"] as const) {
  let busy = false;
  let timer = 0;
  let digest = "";
  let of: unknown = null;

  const ask = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    const [wish, whole] = [`${revision.value} ${theme.value}`, page.value];
    if (of !== whole) digest = "";
    try {
      const drawn = await query("drawing", { part, theme: theme.value, known: digest });
      if (page.value === whole) {
        board.setDrawing(part, drawn);
        digest = drawn.digest;
        of = whole;
      }
    } catch {
      // the board is shown in its light version; the next step asks again
    } finally {
      busy = false;
    }
    if (wish !== `${revision.value} ${theme.value}`) plan();
  };
  const plan = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), digest ? REST : 0);
  };

  effect(() => {
    void revision.value;
    void theme.value;
    void page.value;
    if (ready.value) plan();
  });
}
