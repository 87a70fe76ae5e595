// The bar of work spaces under the toolbar: one list of tabs, each with its icon. Every kind of board has the same bar.
import { useLayoutEffect, useRef } from "preact/hooks";
import { actions, keyText } from "../actions";
import { Icon } from "../ui/Icon";
import { byArrows } from "../ui/Tabs";
import { openSheet, sheetOpen } from "./pane";
import { onPhone } from "./room";
import { badgeOf, panelOf, spaceOf, type WorkSpace } from "./spaces";

/** How ids of the tabs begin, and the id of the panel beside the board. */
export const SPACE = "space";
export const PANEL = "panel";

export function SpaceBar({ spaces, open, onOpen }: { spaces: readonly WorkSpace[]; open: string; onOpen: (panel: string) => void }) {
  const strip = useRef<HTMLDivElement>(null);
  const now = spaceOf(spaces, open) ?? spaces[0];
  useLayoutEffect(() => {
    strip.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [now?.id]);
  const show = (id: string): void => {
    const to = spaces.find((space) => space.id === id);
    // on a phone the tab of an open sheet folds it
    if (onPhone.value && to === now && sheetOpen.value) openSheet(false);
    else if (to) onOpen(panelOf(to));
  };
  return (
    <div
      class="spaces"
      role="tablist"
      aria-label="Work spaces"
      ref={strip}
      onKeyDown={(event) => byArrows(event, spaces.map((space) => space.id), now?.id ?? "", (id) => `${SPACE}-${id}`, show)}
    >
      {spaces.map((space) => {
        const badge = badgeOf(space);
        const key = actions.value.get(`panel-${space.panels[0]?.id ?? ""}`)?.keys?.[0];
        return (
          <button
            type="button"
            role="tab"
            key={space.id}
            id={`${SPACE}-${space.id}`}
            class={space.apart ? "apart" : ""}
            title={key ? `${space.title} (${keyText(key)})` : space.title}
            aria-selected={space === now}
            aria-controls={PANEL}
            tabIndex={space === now ? 0 : -1}
            onClick={() => show(space.id)}
          >
            <Icon of={`space-${space.id}`} />
            <span class="word">{space.title}</span>
            {badge !== null && <span class="badge">{badge}</span>}
          </button>
        );
      })}
    </div>
  );
}
