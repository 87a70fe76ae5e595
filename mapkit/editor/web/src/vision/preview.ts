// Colours and patterns that are only tried: the canvas draws them, the board does not have them.
import { signal } from "@preact/signals";
import type { RailroadRow } from "../wire";

export interface Look {
  readonly colour: string;
  readonly pattern: RailroadRow["pattern"];
}

export const triedLooks = signal<Readonly<Record<string, Look>>>({});
