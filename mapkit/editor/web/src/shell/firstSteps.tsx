// What to do first on an empty board: a list that ticks itself.
import { computed, effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { actions, perform } from "../actions";
import { send } from "../asked";
import { counts } from "../judging/findings";
import { keepSetting, keptSetting, ofBoard } from "../settings";
import { board, cities, lines, railroads, ready, regions, revision, table, unsaved } from "../store";
import { currentTool } from "../tools";
import { Button } from "../ui";

interface Step {
  id: string;
  title: string;
  text: string;
  done: () => boolean;
  /** Actions that lead there, the first that exists. */
  to: readonly string[];
  go: string;
  optional?: boolean;
}

const COLUMNS = 22;
const control = table("control_points");
const cells = table("destinations");
const payoffs = table("payoffs");
const settings = table("settings");
const pictures = signal(0);

async function countPictures(): Promise<void> {
  try {
    pictures.value = (await send("GET /api/pictures", {})).pictures.length;
  } catch {
    // the line is cut; asked again after the next step
  }
}

/** Whether charts are solved, or payoffs computed, as board.toml says; then no cell is filled by hand. */
const computedBy = (key: string): boolean => Boolean(settings.value[key]?.["value"]) && Object.keys(cities.value).length > 2;

function chartsFull(): boolean {
  if (computedBy("destinations.solve")) return true;
  const full = new Map<string, number>();
  for (const [key, cell] of Object.entries(cells.value))
    if (cell["item"] !== null) full.set(key.split("/")[0] ?? "", (full.get(key.split("/")[0] ?? "") ?? 0) + 1);
  return ["regions", ...Object.keys(regions.value)].every((chart) => full.get(chart) === COLUMNS);
}

function paid(): boolean {
  if (computedBy("payoffs.model")) return true;
  const n = Object.keys(cities.value).length;
  return n > 1 && Object.values(payoffs.value).filter((cell) => cell["thousands"] !== null).length >= (n * (n - 1)) / 2;
}

export const STEPS: readonly Step[] = [
  {
    id: "where",
    title: "Say where it is",
    text: "A country, or a box on a map of the world; an invented land needs none.",
    done: () => settings.value["page.extent"] !== undefined || Object.keys(cities.value).length > 2,
    to: ["where"],
    go: "Choose a place",
    optional: true,
  },
  {
    id: "background",
    title: "Put a picture underneath",
    text: "A scan of your board, or any map; or leave it out and draw on empty paper.",
    done: () => pictures.value > 0 || Object.keys(control.value).length > 0,
    to: ["panel-background", "panel-pictures", "panel-layers"],
    go: "Choose a picture",
    optional: true,
  },
  {
    id: "railroads",
    title: "Add a railroad",
    text: "A name, its letters, a price and a colour.",
    done: () => Object.keys(railroads.value).length > 0,
    to: ["panel-railroads", "add-railroad"],
    go: "Add a railroad",
  },
  {
    id: "line",
    title: "Draw its first line",
    text: "Each click is a milepost; Enter ends the line.",
    done: () => Object.keys(lines.value).length > 0,
    to: ["tool-draw", "tool-line", "tool-pen"],
    go: "Draw a line",
  },
  {
    id: "regions",
    title: "Name the regions",
    text: "Two or more; each has a destination chart of its own.",
    done: () => Object.keys(regions.value).length > 1,
    to: ["panel-cities", "panel-regions"],
    go: "Go to the regions",
  },
  {
    id: "cities",
    title: "Place the cities",
    text: "Three or more, in their regions; players travel between them.",
    done: () => Object.keys(cities.value).length > 2,
    to: ["tool-city", "panel-cities"],
    go: "Place cities",
  },
  {
    id: "charts",
    title: "Fill the destination charts",
    text: "The dice choose a region, then a city of it.",
    done: chartsFull,
    to: ["panel-destinations", "panel-charts"],
    go: "Go to the charts",
  },
  {
    id: "payoffs",
    title: "Fill the payoff chart",
    text: "What a trip pays; it can be computed from the distances.",
    done: paid,
    to: ["panel-payoffs"],
    go: "Go to the payoffs",
  },
  {
    id: "checks",
    title: "Look at the checks",
    text: "They say what the board still lacks, and lead you there.",
    done: () => Object.keys(lines.value).length > 0 && counts.value.error === 0,
    to: ["panel-checks"],
    go: "Go to the checks",
  },
  {
    id: "save",
    title: "Save the files",
    text: "Every step is kept anyway; saving writes the board's files.",
    done: () => Object.keys(lines.value).length > 0 && !unsaved.value,
    to: ["save"],
    go: "Save",
  },
];

export const stepsDone = computed(() => STEPS.filter((step) => step.done()).length);
const way = (step: Step): string | undefined => step.to.find((id) => actions.value.has(id));

export function FirstSteps() {
  useEffect(() => void countPictures(), []);
  const next = STEPS.find((step) => !step.done() && !step.optional);
  return (
    <ol class="first-steps" aria-label={`First steps, ${stepsDone.value} of ${STEPS.length} done`}>
      {STEPS.map((step) => {
        const done = step.done();
        const to = way(step);
        return (
          <li key={step.id} class={done ? "done" : step === next ? "next" : ""} aria-current={step === next ? "step" : undefined}>
            <span class="tick" aria-hidden="true">
              {done ? "✓" : "○"}
            </span>
            <span class="what">
              <b>{step.title}</b>
              {step.optional && !done && " (if you like)"}
              {done && <span class="unseen">, done</span>}
              {!done && <span class="hint">{step.text}</span>}
            </span>
            {!done && to && (
              <Button kind={step === next ? "primary" : "plain"} onClick={() => perform(to)}>
                {step.go}
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Whether the page was opened on an empty board, so that the steps stand on the canvas; and if they are folded. */
export const beginning = signal(false);
export const folded = signal(false);
let looked = false;
const keyOf = (): string => ofBoard("first-steps", board.value);
function take(kept: string | null): void {
  if (kept === "closed") beginning.value = false;
  else if (kept !== null) folded.value = kept === "folded";
}
/** Fold the steps, unfold or close them, also for the next time. */
function put(how: "folded" | "open" | "closed"): void {
  take(how);
  keepSetting(keyOf(), how);
}
const QUIET = new Set(["pick", "lasso", "hand"]);

effect(() => {
  if (!ready.value) return;
  if (!looked) {
    looked = true;
    beginning.value = Object.keys(lines.value).length === 0 && Object.keys(railroads.value).length === 0;
    if (beginning.value) take(keptSetting(keyOf(), take));
  }
  void revision.value;
  if (beginning.value) void countPictures();
});

/** The steps as a card on the canvas of an empty board. */
export function StartCard() {
  const tool = currentTool.value.id;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // what had the focus when the board was made is gone
    if (document.activeElement === document.body) card.current?.querySelector<HTMLElement>(".next button")?.focus();
  }, [beginning.value]);
  useEffect(() => {
    // the paper is wanted now
    if (!QUIET.has(tool)) folded.value = true;
  }, [tool]);
  if (!beginning.value) return null;
  if (folded.value)
    return (
      <div class="start folded">
        <Button onClick={() => put("open")}>
          First steps, {stepsDone.value} of {STEPS.length}
        </Button>
      </div>
    );
  return (
    <section class="start" aria-label="First steps" ref={card}>
      <header>
        <h3>{stepsDone.value === 0 ? "An empty board" : "First steps"}</h3>
        <Button kind="quiet" aria-label="Fold the first steps" onClick={() => put("folded")}>
          –
        </Button>
        <Button kind="quiet" aria-label="Close the first steps; they stay under Help" onClick={() => put("closed")}>
          ×
        </Button>
      </header>
      <p class="hint">Do these in any order. Everything is kept at once, and every step can be undone.</p>
      <FirstSteps />
    </section>
  );
}
