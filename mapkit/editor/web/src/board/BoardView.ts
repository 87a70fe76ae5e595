// The canvas as the rest of the page knows it. Everything is in page millimetres of the true map, y down, also while the
// canvas shows the printed page, which moves what is crowded: it takes places there and back by itself. Nothing here names
// the library that draws. Tools and panels use this interface only.
import type { ComponentType } from "preact";
import type { Item, ItemKind } from "../selection";
import type { DrawnPart } from "../generated";
import type { Warp } from "./warp";
import type { Point, ViewDelta } from "../wire";

/** A place under the pointer, or under the cross that arrow keys move. */
export interface At {
  readonly x: number;
  readonly y: number;
  /** What lies there, mileposts before lines. */
  readonly item: Item | null;
  readonly shift: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** Whether it came from the keyboard. */
  readonly keyboard: boolean;
}

/** Something drawn over the board while a tool is at work. `colour` is any CSS colour; widths are in pixels. */
export type Sketch =
  | { kind: "line"; path: readonly Point[]; colour?: string; width?: number; dashed?: boolean }
  /** `fill` is a colour in six digits, which the ground shows through. */
  | { kind: "area"; path: readonly Point[]; colour?: string; fill?: string }
  | { kind: "dot"; at: Point; colour?: string; radius?: number }
  | { kind: "ring"; at: Point; colour?: string; radius?: number }
  | { kind: "square"; at: Point; colour?: string; radius?: number }
  /** A square that the ground shows through. */
  | { kind: "frame"; at: Point; colour?: string; radius?: number }
  | { kind: "cross"; at: Point; colour?: string; radius?: number }
  /** Its radius is in millimetres. */
  | { kind: "circle"; at: Point; colour?: string; radius: number }
  | { kind: "text"; at: Point; text: string; colour?: string };

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A way of working on the canvas. `down`, `move`, `up` come in this order; a click is a `down` and `up` in place. */
export interface Tool {
  readonly id: string;
  readonly label: string;
  /** What the status line says while the tool is chosen. */
  readonly hint: string;
  /** Its letter. */
  readonly key?: string;
  readonly cursor?: string;
  /** Dragging moves the page. */
  readonly pans?: boolean;
  down?(at: At, board: BoardView): void;
  /** Also without a button; `pressed` says which. */
  move?(at: At, board: BoardView, pressed: boolean): void;
  up?(at: At, board: BoardView): void;
  double?(at: At, board: BoardView): void;
  /** A key while the canvas has the focus; return true if it was used. Escape comes here first. */
  onKey?(event: KeyboardEvent, board: BoardView): boolean;
  /** What can be set for the tool, shown over the canvas while it is chosen. */
  readonly card?: ComponentType;
  /** One word for the toolbar; `label` begins with it. */
  readonly short?: string;
  /** The tool was put away, or a gesture was broken off: forget what was begun. */
  cancel?(board: BoardView): void;
}

export interface Layer {
  id: string;
  label: string;
  visible: boolean;
  /** 0 to 1. */
  opacity: number;
}

/** A picture under or over the track, in its own pixels. */
export interface Picture {
  id: string;
  label: string;
  width: number;
  height: number;
  /** The side of a square tile, and how often the picture is halved; one tile holds it all if it is small. */
  tile: number;
  levels: number;
  /** The address of a tile; level 0 is full size. */
  url: (level: number, column: number, row: number) => string;
  /** Where a pixel lies on the page. */
  warp: (x: number, y: number) => Point;
  /** Whether `warp` takes straight lines to straight lines and parallels to parallels. */
  affine: boolean;
  opacity: number;
}

/** Shapes under the track. Colours may be custom properties such as "--board-ink". */
export type Ground =
  | { kind: "line"; path: readonly Point[]; colour: string; width: number; dashed?: boolean }
  | { kind: "dot"; at: Point; colour: string; radius: number };

/** A part of the board as Python draws it, with the revision that it is of. */
export type Drawn = DrawnPart & { readonly revision: number };

export interface BoardView {
  mount(element: HTMLElement): void;
  dispose(): void;
  /** Draw what changed of the store's view; `null` for all of it. */
  show(delta: ViewDelta | null): void;
  /** Colours, or light and dark, have changed. */
  restyle(): void;
  /** The selection or what is hovered has changed. */
  light(): void;

  readonly tool: Tool | null;
  setTool(tool: Tool): void;

  /** Millimetres per pixel. */
  readonly resolution: number;
  hit(x: number, y: number, kinds?: readonly ItemKind[], pixels?: number): Item | null;
  /** What lies in a polygon; lines count when a point of them does. */
  within(path: readonly Point[], kinds: readonly ItemKind[]): Item[];
  /** Draw shapes under a name of the tool's own; an empty list takes them away. */
  sketch(name: string, shapes: readonly Sketch[]): void;

  fit(): void;
  zoom(factor: number): void;
  /** Move by parts of the window. */
  pan(dx: number, dy: number): void;
  flyTo(target: readonly Item[] | Box): void;
  focus(): void;
  /** Where on the screen a point of the page is, in pixels of the window. */
  toScreen(at: Point): { x: number; y: number };

  layers(): readonly Layer[];
  /** Show symbols as large as in print, not in a size that suits the screen; the printed page always has them so. */
  setPrintSize(on: boolean): void;
  setLayer(id: string, change: Partial<Pick<Layer, "visible" | "opacity">>): void;
  /** Show places where the printed page has them, or, with a warp that moves nothing, those of the true map. */
  setWarp(warp: Warp): void;
  /** The place of the true map that is shown at a place of the canvas. */
  truePlace(shown: Point): Point;
  /** Where the canvas shows a place of the true map. */
  shownPlace(place: Point): Point;
  /** Take over a part of the board as it is drawn; what has changed since then is drawn over it, lightly. */
  setDrawing(part: "ground" | "track", drawn: Drawn): void;
  /** Show shapes as a layer over the pictures; `null` takes it away. */
  setGround(id: string, label: string, shapes: readonly Ground[] | null): void;
  setPicture(picture: Picture): void;
  removePicture(id: string): void;
}
