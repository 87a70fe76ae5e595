// What stands on the right on every page: the open work space, and below it, or beside it in a wide window, what is selected.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { tabId, Tabs } from "../ui/Tabs";
import { useKeptScroll } from "./keptScroll";
import { Icon } from "../ui/Icon";
import { atSpace, NARROW, openSheet, paneWidth, setWidth, sheetOpen, STEP, WIDE } from "./pane";
import { onPhone } from "./room";
import { PANEL, SPACE } from "./SpaceBar";
import { spaceOf, type WorkSpace } from "./spaces";

function Divider() {
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the side pane"
      aria-valuenow={paneWidth.value}
      aria-valuemin={NARROW}
      aria-valuemax={WIDE}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setWidth(paneWidth.value + by);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          setWidth(paneWidth.value + event.currentTarget.getBoundingClientRect().left - event.clientX);
      }}
    />
  );
}

function Content({ space, open, onOpen }: { space: WorkSpace; open: string; onOpen: (panel: string) => void }) {
  const panel = space.panels.find((one) => one.id === open) ?? space.panels[0];
  const box = useRef<HTMLDivElement>(null);
  useKeptScroll(box, panel?.id ?? "");
  if (!panel) return null;
  const Component = panel.component;
  const several = space.panels.length > 1;
  const labelled = several ? tabId(PANEL, panel.id) : `${SPACE}-${space.id}`;
  return (
    <>
      {several && (
        <Tabs
          label={space.title}
          panel={PANEL}
          tabs={space.panels.map((one) => ({ id: one.id, title: one.tab ?? one.title, badge: one.badge?.() ?? null }))}
          open={panel.id}
          onOpen={onOpen}
        />
      )}
      {/* reached by Tab, so that arrows can scroll it */}
      <div class="tabpanel" ref={box} tabIndex={0} role="tabpanel" id={PANEL} aria-labelledby={labelled}>
        <Component key={panel.id} />
      </div>
    </>
  );
}

/** Milliseconds in which a second click makes a double click. */
const TWO_CLICKS = 300;

/** Note whether the author works in the work space or on the board; after clicks, for what is clicked must not move. */
function useAtSpace(): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let held = false;
    let timer = 0;
    let next: boolean | null = null;
    const take = (): void => {
      if (next !== null && !held) atSpace.value = next;
      if (!held) next = null;
    };
    const noted = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      if (target.closest(".pane .space")) next = true;
      else if (target.closest(".canvas")) next = false;
      else next = null;
      if (!held) take();
    };
    const released = (): void => {
      held = false;
      clearTimeout(timer);
      timer = window.setTimeout(take, TWO_CLICKS);
    };
    document.addEventListener("focusin", noted, { signal });
    document.addEventListener("pointerdown", () => (held = true), { capture: true, signal });
    for (const end of ["pointerup", "pointercancel"] as const) document.addEventListener(end, released, { capture: true, signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
}

/** The edge of a sheet on a phone: it says what is in it, and folds it. */
function Edge({ title }: { title: string }) {
  const open = sheetOpen.value;
  return (
    <button type="button" class="sheet-edge" aria-expanded={open} onClick={() => openSheet(!open)}>
      <Icon of={open ? "fold" : "unfold"} />
      {title}
    </button>
  );
}

export interface DockProps {
  spaces: readonly WorkSpace[];
  open: string;
  onOpen: (panel: string) => void;
  /** The inspector. */
  children?: ComponentChildren;
}

export function Dock({ spaces, open, onOpen, children }: DockProps) {
  useAtSpace();
  const space = spaceOf(spaces, open) ?? spaces[0];
  if (!space) return null;
  return (
    <>
      {!onPhone.value && <Divider />}
      <aside class="pane" style={{ "--wide": `${paneWidth.value}px` }} aria-label="Panels">
        {onPhone.value && <Edge title={space.title} />}
        {(!onPhone.value || sheetOpen.value) && (
          <div class="space">
            <Content space={space} open={open} onOpen={onOpen} />
          </div>
        )}
        {children}
      </aside>
    </>
  );
}
