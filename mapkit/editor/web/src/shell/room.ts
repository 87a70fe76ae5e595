// How much room the window has; at 200 % zoom a laptop's has little.
import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 760px), (max-height: 480px)");

/** Whether the window is too small for all to stand beside each other; editor.css asks the same. */
export const cramped = signal(query.matches);
query.addEventListener("change", () => (cramped.value = query.matches));

const wide = matchMedia("(min-width: 1400px) and (min-height: 481px)");

/** Whether the inspector stands beside the work space, and not under it; editor.css asks the same. */
export const beside = signal(wide.matches);
wide.addEventListener("change", () => (beside.value = wide.matches));
