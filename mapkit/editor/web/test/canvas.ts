// A canvas without a page, in place of src/board: one millimetre is one pixel, and nothing is drawn.
import type { BoardView, Sketch } from "../src/board/BoardView";

/** What tools have drawn, by name. */
export const sketches = new Map<string, readonly Sketch[]>();

export const board = {
  resolution: 1,
  hit: () => null,
  sketch: (name: string, shapes: readonly Sketch[]) => void sketches.set(name, shapes),
  focus: () => undefined,
  setGround: () => undefined,
  setPicture: () => undefined,
  setLayer: () => undefined,
  removePicture: () => undefined,
} as Partial<BoardView> as BoardView;
