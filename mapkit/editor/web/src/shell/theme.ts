import { computed, effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
const KEY = "mapkit-theme";

const kept = localStorage.getItem(KEY);
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "auto");

const system = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system.matches);
const shown = computed(() => (theme.value === "auto" ? (systemDark.value ? "dark" : "light") : theme.value));
export const isDark = computed(() => shown.value === "dark");

export function nextTheme(): void {
  theme.value = shown.value === "dark" ? "light" : "dark";
}

/** Show the theme from now on; `restyle` is called when it changes. */
export function followTheme(restyle: () => void = () => undefined): void {
  effect(() => localStorage.setItem(KEY, theme.value));
  effect(() => {
    document.documentElement.dataset["theme"] = shown.value;
    restyle();
  });
  system.addEventListener("change", () => (systemDark.value = system.matches));
}
