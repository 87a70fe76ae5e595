import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { board } from "../board";
import { query, run } from "../edit";
import { errorText } from "../errors";
import { boxOf, itemsOf, itemsOfRow } from "../judging/elements";
import { momentOf, momentOptions } from "../judging/moments";
import { CALM, useAnswer } from "../asked";
import { select } from "../selection";
import { unsaved } from "../store";
import { ActionButton, ask, Button, Empty, Select, toast } from "../ui";
import type { Panel } from "./panel";
import type { ChangedRow, ChangedTable as Group } from "../generated";

const since = signal("saved");
const SIGNS = { added: "+", removed: "−", changed: "±" } as const;

const moment = (): "saved" | number => momentOf(since.value);

function show(row: ChangedRow): void {
  const items = itemsOfRow(row.table, row.key);
  select(items);
  if (items.length > 0) board.flyTo(items);
  else if (row.at) board.flyTo(boxOf([row.at]));
  else return void toast("This has no place on the board.");
  board.sketch("change", row.at ? [{ kind: "dot", at: row.at, radius: 9, colour: "--board-noted" }] : []);
}

function showElements(elements: readonly string[]): void {
  const items = elements.flatMap((element) => itemsOf(element.slice(element.indexOf(":") + 1)));
  select(items);
  if (items.length > 0) board.flyTo(items);
}

async function revert(rows: readonly ChangedRow[] | null, what: string): Promise<void> {
  try {
    const asked = { since: moment(), rows: (rows ?? []).map((row) => [row.table, row.key] as const) };
    const { command, along, revision: seen } = await query("revert", asked);
    if (along.length > 0 || rows === null) {
      const text = along.slice(0, 20).map((one) => `${one.group}: ${one.title} (${one.how})`);
      if (along.length > 20) text.push(`and ${along.length - 20} more`);
      const taken = await ask({
        title: `Take back ${what}?`,
        text: `${along.length > 0 ? `This goes with it:\n${text.join("\n")}` : "All of these changes are taken back."}\n\nIt is one step, and Undo brings it again.`,
        buttons: [
          { id: "yes", label: "Take back", kind: "primary" },
          { id: "no", label: "Leave it" },
        ],
      });
      if (taken !== "yes") return;
    }
    await run(command, { seen });
  } catch (error) {
    toast(errorText(error), "error");
  }
}

function Rows({ group }: { group: Group }) {
  return (
    <section class="changed">
      <h4>
        {group.title} <span class="n">{group.count}</span>
      </h4>
      <ul aria-label={group.title}>
        {group.rows.map((row) => (
          <li key={row.key}>
            <button type="button" class="row-of" onClick={() => show(row)} title="Show it on the board">
              <span class={`sign ${row.how}`} aria-hidden="true">
                {SIGNS[row.how]}
              </span>
              <span class="unseen">{row.how}: </span>
              <span class="what">
                <b>{row.title}</b> {row.text}
              </span>
            </button>
            <Button kind="quiet" aria-label={`Take back: ${row.title}`} title="Take back this change" onClick={() => void revert([row], row.title)}>
              ↶
            </Button>
          </li>
        ))}
      </ul>
      {group.count > group.rows.length && <p class="hint">and {group.count - group.rows.length} more</p>}
    </section>
  );
}

function Changes() {
  const from = since.value;
  const { answer: found, error } = useAnswer("changes", { since: moment() }, { rest: CALM });
  useEffect(() => () => board.sketch("change", []), []);
  return (
    <div class="changes">
      <Select label="Changed since" value={from} options={momentOptions()} onCommit={(value) => (since.value = value)} />
      <p class="unseen" role="status">
        {found ? `${found.count} rows are different` : "Comparing"}
      </p>
      {error && <p class="error">{error}</p>}
      {found && found.count === 0 && (
        <Empty title="Nothing is different">
          <p>{from === "saved" ? "The files hold everything. What you change is listed here until you save." : "The board is as it was then."}</p>
        </Empty>
      )}
      {found && found.count > 0 && (
        <>
          <div class="bar">
            {from === "saved" && unsaved.value && <ActionButton id="save">Save</ActionButton>}
            <Button onClick={() => void revert(null, "everything")}>Take back everything …</Button>
          </div>
          {found.story.length > 0 && (
            <section>
              <h4>What it means</h4>
              <ul class="story" aria-label="What it means">
                {found.story.slice(0, 100).map((entry) => (
                  <li key={entry.text}>
                    <button type="button" class="row-of" onClick={() => showElements(entry.elements)}>
                      {entry.text}
                    </button>
                  </li>
                ))}
              </ul>
              {found.story.length > 100 && <p class="hint">and {found.story.length - 100} more</p>}
            </section>
          )}
          {found.groups.map((group) => (
            <Rows key={group.table} group={group} />
          ))}
        </>
      )}
    </div>
  );
}

export const changesPanel: Panel = {
  id: "changes",
  title: "Changes",
  keys: ["Alt+G"],
  badge: () => (unsaved.value ? "•" : null),
  component: Changes,
};
