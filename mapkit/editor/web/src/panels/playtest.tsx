// Is this map any good? Matches by computer players, in the background, and what an edit changed.
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { register } from "../actions";
import { counts } from "../judging/findings";
import { Changes } from "../playtesting/Changes";
import { onBoard } from "../playtesting/onBoard";
import { Results } from "../playtesting/Results";
import { begin, RunBar, Setup } from "../playtesting/Setup";
import { choose, comparison, done, ended, look, newest, partOf, running, stop, study, type PlayTestState, type What } from "../playtesting/tests";
import { failureLines, listedText } from "../playtesting/words";
import { openPanel, paneShown, showPanel } from "../shell/pane";
import { Button, Empty, Select, toast } from "../ui";
import type { Panel } from "./panel";

const ID = "playtest";
const PARTS: readonly { id: What; label: string }[] = [
  { id: "study", label: "How it plays" },
  { id: "comparison", label: "What my edit changed" },
];
const part = signal<What>("study");
/** Whether the fields are shown; by default until there is a result. */
const setting = signal<boolean | null>(null);

function Failed({ test }: { test: PlayTestState }) {
  return (
    <div class="notice" role="alert">
      <p class="error">The play-test could not be carried out:</p>
      <ul>
        {failureLines(test.job.said).map((line) => (
          <li key={line} class="error">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Purpose({ what }: { what: What }) {
  if (what === "comparison")
    return (
      <Empty title="What did my edit change?">
        <p>
          Both boards are played with the same dice, so that the difference is what the edit makes of them. It comes with intervals, and it
          is said plainly if nothing differs. A thousand matches take twice as long as in a play-test of one board.
        </p>
      </Empty>
    );
  return (
    <Empty title="Is this map any good?">
      <p>
        Computer players play whole matches by the rules of the board. You see who wins, by which railroads, how long a match takes, and
        what of the board is used. You can go on editing meanwhile.
      </p>
      <p>
        A thousand matches tell win rates of four players to about ±2.7 points, ten thousand to ±0.9. A thousand on a board as large as the
        shipped United States take about five seconds of one processor. The first run compiles for half a minute before.
      </p>
    </Empty>
  );
}

function PlayTest() {
  useEffect(() => void look(), []);
  const what = part.value;
  const last = newest(what);
  const has = what === "study" ? study.value !== null : comparison.value !== null;
  const open = setting.value ?? !has;
  return (
    <div class="playtest stack">
      <div class="bar kinds" role="group" aria-label="What to play for">
        {PARTS.map(({ id, label }) => (
          <Button key={id} kind="quiet" aria-pressed={what === id} onClick={() => (part.value = id)}>
            {label}
          </Button>
        ))}
      </div>
      {!has && !running.value && <Purpose what={what} />}
      <RunBar what={what} />
      {last?.job.state === "failed" && <Failed test={last} />}
      {last?.job.state === "stopped" && <p class="hint">The last run was stopped before a match was done.</p>}
      <details class="part" open={open} onToggle={(event) => (setting.value = event.currentTarget.open === !has ? null : event.currentTarget.open)}>
        <summary>What to play</summary>
        <Setup what={what} />
      </details>
      {done(what).length > 1 && (
        <Select
          label="Show the results of"
          value={(what === "study" ? study : comparison).value?.test.job.id ?? ""}
          options={done(what).map((test) => ({ value: test.job.id, label: listedText(test) }))}
          onCommit={(id) => void choose(what, id)}
        />
      )}
      {what === "study" && study.value && <Results test={study.value.test} found={study.value.figures} />}
      {what === "comparison" && comparison.value && <Changes test={comparison.value.test} found={comparison.value.figures} />}
    </div>
  );
}

register(
  {
    id: "playtest-run",
    label: "Play-test the board as it is now",
    group: "Play-test",
    enabled: () => running.value === null && counts.value.error === 0,
    needs: () => (running.value === null ? "mend the errors of the board first" : "a play-test is running"),
    run: () => {
      part.value = "study";
      showPanel(ID, true);
      void begin("study");
    },
  },
  {
    id: "playtest-stop",
    label: "Stop the play-test, and keep what is played",
    group: "Play-test",
    enabled: () => running.value !== null,
    needs: "no play-test is running",
    run: () => {
      if (running.value) void stop(running.value.job.id);
    },
  },
  {
    id: "playtest-colours",
    label: "Colour the board by use, by income, or not",
    group: "Play-test",
    enabled: () => study.value !== null,
    needs: "play-test the board first",
    run: () => {
      onBoard.value = ({ off: "use", use: "income", income: "off", change: "off" } as const)[onBoard.value];
    },
  },
);

let told: PlayTestState | null = null;
effect(() => {
  const test = ended.value;
  if (!test || test === told) return;
  told = test;
  if (test.job.state === "done" || test.job.state === "failed") setting.value = null;
  if (openPanel.peek() === ID && paneShown.peek()) return;
  const text = { done: "The play-test is done.", failed: "The play-test failed." }[test.job.state as string];
  if (text === undefined) return;
  const show = (): void => {
    part.value = test.asked.what;
    showPanel(ID, true);
  };
  toast(text, test.job.state === "failed" ? "warning" : "info", { label: "Show", run: show });
});

export const playtestPanel: Panel = {
  id: ID,
  title: "Play-test",
  keys: ["Alt+P"],
  badge: () => {
    const now = running.value;
    const done = now && partOf(now);
    return now ? (done === null ? "…" : `${Math.floor(100 * done)}%`) : null;
  },
  component: PlayTest,
};
