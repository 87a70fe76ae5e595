// What an edit changed: the board as it is now beside an earlier one, played with the same dice.
import { Chip, light } from "../judging/railroads";
import { railroads } from "../store";
import { versionName } from "../compare/versions";
import { Button, Table, type Column } from "../ui";
import { Colours } from "./Colours";
import { Files, Played, rulesText } from "./Results";
import { begin, change } from "./Setup";
import { running, type Comparison, type PlayTestState } from "./tests";
import { changeText, inParts, isApart, matchesText, valueText, verdict } from "./words";
import type { FigureDifference } from "../generated";

const partName = (f: FigureDifference): string => (f.part === "match" ? "" : `${f.part} ${f.id} `);

function Change({ figure }: { figure: FigureDifference }) {
  const apart = isApart(figure);
  return (
    <span class={apart ? "apart" : "soft"}>
      {changeText(figure)}
      {apart && (
        <>
          <span aria-hidden="true"> *</span>
          <span class="unseen"> told apart from 0</span>
        </>
      )}
    </span>
  );
}

const SHARED: readonly Column<FigureDifference>[] = [
  { id: "change", title: "Change", width: "10.6rem", align: "right", sort: (f) => f.difference, cell: (f) => <Change figure={f} /> },
  { id: "a", title: "Before", width: "5.2rem", align: "right", cell: (f) => valueText(f, f.a) },
  { id: "b", title: "Now", width: "5.2rem", align: "right", cell: (f) => valueText(f, f.b) },
];
const MATCH: readonly Column<FigureDifference>[] = [
  { id: "figure", title: "Figure", width: "6.2rem", cell: (f) => partName(f) + f.figure },
  ...SHARED,
];
const RAILROADS: readonly Column<FigureDifference>[] = [
  { id: "railroad", title: "Railroad", width: "5.4rem", cell: (f) => <Chip id={f.id} />, sort: (f) => f.id },
  { id: "figure", title: "Figure", width: "12rem", cell: (f) => f.figure, sort: (f) => f.figure },
  ...SHARED,
];
const ENOUGH = 1000;
/** Compare again, with more matches. */
function again(matches: number): Promise<boolean> {
  change({ matches });
  return begin("comparison");
}

const keyOf = (f: FigureDifference): string => `${f.part} ${f.id} ${f.figure}`;

export function Changes({ test, found }: { test: PlayTestState; found: Comparison }) {
  const said = verdict(found);
  const { match, railroads: rows } = inParts(found);
  const before = test.asked.against;
  const more = Math.max(ENOUGH, 4 * found.matches);
  return (
    <section class="stack" aria-label="What changed">
      <div class={`verdict ${said.kind}`} role="status">
        <h3>{said.title}</h3>
        <p>{said.text}</p>
        {said.kind === "open" && (
          <Button disabled={running.value !== null} onClick={() => void again(more)}>
            Play {matchesText(more)}
          </Button>
        )}
      </div>
      <p class="hint">Before: {versionName({ at: before, variants: [] })}.</p>
      <Played test={test} found={{ matches: found.matches, variants: found.b.variants, rules: rulesText(found.b) }} />
      {said.kind !== "same" && (
        <>
          <Colours choices={[{ id: "change", label: "Change of fees" }]} />
          <div class="study-table">
            <Table caption="What changed in a match" rows={match} rowKey={keyOf} columns={MATCH} text={(f) => f.figure} />
          </div>
          {rows.length > 0 && (
            <div class="study-table">
              <Table
                caption="Railroads that changed most clearly"
                rows={rows}
                rowKey={keyOf}
                columns={RAILROADS}
                text={(f) => railroads.value[f.id]?.short ?? f.id}
                onPick={(f) => light([f.id])}
              />
            </div>
          )}
          <p class="hint">* The 95 % interval leaves out 0. Of so many figures, one in twenty does by chance.</p>
        </>
      )}
      <Files test={test} />
    </section>
  );
}
