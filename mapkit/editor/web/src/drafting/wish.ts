// What the start page wishes for the board that it makes: what opens on it first.
const KEY = "mapkit-wish";

export type Wish = "where" | "draft" | "picture";

let picture: File | null = null;

/** Wish for something; a picture may be one that is there already. */
export function wish(what: Wish, file: File | null = null): void {
  sessionStorage.setItem(KEY, what);
  picture = file;
}

/** The picture that is wished for; it is gone then. */
export function takePicture(): File | null {
  const file = picture;
  picture = null;
  return file;
}

/** What is wished for; it is gone then. */
export function takeWish(): string | null {
  const what = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return what;
}
