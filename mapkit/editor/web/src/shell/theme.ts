import { computed, effect, signal } from "@preact/signals";
import { keepSetting, keptSetting } from "../settings";

export type Theme = "auto" | "light" | "dark";
const themeOf = (kept: string | null): Theme => (kept === "light" || kept === "dark" ? kept : "auto");

export const theme = signal<Theme>(themeOf(keptSetting("theme", (kept) => (theme.value = themeOf(kept)))));

const system = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system.matches);
const shown = computed(() => (theme.value === "auto" ? (systemDark.value ? "dark" : "light") : theme.value));
export const isDark = computed(() => shown.value === "dark");

export function nextTheme(): void {
  theme.value = shown.value === "dark" ? "light" : "dark";
  keepSetting("theme", theme.value);
}

/** Show the theme from now on; `restyle` is called when it changes. */
export function followTheme(restyle: () => void = () => undefined): void {
  effect(() => {
    document.documentElement.dataset["theme"] = shown.value;
    restyle();
  });
  system.addEventListener("change", () => (systemDark.value = system.matches));
}
