import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface Tab {
  id: string;
  title: string;
  /** A small figure beside the title, such as a count of findings. */
  badge?: string | number | null;
}

/** Rows of tabs by the rules of ARIA, one list: arrows move and show, Tab goes on into the panel. */
export function Tabs(props: {
  label: string;
  rows: readonly (readonly Tab[])[];
  open: string;
  onOpen: (id: string) => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const { rows, open, onOpen } = props;
  const tabs = rows.flat();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    strip.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === open);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1 + tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[to % tabs.length];
    if (!next) return;
    onOpen(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={onKeyDown} ref={strip}>
        {rows.map((row, i) => (
          <div class="row" role="none" key={i}>
            {row.map((tab) => (
              <button
                type="button"
                role="tab"
                key={tab.id}
                id={`${id}-${tab.id}`}
                aria-selected={tab.id === open}
                aria-controls={`${id}-panel`}
                tabIndex={tab.id === open ? 0 : -1}
                onClick={() => onOpen(tab.id)}
              >
                {tab.title}
                {tab.badge !== undefined && tab.badge !== null && <span class="badge">{tab.badge}</span>}
              </button>
            ))}
          </div>
        ))}
      </div>
      <div class="tabpanel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`} tabIndex={0}>
        {props.children}
      </div>
    </>
  );
}
