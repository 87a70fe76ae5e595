import type { ComponentType } from "preact";

export interface Panel {
  id: string;
  /** The word on its tab. */
  title: string;
  /** Opens the panel from anywhere, such as "Alt+1". */
  keys?: readonly string[];
  /** A small figure on the tab; read signals in it. */
  badge?: () => string | number | null;
  component: ComponentType;
}
