// The board as it is drawn, on the canvas: asked for part by part, again after each step, in the theme of choice, as the
// true map or as the printed page. While one answer is awaited only the newest wish is kept, so nothing queues up behind
// a drawing.
import { computed, effect, signal } from "@preact/signals";
import { register } from "./actions";
import { board } from "./board";
import { Warp } from "./board/warp";
import { query } from "./edit";
import { errorText } from "./errors";
import { mileposts, page, ready, revision } from "./store";
import { toast } from "./ui/Toast";
import { addToMenu } from "./shell/menus";
import { isDark } from "./shell/theme";
import type { WantedPart } from "./generated";
import { keepSetting, keptSetting } from "./settings";

/** "page" follows the page: the board's own theme in the light, the dark one in the dark. */
export type DrawnTheme = NonNullable<WantedPart["theme"]> | "page";
export const THEMES: readonly { value: DrawnTheme; label: string }[] = [
  { value: "page", label: "As the page: its own, or Dark" },
  { value: "board", label: "Its own, as it is printed" },
  { value: "classic", label: "Classic" },
  { value: "atlas", label: "Atlas" },
  { value: "dark", label: "Dark" },
  { value: "print", label: "Print (one ink)" },
  { value: "engraved", label: "Engraved (1880s)" },
  { value: "poster", label: "Poster (1930s)" },
  { value: "school", label: "School atlas" },
  { value: "night", label: "Night" },
];
const KEY = "drawn-theme";
const themeOf = (kept: string | null): DrawnTheme => THEMES.find(({ value }) => value === kept)?.value ?? "page";

export const drawnTheme = signal<DrawnTheme>(themeOf(keptSetting(KEY, (kept) => (drawnTheme.value = themeOf(kept)))));
const theme = computed(() => (drawnTheme.value === "page" ? (isDark.value ? "dark" : "board") : drawnTheme.value));

/** The warp of the printed page that the canvas shows; null while it shows the true map. */
export const printed = signal<{ digest: string; warp: Warp; at: number } | null>(null);
export const layingOut = signal(false);
/** A place moves noticeably, in millimetres. */
const MOVED_MM = 0.1;

/** Lay the printed page out for the board as it is now, and show it; says what has moved if it was shown before. */
export async function layOutPage(): Promise<void> {
  if (layingOut.value) return;
  layingOut.value = true;
  const was = printed.value;
  try {
    const { digest, steps, revision: at } = await query("page-warp", {});
    const warp = new Warp(steps);
    board.setWarp(warp);
    printed.value = { digest, warp, at };
    if (was) showMoved(was.warp, warp);
  } catch (error) {
    toast(errorText(error), "error");
  } finally {
    layingOut.value = false;
  }
}

export function showTrueMap(): void {
  if (!printed.value) return;
  board.sketch("moved", []);
  board.setWarp(new Warp());
  printed.value = null;
}

/** Say which mileposts another layout moves, and draw from where to where. */
function showMoved(was: Warp, now: Warp): void {
  const moved = Object.values(mileposts.value)
    .map(({ name, x, y }) => {
      const [old, fresh] = [was.to([x, y]), now.to([x, y])];
      return { name, old, fresh, far: Math.hypot(fresh[0] - old[0], fresh[1] - old[1]) };
    })
    .filter(({ far }) => far >= MOVED_MM)
    .sort((a, b) => b.far - a.far);
  const [most] = moved;
  if (!most) return void toast("The printed page stays as it was.");
  // sketches are in places of the true map
  board.sketch("moved", moved.map(({ old, fresh }) => ({ kind: "line", path: [now.from(old), now.from(fresh)], width: 3 })));
  const count = moved.length === 1 ? "One milepost has moved" : `${moved.length} mileposts have moved`;
  toast(`${count} on the printed page, ${most.name} most, by ${most.far.toFixed(1)} mm.`);
}

effect(() => {
  if (printed.value && revision.value !== printed.value.at) board.sketch("moved", []);
});

register(
  { id: "true-map", label: "Show the true map", group: "View", enabled: () => printed.value !== null, run: showTrueMap },
  { id: "printed-page", label: "Show the printed page", group: "View", enabled: () => printed.value === null, run: () => void layOutPage() },
  { id: "lay-out-page", label: "Lay the printed page out again", group: "View", enabled: () => printed.value !== null, run: () => void layOutPage() },
);

const PRINT_SIZE = "print-size";
export const printSize = signal(false);
function showPrintSize(kept: string | null): void {
  printSize.value = kept === "on";
  board.setPrintSize(printSize.value);
}
showPrintSize(keptSetting(PRINT_SIZE, showPrintSize));

/** Show symbols as large as in print, or in a size that suits the screen, also the next time. */
export function drawAtPrintSize(on: boolean): void {
  keepSetting(PRINT_SIZE, on ? "on" : "off");
  showPrintSize(on ? "on" : "off");
}

register({
  id: "print-size",
  get label() {
    return printSize.value ? "Show symbols in a size for the screen" : "Show symbols at print size";
  },
  group: "View",
  run: () => drawAtPrintSize(!printSize.value),
});
addToMenu("View", PRINT_SIZE);

/** Milliseconds that a drawing waits after a step for the next one. */
const REST = 80;

export function drawIn(choice: DrawnTheme): void {
  drawnTheme.value = choice;
  keepSetting(KEY, choice);
}

for (const part of ["track", "ground"] as const) {
  let busy = false;
  let timer = 0;
  let digest = "";
  let of = "";
  const place = (): string => `${JSON.stringify(page.value)} ${printed.value?.digest ?? ""}`;

  const ask = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    const [wish, where] = [`${revision.value} ${theme.value}`, place()];
    if (of !== where) digest = "";
    try {
      const drawn = await query("drawing", { part, theme: theme.value, known: digest, warp: printed.value?.digest ?? "" });
      if (place() === where) {
        board.setDrawing(part, drawn);
        digest = drawn.digest;
        of = where;
      }
    } catch (error) {
      // the board is shown in its light version; the next step asks again
      if (printed.value && part === "track" && place() === where) {
        toast(errorText(error), "error");
        showTrueMap();
      }
    } finally {
      busy = false;
    }
    if (wish !== `${revision.value} ${theme.value}` || place() !== where) plan();
  };
  const plan = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), digest ? REST : 0);
  };

  effect(() => {
    void revision.value;
    void theme.value;
    void page.value;
    void printed.value;
    if (ready.value) plan();
  });
}
