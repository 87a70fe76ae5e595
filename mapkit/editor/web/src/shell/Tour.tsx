// A tour of the page: a card beside each control in turn. It does not lock the page, and can be left and taken up again.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { actions, perform, register } from "../actions";
import { Button } from "../ui";
import { keepSetting, keptSetting } from "../settings";
import { addToMenu } from "./menus";

interface Stop {
  /** What is pointed at; stops whose control is not there are left out. */
  target: string;
  title: string;
  text: string;
  /** The action that shows it. */
  show?: string;
}

const space = (id: string): string => `.spaces #space-${id}`;
const panel = (id: string): string => `.pane [role=tab][id$="-${id}"]`;
const STOPS: readonly Stop[] = [
  {
    target: "#board",
    title: "The board",
    text: "Turn the wheel to zoom, drag to move what you take hold of. By keyboard: B goes to the board, arrows move a cross, Enter clicks there.",
  },
  { target: ".tools", title: "Tools", text: "Ways of working on the board, each with a letter. The line at the foot of the page says what the chosen one does." },
  { target: '.toolbar [aria-label^="Find"]', title: "Find anything", text: "Ctrl+K finds a city, milepost, railroad or command by a part of its name, and takes you there." },
  { target: ".pane", title: "What is selected", text: "Click a milepost or a line on the board: below the panels stands what it is, and where its track leads." },
  { target: space("railroads"), show: "panel-railroads", title: "Railroads", text: "Prices, colours and patterns, with what each railroad is worth." },
  { target: space("destinations"), show: "panel-destinations", title: "Destination charts", text: "Which roll of the dice leads where, with the odds beside it." },
  { target: space("payoffs"), show: "panel-payoffs", title: "Payoffs", text: "What each trip pays. Cells that do not fit their distance stand out." },
  { target: space("rules"), show: "panel-rules", title: "Rules", text: "Options of the rules, and what each one changes." },
  { target: space("checks"), show: "panel-checks", title: "Checks", text: "What is wrong or suspicious, shown while you edit. Enter flies there; many findings have a button that fixes them. F8 goes to the next." },
  { target: panel("balance"), show: "panel-balance", title: "Balance", text: "How good each railroad is to own, with arrows for what you have just changed, and the way between two cities." },
  { target: space("playtest"), show: "panel-playtest", title: "Play-test", text: "Computer players play the board, while you edit on: who wins, by which railroads, and what your edit changed." },
  { target: panel("changes"), show: "panel-changes", title: "Changes", text: "All that is different since the last save. Single changes can be taken back." },
  { target: '.toolbar [aria-label="Steps"]', title: "Undo says what it undoes", text: "Every step is kept at once, also if the computer stops. History lists them all, and takes you to any of them." },
  { target: '.toolbar [aria-label^="Save"]', title: "Save", text: "Writes the files of the board. The foot of the page says what is kept and what is saved." },
  { target: space("help"), show: "panel-help", title: "Help", text: "This tour, the first steps and all keys are here. Press a question mark for the keys." },
];

const KEY = "tour";
const stopOf = (kept: string | null): number => {
  const value = Number(kept ?? "0");
  return Number.isInteger(value) && value >= 0 && value < STOPS.length ? value : 0;
};
function take(kept: string): void {
  tourLeftAt.value = stopOf(kept);
  tourKnown.value = true;
}
const known = keptSetting(KEY, take);

export const tourAt = signal<number | null>(null);
/** Where the tour was left; 0 if it was not begun, or is over. */
export const tourLeftAt = signal(stopOf(known));
/** Whether it was ever begun or declined by this user. */
export const tourKnown = signal(known !== null);

function keep(at: number): void {
  keepSetting(KEY, String(at));
  tourLeftAt.value = at;
  tourKnown.value = true;
}
export const declineTour = (): void => keep(0);

const there = (stop: Stop): boolean => (stop.show === undefined || actions.value.has(stop.show)) && document.querySelector(stop.target) !== null;

function goTo(from: number, by: number): void {
  for (let at = from; at >= 0 && at < STOPS.length; at += by) {
    const stop = STOPS[at];
    if (!stop || !there(stop)) continue;
    keep(at);
    tourAt.value = at;
    return;
  }
  if (by > 0) end();
}

function end(): void {
  keep(0);
  tourAt.value = null;
}

export function startTour(again = false): void {
  if (document.querySelector(".pane") === null) perform("pane");
  // the pane has to be drawn before its tabs are looked for
  requestAnimationFrame(() => goTo(again ? 0 : tourLeftAt.value, 1));
}

register(
  {
    id: "tour",
    get label() {
      return tourLeftAt.value > 0 ? "Go on with the tour" : "Take the tour";
    },
    group: "Help",
    keys: ["Shift+F1"],
    run: () => startTour(),
  },
);
addToMenu("Help", "panel-help", "tour");

const GAP = 12;
const WIDTH = 320;

export function Tour() {
  const at = tourAt.value;
  const card = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<DOMRect | null>(null);
  const [height, setHeight] = useState(180);
  const stop = at === null ? undefined : STOPS[at];
  useEffect(() => {
    if (!stop) return undefined;
    if (stop.show) perform(stop.show);
    const look = (): void => setBox(document.querySelector(stop.target)?.getBoundingClientRect() ?? null);
    const frame = requestAnimationFrame(() => {
      look();
      card.current?.focus();
    });
    addEventListener("resize", look);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("resize", look);
    };
  }, [at]);
  useLayoutEffect(() => {
    if (card.current && card.current.offsetHeight !== height) setHeight(card.current.offsetHeight);
  });
  if (!stop || at === null) return null;
  const shown = STOPS.filter(there);
  const number = shown.indexOf(stop) + 1;
  const leave = (): void => {
    tourAt.value = null;
    perform("board");
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const done: Record<string, () => void> = {
      Escape: leave,
      ArrowRight: () => goTo(at + 1, 1),
      ArrowLeft: () => goTo(at - 1, -1),
    };
    const action = done[event.key] ?? (event.key === "Enter" && event.target === card.current ? done["ArrowRight"] : undefined);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const big = box !== null && box.width > innerWidth * 0.5 && box.height > innerHeight * 0.5;
  const below = box !== null && box.bottom + GAP + height < innerHeight;
  const left = box === null ? GAP : big ? box.left + box.width / 2 - WIDTH / 2 : Math.max(GAP, Math.min(innerWidth - WIDTH - GAP, box.left));
  const top = box === null ? GAP : big ? box.top + box.height / 2 - height / 2 : below ? box.bottom + GAP : Math.max(GAP, box.top - GAP - height);
  return (
    <div class="tour">
      {box && <div class="spot" style={{ left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.width + 8}px`, height: `${box.height + 8}px` }} />}
      <div
        class="card"
        role="dialog"
        aria-label={`Tour, ${number} of ${shown.length}: ${stop.title}`}
        ref={card}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        style={{ left: `${left}px`, top: `${top}px`, width: `${WIDTH}px` }}
      >
        <h3>{stop.title}</h3>
        <p>{stop.text}</p>
        <footer>
          <span class="hint">
            {number} of {shown.length}; arrows go on and back
          </span>
          <Button kind="quiet" onClick={leave}>
            Leave
          </Button>
          <Button disabled={number <= 1} onClick={() => goTo(at - 1, -1)}>
            Back
          </Button>
          <Button kind="primary" onClick={() => goTo(at + 1, 1)}>
            {number === shown.length ? "Done" : "Next"}
          </Button>
        </footer>
      </div>
    </div>
  );
}
