// How much room the window has; at 200 % zoom a laptop's has little.
import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 760px), (max-height: 480px)");

/** Whether the window is too small for all to stand beside each other; editor.css asks the same. */
export const cramped = signal(query.matches);
query.addEventListener("change", () => (cramped.value = query.matches));

const narrow = matchMedia("(max-width: 600px) and (min-height: 481px)");

/** Whether the window is that of a phone: the board fills it, and panels come from below; editor.css asks the same. */
export const onPhone = signal(narrow.matches);
narrow.addEventListener("change", () => (onPhone.value = narrow.matches));
