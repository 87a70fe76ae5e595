// The work spaces of railroad boards, in the order of their bar. A new panel: a module with a Panel, and a place here.
import type { WorkSpace } from "../shell/spaces";
import { backgroundPanel } from "./background";
import { balancePanel } from "./balance";
import { boardPanel } from "./boardSettings";
import { changesPanel } from "./changes";
import { checksPanel } from "./checks";
import { citiesPanel } from "./cities";
import { comparePanel } from "./compare";
import { destinationsPanel } from "./destinations";
import { helpPanel } from "./help";
import { historyPanel } from "./history";
import { layersPanel } from "./layers";
import type { Panel } from "./panel";
import { payoffsPanel } from "./payoffs";
import { playtestPanel } from "./playtest";
import { printPanel } from "./print";
import { railroadsPanel } from "./railroads";
import { rulesPanel } from "./rules";
import { variantsPanel } from "./variants";

export type { Panel } from "./panel";

export const workSpaces: readonly WorkSpace[] = [
  { id: "map", title: "Map", panels: [layersPanel, backgroundPanel, boardPanel] },
  { id: "cities", title: "Cities and regions", panels: [citiesPanel] },
  { id: "railroads", title: "Railroads", panels: [railroadsPanel, balancePanel] },
  { id: "destinations", title: "Destinations", panels: [destinationsPanel] },
  { id: "payoffs", title: "Payoffs", panels: [payoffsPanel] },
  { id: "rules", title: "Rules", panels: [rulesPanel] },
  { id: "variants", title: "Variants", panels: [variantsPanel, comparePanel, changesPanel, historyPanel] },
  { id: "checks", title: "Checks", panels: [checksPanel] },
  { id: "print", title: "Print", panels: [printPanel] },
  { id: "playtest", title: "Play-test", panels: [playtestPanel] },
  { id: "help", title: "Help", panels: [helpPanel], apart: true },
];
export const panels: readonly Panel[] = workSpaces.flatMap((space) => space.panels);
