import { useLayoutEffect, useRef } from "preact/hooks";

export interface Tab {
  id: string;
  title: string;
  /** A small figure beside the title, such as a count of findings. */
  badge?: string | number | null;
}

/** Move in a list of tabs by the rules of ARIA: arrows, Home and End move and show. */
export function byArrows(event: KeyboardEvent, ids: readonly string[], open: string, element: (id: string) => string, onOpen: (id: string) => void): void {
  const at = ids.indexOf(open);
  const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + ids.length, Home: 0, End: ids.length - 1 };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const next = ids[to % ids.length];
  if (next === undefined) return;
  onOpen(next);
  document.getElementById(element(next))?.focus();
}

/** A row of tabs; arrows move and show. Their panel has the id `panel`, and is labelled by `tabId(panel, open)`. */
export function Tabs(props: { label: string; panel: string; tabs: readonly Tab[]; open: string; onOpen: (id: string) => void }) {
  const { panel, tabs, open, onOpen } = props;
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    strip.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [open]);
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={props.label}
      ref={strip}
      onKeyDown={(event) => byArrows(event, tabs.map((tab) => tab.id), open, (tab) => tabId(panel, tab), onOpen)}
    >
      {tabs.map((tab) => (
        <button
          type="button"
          role="tab"
          key={tab.id}
          id={tabId(panel, tab.id)}
          aria-selected={tab.id === open}
          aria-controls={panel}
          tabIndex={tab.id === open ? 0 : -1}
          onClick={() => onOpen(tab.id)}
        >
          {tab.title}
          {tab.badge !== undefined && tab.badge !== null && <span class="badge">{tab.badge}</span>}
        </button>
      ))}
    </div>
  );
}

export const tabId = (panel: string, tab: string): string => `${panel}-${tab}`;
