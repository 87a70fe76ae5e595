// The way between two places with the fewest mileposts, what it pays, and its line on the board.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { board } from "../board";
import { cities, mileposts, railroads } from "../store";
import { Button, Check, Empty, Field } from "../ui";
import { boxOf } from "./elements";
import { useAnswer } from "../asked";
import type { Step } from "../generated";
import { UNKNOWN } from "../colours";

const from = signal("");
const to = signal("");
const only = signal<ReadonlySet<string> | null>(null);

const nameOf = (id: string): string => mileposts.value[id]?.name ?? id;

/** Steps on one railroad after the other, with how many mileposts each takes. */
function legs(steps: readonly Step[]): { railroad: string; start: string; end: string; n: number }[] {
  const out: { railroad: string; start: string; end: string; n: number }[] = [];
  for (const step of steps) {
    const last = out[out.length - 1];
    if (last && last.railroad === step.railroad) {
      last.end = step.end;
      last.n += 1;
    } else out.push({ railroad: step.railroad, start: step.start, end: step.end, n: 1 });
  }
  return out;
}

function Chosen() {
  const now = only.value;
  return (
    <details>
      <summary>{now === null ? "On all railroads" : `On ${now.size} railroads only`}</summary>
      <div class="bar">
        <Button onClick={() => (only.value = null)}>All</Button>
        <Button onClick={() => (only.value = new Set())}>None</Button>
      </div>
      <div class="railroads">
        {Object.entries(railroads.value).map(([id, railroad]) => (
          <Check
            key={id}
            label={railroad.short}
            checked={now === null || now.has(id)}
            onCommit={(on) => {
              const next = new Set(now ?? Object.keys(railroads.value));
              if (on) next.add(id);
              else next.delete(id);
              only.value = next;
            }}
          />
        ))}
      </div>
    </details>
  );
}

export function RouteFinder() {
  const names = [...new Set(Object.values(cities.value).map((city) => city.name))].sort();
  const both = from.value !== "" && to.value !== "";
  const allowed = only.value === null ? null : [...only.value];
  const { answer, error } = useAnswer("route", both ? { start: from.value, end: to.value, railroads: allowed } : null);
  useEffect(() => {
    if (!answer || !both) return undefined;
    board.sketch("route", [
      { kind: "line", path: answer.path, colour: "--board-name-halo", width: 11 },
      { kind: "line", path: answer.path, colour: "--board-route", width: 6 },
    ]);
    return () => board.sketch("route", []);
  }, [answer, both]);
  useEffect(() => {
    if (answer && both && answer.path.length > 0) board.flyTo(boxOf(answer.path));
  }, [answer?.start, answer?.end, both]);
  return (
    <>
      <div class="ends">
        <Field label="From" value={from.value} list={names} onCommit={(text) => (from.value = text.trim())} />
        <Field label="To" value={to.value} list={names} onCommit={(text) => (to.value = text.trim())} />
        <Button
          aria-label="Swap the two ends"
          onClick={() => {
            [from.value, to.value] = [to.value, from.value];
          }}
        >
          ⇄
        </Button>
      </div>
      <Chosen />
      {error && <p class="error">{error}</p>}
      {!both && (
        <Empty title="A way between two places">
          <p>Name two cities or mileposts: the way with the fewest mileposts is drawn on the board, with what it pays.</p>
        </Empty>
      )}
      {both && answer && (
        <div role="status" class="route">
          <h4>
            {nameOf(answer.start)} – {nameOf(answer.end)}
          </h4>
          <p>
            <b>{answer.mileposts}</b> mileposts, {Math.round(answer.miles).toLocaleString("en")} miles, pays{" "}
            <b>{answer.payoff === null ? "nothing: not both are cities of the payoff chart" : `${answer.payoff} thousand`}</b>
          </p>
          <ol>
            {legs(answer.steps).map((leg) => (
              <li key={`${leg.railroad}-${leg.start}`}>
                <span class="chip" style={{ borderColor: railroads.value[leg.railroad]?.colour ?? UNKNOWN }}>
                  {railroads.value[leg.railroad]?.short ?? leg.railroad}
                </span>{" "}
                to {nameOf(leg.end)}, {leg.n}
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}
