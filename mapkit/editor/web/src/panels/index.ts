// The tabs of the side pane, in this order. A new panel: a module with a Panel, and a line here.
import { backgroundPanel } from "./background";
import { historyPanel } from "./history";
import { selectionPanel } from "./selection";
import { layersPanel } from "./layers";
import type { Panel } from "./panel";

export type { Panel } from "./panel";

export const panels: readonly Panel[] = [selectionPanel, backgroundPanel, layersPanel, historyPanel];
