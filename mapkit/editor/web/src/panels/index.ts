// The tabs of the side pane, in this order. A new panel: a module with a Panel, and a line here.
import { backgroundPanel } from "./background";
import { citiesPanel } from "./cities";
import { destinationsPanel } from "./destinations";
import { historyPanel } from "./history";
import { payoffsPanel } from "./payoffs";
import { railroadsPanel } from "./railroads";
import { selectionPanel } from "./selection";
import { layersPanel } from "./layers";
import type { Panel } from "./panel";

export type { Panel } from "./panel";

export const panels: readonly Panel[] = [
  selectionPanel,
  railroadsPanel,
  citiesPanel,
  destinationsPanel,
  payoffsPanel,
  backgroundPanel,
  layersPanel,
  historyPanel,
];
