import type { ComponentType } from "preact";

export interface Panel {
  id: string;
  /** The word for it in the palette, and on its tab where a work space has several. */
  title: string;
  /** A word for its tab that differs from that of the work space. */
  tab?: string;
  /** Opens the panel from anywhere, such as "Alt+1". */
  keys?: readonly string[];
  /** A small figure on the tab; read signals in it. */
  badge?: () => string | number | null;
  component: ComponentType;
}
