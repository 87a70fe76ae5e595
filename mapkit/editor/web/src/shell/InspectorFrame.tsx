// The frame of what is selected: a head that says what it is and folds it, on every page. It takes no room while nothing is.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../ui/Icon";
import { atSpace, inspect, inspecting, inspectingCramped } from "./pane";
import { cramped } from "./room";

export function InspectorFrame({ heading, empty, children }: { heading: string; empty: boolean; children: ComponentChildren }) {
  const open = cramped.value ? inspectingCramped.value : inspecting.value && !atSpace.value;
  useEffect(() => {
    // what is chosen in a table of the work space leaves the author there
    if (!document.activeElement?.closest(".pane .space")) atSpace.value = false;
  }, [heading]);
  if (empty) return null;
  return (
    <section class={`inspector${open ? "" : " folded"}`} aria-label="Inspector">
      <button
        type="button"
        class="inspector-head"
        aria-expanded={open}
        onClick={() => inspect(!open)}
        onFocus={(event) => {
          // who comes by Tab goes on into it; a click opens it by itself
          if (event.currentTarget.matches(":focus-visible")) atSpace.value = false;
        }}
      >
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
