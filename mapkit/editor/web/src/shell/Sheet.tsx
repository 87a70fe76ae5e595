// A sheet lies over the canvas and takes its room, for what the side pane is too narrow for: the payoff chart, the rule
// sheet, two versions side by side. The pane stays beside it.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { board } from "../board";
import { selection } from "../selection";
import { Button } from "../ui/Button";

export interface SheetContent {
  id: string;
  title: string;
  component: ComponentType;
  /** What stands in its head, beside the title. */
  bar?: ComponentType;
}

const sheet = signal<SheetContent | null>(null);

export function showSheet(content: SheetContent): void {
  sheet.value = content;
}

/** Take it away, if it is the one of this id. */
export function hideSheet(id: string): void {
  if (sheet.value?.id === id) sheet.value = null;
}

export const sheetShown = (id: string): boolean => sheet.value?.id === id;

/** Take it away, and put the keyboard on the board. */
export function closeSheet(): void {
  if (sheet.value === null) return;
  sheet.value = null;
  board.focus();
}

// what is selected is on the board, so the board is shown
selection.subscribe((items) => {
  if (items.length > 0) sheet.value = null;
});

export function Sheet() {
  const box = useRef<HTMLElement>(null);
  const shown = sheet.value;
  useLayoutEffect(() => {
    // what lies under it is not reached by Tab, nor read aloud
    const under = box.current?.parentElement?.querySelector<HTMLElement>(":scope > .canvas");
    if (!shown || !under) return undefined;
    under.inert = true;
    return () => {
      under.inert = false;
    };
  }, [shown]);
  if (shown === null) return null;
  const { component: Content, bar: Bar } = shown;
  return (
    <section
      class="sheet"
      ref={box}
      aria-label={shown.title}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        closeSheet();
      }}
    >
      <header>
        <h2>{shown.title}</h2>
        {Bar && <Bar />}
        <Button kind="quiet" onClick={closeSheet}>
          Back to the board
        </Button>
      </header>
      <Content key={shown.id} />
    </section>
  );
}
