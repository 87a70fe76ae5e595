// What the start page wishes for the board that it makes: what opens on it first.
const KEY = "mapkit-wish";

export type Wish = "where" | "draft" | "picture";

export const wish = (what: Wish): void => sessionStorage.setItem(KEY, what);

/** What is wished for; it is gone then. */
export function takeWish(): string | null {
  const what = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return what;
}
