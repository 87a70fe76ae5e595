// Notices that the author has read, kept by the program for each board while the server still gives them.
import { signal } from "@preact/signals";
import { textsOf } from "./json";
import { keepSetting, keptSetting, ofBoard } from "./settings";

export const dismissed = signal<readonly string[]>([]);
let key = "";

function take(kept: string | null): void {
  dismissed.value = textsOf(kept);
}

/** The server has greeted: what it does not say any more is forgotten, so that it is shown if it is said again. */
export function noticesOf(board: string, notices: readonly string[]): void {
  key = ofBoard("notices", board);
  const still = (kept: string | null): void => {
    take(kept);
    const left = dismissed.value.filter((text) => notices.includes(text));
    if (left.length < dismissed.value.length) put(left);
  };
  still(keptSetting(key, still));
}

function put(texts: readonly string[]): void {
  dismissed.value = texts;
  if (key) keepSetting(key, JSON.stringify(texts));
}

export const dismiss = (text: string): void => put([...dismissed.value, text]);
