// The tools of the canvas, in the order of the toolbar. A new one: a module with a Tool, and a line here.
import { signal } from "@preact/signals";
import { register } from "../actions";
import { board } from "../board";
import type { Tool } from "../board/BoardView";
import { chartTool } from "./chart";
import { cityTool } from "./cities";
import { controlTool } from "./control";
import { dotTool } from "./dots";
import { freehand } from "./freehand";
import { hand } from "./hand";
import { lasso } from "./lasso";
import { line } from "./line";
import { milepostTool } from "./mileposts";
import { paintRegion } from "./paintRegion";
import { parallel } from "./parallel";
import { pick } from "./pick";
import { reshape } from "./reshape";
import { respace } from "./respace";

/** Tools that belong together: looking and selecting, track, what stands on it, what lies around. */
export const toolGroups: readonly (readonly Tool[])[] = [
  [pick, lasso, hand],
  [line, freehand, parallel, reshape],
  [milepostTool, respace, cityTool, paintRegion],
  [controlTool, dotTool, chartTool],
];
export const tools: readonly Tool[] = toolGroups.flat();

export const currentTool = signal<Tool>(pick);

export function chooseTool(tool: Tool): void {
  currentTool.value = tool;
  board.setTool(tool);
}

register(
  ...tools.map((tool) => ({
    id: `tool-${tool.id}`,
    label: tool.label,
    group: "Tools",
    ...(tool.key ? { keys: [tool.key] } : {}),
    run: () => {
      chooseTool(tool);
      board.focus();
    },
  })),
);
