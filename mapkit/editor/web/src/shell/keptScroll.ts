// Where each panel was scrolled to, itself and the tables in it, so that it comes back as it was left.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const SCROLLERS = ".table, .edit-table, .odds, .share";
const kept = new Map<string, Map<number, readonly [number, number]>>();

const scrollers = (box: Element): Element[] => [box, ...box.querySelectorAll(SCROLLERS)];

/** Keep the scroll positions of a panel under its name, and give them back as soon as there is that much to scroll. */
export function useKeptScroll(box: RefObject<HTMLElement | null>, name: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const places = kept.get(name) ?? new Map<number, readonly [number, number]>();
    kept.set(name, places);
    const wanted = new Map(places);
    const give = (): void => {
      for (const [n, [left, top]] of wanted) {
        const one = scrollers(element)[n];
        if (!one) continue;
        one.scrollLeft = left;
        one.scrollTop = top;
        if (Math.abs(one.scrollTop - top) < 1 && Math.abs(one.scrollLeft - left) < 1) wanted.delete(n);
      }
      if (wanted.size === 0) watch.disconnect();
    };
    const watch = new MutationObserver(give);
    const note = (event: Event): void => {
      const n = scrollers(element).indexOf(event.target as Element);
      if (n >= 0 && !wanted.has(n)) places.set(n, [(event.target as Element).scrollLeft, (event.target as Element).scrollTop]);
    };
    // who scrolls wants to be where he scrolls to
    const own = (): void => {
      wanted.clear();
      watch.disconnect();
    };
    watch.observe(element, { childList: true, subtree: true });
    element.addEventListener("scroll", note, { capture: true, passive: true });
    for (const kind of ["wheel", "pointerdown", "keydown"] as const) element.addEventListener(kind, own, { passive: true });
    give();
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", note, { capture: true });
      for (const kind of ["wheel", "pointerdown", "keydown"] as const) element.removeEventListener(kind, own);
    };
  }, [name]);
}
