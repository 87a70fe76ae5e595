// What the start page wishes for the board that it makes: that the dialog of drafts opens on it.
const KEY = "mapkit-draft";

export const wishDraft = (): void => sessionStorage.setItem(KEY, "1");

/** Whether there is such a wish; it is gone then. */
export function takeWish(): boolean {
  const there = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return there;
}
