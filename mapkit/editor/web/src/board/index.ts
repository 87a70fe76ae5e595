import type { BoardView } from "./BoardView";
import { OpenLayersBoard } from "./openlayers/OpenLayersBoard";

export type { At, BoardView, Box, Ground, Layer, Picture, Sketch, Tool } from "./BoardView";

/** The canvas of this page. */
export const board: BoardView = new OpenLayersBoard();
