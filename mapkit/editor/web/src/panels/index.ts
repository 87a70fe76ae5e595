// The tabs of the side pane, in this order. A new panel: a module with a Panel, and a line here.
import { backgroundPanel } from "./background";
import { citiesPanel } from "./cities";
import { destinationsPanel } from "./destinations";
import { balancePanel } from "./balance";
import { changesPanel } from "./changes";
import { checksPanel } from "./checks";
import { helpPanel } from "./help";
import { historyPanel } from "./history";
import { boardPanel } from "./boardSettings";
import { comparePanel } from "./compare";
import { rulesPanel } from "./rules";
import { variantsPanel } from "./variants";
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
  checksPanel,
  balancePanel,
  changesPanel,
  boardPanel,
  rulesPanel,
  variantsPanel,
  comparePanel,
  backgroundPanel,
  layersPanel,
  historyPanel,
  helpPanel,
];
