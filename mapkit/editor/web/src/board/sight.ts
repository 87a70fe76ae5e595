// What the canvas shows, for what stands around it: where the pointer is, how large a pixel is, what was asked for a menu.
import { signal } from "@preact/signals";
import type { Point } from "../wire";

/** The place of the true map under the pointer, in millimetres of the page; null beside the canvas. */
export const pointed = signal<Point | null>(null);
/** Millimetres of the page per pixel, and the place in the middle; new when the view has come to rest. */
export const seen = signal<{ resolution: number; middle: Point } | null>(null);
/** Where in the window a menu was asked for. */
export const menuAt = signal<{ x: number; y: number } | null>(null);
