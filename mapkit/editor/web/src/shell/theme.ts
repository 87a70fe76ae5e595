import { effect, signal } from "@preact/signals";
import { board } from "../board";

export type Theme = "auto" | "light" | "dark";
const KEY = "mapkit-theme";

const kept = localStorage.getItem(KEY);
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "auto");

export function nextTheme(): void {
  const dark = theme.value === "dark" || (theme.value === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  theme.value = dark ? "light" : "dark";
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset["theme"] = theme.value;
    localStorage.setItem(KEY, theme.value);
    board.restyle();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.restyle());
}
