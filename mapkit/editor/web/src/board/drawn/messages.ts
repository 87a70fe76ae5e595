// What the page and its painter say to each other.
import type { PartLayer } from "../../generated";
import type { Point } from "../../wire";
import type { Look } from "../looks";
import type { Named } from "./names";

/** The layers of a painted tile, from the bottom up. */
export const PAINTED = ["ground", "lines", "symbols", "names"] as const;
export type LayerName = (typeof PAINTED)[number];

/** Names of places, and how they and symbols look. */
export interface NamesToShow {
  readonly names: readonly Named[];
  readonly page: readonly [number, number];
  readonly look: Look;
  readonly ink: string;
  readonly halo: string;
}

/** What has changed since the drawing was made and is not painted: drawn lines, and middles of symbols. */
export interface Outdated {
  readonly lines: readonly (readonly Point[])[];
  readonly spots: readonly Point[];
}

/** A square of the page: `level` is in device pixels to a millimetre, column and row count from the page's corner. */
export interface TileWanted {
  readonly ticket: number;
  readonly layers: readonly { readonly name: LayerName; readonly opacity: number }[];
  readonly level: number;
  readonly column: number;
  readonly row: number;
  /** Device pixels to a pixel. */
  readonly ratio: number;
}

export type ToPainter =
  | { kind: "layer"; name: LayerName; layer: PartLayer | null }
  | { kind: "names"; names: NamesToShow }
  | { kind: "outdated"; outdated: Outdated }
  | { kind: "tile"; tile: TileWanted };

/** A tile; null where there is nothing on it. */
export interface FromPainter {
  readonly ticket: number;
  readonly picture: ImageBitmap | null;
}

/** The side of a tile in device pixels. */
export const SIDE = 512;
