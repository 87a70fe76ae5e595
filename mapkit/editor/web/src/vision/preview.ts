// Colours and patterns that are only tried: the canvas draws them, the board does not have them.
import { signal } from "@preact/signals";

export interface Look {
  readonly colour: string;
  readonly pattern: string;
}

export const triedLooks = signal<Readonly<Record<string, Look>>>({});
