// Re-space: mileposts of whole lines placed again by rule, with what it does to distances before it is done.
import { effect, type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { board as canvas } from "../board";
import type { Sketch, Tool } from "../board/BoardView";
import { drawnRailroad, railroadColour, railroadWord } from "../draw/common";
import { nearestOn, stretches } from "../draw/track";
import { query, run } from "../edit";
import { errorText } from "../errors";
import { cities, lines, mileposts, revision, segments } from "../store";
import { Button, Field } from "../ui";
import type { AnswerTo } from "../wire";

const on = signal(false);
const chosen = signal<readonly string[]>([]);
const gap = signal(30);
const reach = signal(5);
const preview = signal<AnswerTo<"respace-preview"> | null>(null);
const problem = signal("");
const waiting = signal(false);
let asked: AbortController | null = null;

const there = (): string[] => chosen.value.filter((id) => id in lines.value);

effect(() => {
  asked?.abort();
  const wanted = on.value ? there() : [];
  void revision.value;
  const body = { lines: wanted, gap_mi: gap.value, reach_mi: reach.value };
  if (wanted.length === 0) {
    preview.value = null;
    problem.value = "";
    waiting.value = false;
    return;
  }
  const mine = new AbortController();
  asked = mine;
  waiting.value = true;
  query("respace-preview", body, mine.signal)
    .then((answer) => {
      preview.value = answer;
      problem.value = "";
      waiting.value = false;
    })
    .catch((error: unknown) => {
      if (mine.signal.aborted) return;
      preview.value = null;
      waiting.value = false;
      problem.value = errorText(error);
    });
});

effect(() => {
  const shapes: Sketch[] = [];
  for (const id of on.value ? there() : []) {
    const line = lines.value[id]!;
    shapes.push({ kind: "line", path: line.stops.map((stop) => [stop.x, stop.y]), colour: railroadColour(line.railroad), width: 5 });
  }
  if (on.value && preview.value)
    for (const [id, post] of Object.entries(preview.value.view.mileposts)) {
      const old = mileposts.value[id];
      if (post === null && old) shapes.push({ kind: "cross", at: [old.x, old.y], radius: 8, colour: "--board-wrong" });
      else if (post && !old) shapes.push({ kind: "dot", at: [post.x, post.y], radius: 5 });
    }
  canvas.sketch("respace", shapes);
});

/** Takes a number that was typed, unless it is too small. */
function take(target: Signal<number>, value: number, least: number): void {
  if (value >= least) target.value = value;
}

function Card() {
  useEffect(() => {
    on.value = true;
    return () => {
      on.value = false;
      chosen.value = [];
    };
  }, []);
  const found = preview.value;
  const name = (id: string): string => cities.value[id]?.name ?? id;
  const moves = (count: number | null): string => (count === null ? "no way" : String(count));
  return (
    <>
      <p>{there().length === 0 ? "Click the lines to space." : there().map((id) => `${railroadWord(lines.value[id]!.railroad)} ${lines.value[id]!.name}`).slice(0, 4).join("; ") + (there().length > 4 ? ` and ${there().length - 4} more` : "")}</p>
      <div class="bar">
        <Button
          onClick={() => (chosen.value = Object.keys(lines.value).filter((id) => lines.value[id]!.railroad === drawnRailroad()))}
          disabled={drawnRailroad() === null}
        >
          All of {railroadWord(drawnRailroad() ?? "the railroad")}
        </Button>
        <Button onClick={() => (chosen.value = Object.keys(lines.value))}>All lines</Button>
        <Button disabled={there().length === 0} onClick={() => (chosen.value = [])}>
          None
        </Button>
      </div>
      <Field label="Miles between mileposts" type="number" min={0.5} max={1000} step="any" value={gap.value} onCommit={(text) => take(gap, Number(text), 0.5)} />
      <Field label="Names from places within, miles" type="number" min={0.5} max={100} step="any" value={reach.value} onCommit={(text) => take(reach, Number(text), 0.5)} />
      <div role="status">
        {waiting.value && <p class="hint">Looking what it would do …</p>}
        {problem.value && <p class="error">{problem.value}</p>}
        {found && !waiting.value && (
          <>
            <p>
              Mileposts: {found.mileposts.before} now, {found.mileposts.after} then. {found.changed} distances between cities change, by {found.mean > 0 ? "+" : ""}
              {found.mean.toFixed(2)} on the average of all.
            </p>
            {found.pairs.length > 0 && (
              <table class="small">
                <caption>Distances that change most, in mileposts</caption>
                <thead>
                  <tr>
                    <th scope="col">Between</th>
                    <th scope="col">Now</th>
                    <th scope="col">Then</th>
                  </tr>
                </thead>
                <tbody>
                  {found.pairs.slice(0, 6).map((pair) => (
                    <tr key={`${pair.a}|${pair.b}`}>
                      <td>
                        {name(pair.a)} – {name(pair.b)}
                      </td>
                      <td>{moves(pair.before)}</td>
                      <td>{moves(pair.after)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
      </div>
      <Button kind="primary" disabled={!found || waiting.value} onClick={() => found && void run(found.command, { seen: found.revision })}>
        Space them so
      </Button>
    </>
  );
}

export const respace: Tool = {
  id: "respace",
  label: "Re-space: mileposts of lines by rule",
  short: "Re-space",
  key: "Shift+M",
  hint: "Click lines to choose them; new mileposts are shown as dots, those that go as crosses, before anything is done.",
  cursor: "crosshair",
  card: Card,
  down(at, board) {
    const over = at.item?.kind === "segment" ? segments.value[at.item.id]?.railroad : undefined;
    let best: { line: string; away: number } | null = null;
    for (const stretch of stretches.value) {
      const { away } = nearestOn(stretch, at.x, at.y);
      const score = away - (stretch.railroad === over ? 8 * board.resolution : 0);
      if (away < 16 * board.resolution && (best === null || score < best.away)) best = { line: stretch.line, away: score };
    }
    if (best === null) return;
    const id: string = best.line;
    chosen.value = chosen.value.includes(id) ? chosen.value.filter((other) => other !== id) : [...chosen.value, id];
  },
};
