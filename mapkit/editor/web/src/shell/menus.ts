import { signal } from "@preact/signals";

export interface MenuOf {
  label: string;
  /** Ids of actions. */
  actions: readonly string[];
}

/** The menus of the toolbar; parts add to them with `addToMenu`. */
export const menus = signal<readonly MenuOf[]>(["Draw", "View", "Print and export", "Help"].map((label) => ({ label, actions: [] })));

export function addToMenu(label: string, ...actions: string[]): void {
  const had = menus.value.find((menu) => menu.label === label);
  menus.value = had
    ? menus.value.map((menu) => (menu === had ? { label, actions: [...menu.actions, ...actions] } : menu))
    : [...menus.value, { label, actions }];
}
