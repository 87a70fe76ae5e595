// The tabs of the side pane, in this order. A new panel: a module with a Panel, and a place in a row here.
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
import { playtestPanel } from "./playtest";
import { rulesPanel } from "./rules";
import { variantsPanel } from "./variants";
import { payoffsPanel } from "./payoffs";
import { railroadsPanel } from "./railroads";
import { selectionPanel } from "./selection";
import { layersPanel } from "./layers";
import type { Panel } from "./panel";

export type { Panel } from "./panel";

/** Rows of tabs: what stands on the map, what the game is and its versions, how it is judged and kept. */
export const panelRows: readonly (readonly Panel[])[] = [
  [selectionPanel, railroadsPanel, citiesPanel, backgroundPanel, layersPanel],
  [boardPanel, destinationsPanel, payoffsPanel, rulesPanel, variantsPanel, comparePanel],
  [checksPanel, balancePanel, playtestPanel, changesPanel, historyPanel, helpPanel],
];
export const panels: readonly Panel[] = panelRows.flat();
