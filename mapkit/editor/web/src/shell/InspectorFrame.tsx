// The frame of what is selected: a head that says what it is and folds it, on every page.
import type { ComponentChildren } from "preact";
import { Icon } from "../ui/Icon";
import { inspect, inspecting, inspectingCramped } from "./pane";
import { cramped } from "./room";

export function InspectorFrame({ heading, empty, children }: { heading: string; empty: boolean; children: ComponentChildren }) {
  const open = cramped.value ? inspectingCramped.value : inspecting.value;
  return (
    <section class={`inspector${open ? "" : " folded"}${empty ? " empty" : ""}`} aria-label="Inspector">
      <button type="button" class="inspector-head" aria-expanded={open} onClick={() => inspect(!open)}>
        <Icon of={open ? "fold" : "unfold"} />
        <span class="kind">Selection</span>
        <span class="what">{heading}</span>
      </button>
      {open && (
        <div class="inspected" tabIndex={0} role="group" aria-label="What is selected">
          {children}
        </div>
      )}
    </section>
  );
}
