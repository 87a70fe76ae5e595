// Something large that is looked at in place of the canvas for a while: the rule sheet, two versions side by side.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { Button } from "../ui/Button";

export interface Staged {
  id: string;
  title: string;
  component: ComponentType;
}

export const stage = signal<Staged | null>(null);

export function showStage(staged: Staged): void {
  stage.value = staged;
}

/** Take it away, if it is the one of this id. */
export function hideStage(id: string): void {
  if (stage.value?.id === id) stage.value = null;
}

export function Stage() {
  const now = stage.value;
  if (!now) return null;
  const Body = now.component;
  return (
    <section
      class="staged"
      aria-label={now.title}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        hideStage(now.id);
      }}
    >
      <header>
        <h2>{now.title}</h2>
        <Button kind="quiet" onClick={() => hideStage(now.id)}>
          Back to the board
        </Button>
      </header>
      <div class="staged-body">
        <Body />
      </div>
    </section>
  );
}
