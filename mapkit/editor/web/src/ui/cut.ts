// The full text of what is cut off in a table, when the pointer or the keyboard is on it.

const CELLS = "td, th, [role=gridcell], [role=columnheader]";
const given = new WeakSet<HTMLElement>();

const cutOff = (element: HTMLElement): boolean => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible";

/** What a cell says as a whole, if it does not show all of it. */
export function fullText(cell: HTMLElement): string | null {
  const select = cell.querySelector("select");
  if (select) return select.selectedOptions[0]?.text ?? null;
  const cut = [cell, ...cell.querySelectorAll<HTMLElement>("*")].some(cutOff);
  return cut ? cell.textContent.trim() || null : null;
}

function tell(event: Event): void {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>(CELLS) : null;
  if (!cell || (cell.title !== "" && !given.has(cell)) || cell.querySelector("[title]")) return;
  const text = fullText(cell);
  if (text === null) {
    if (given.has(cell)) cell.removeAttribute("title");
    return;
  }
  cell.title = text;
  given.add(cell);
}

/** Watch the whole page for cells whose text is cut off. */
export function tellCutCells(): void {
  document.addEventListener("pointerover", tell, { passive: true });
  document.addEventListener("focusin", tell);
}
