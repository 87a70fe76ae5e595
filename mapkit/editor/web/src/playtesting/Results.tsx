// What a study says: facts, railroads with bars, seats, players; the board in its colours; its files.
import { board } from "../board";
import { errorText } from "../errors";
import { downloadJob } from "../exporting/jobs";
import { itemsOf } from "../judging/elements";
import { Chip, light, money, shortOf } from "../judging/railroads";
import { currentRailroad, select } from "../selection";
import { cities, mileposts, revision, segments } from "../store";
import { Button, Table, toast, type Column } from "../ui";
import { Colours } from "./Colours";
import type { PlayTestState, Study } from "./tests";
import { matchesText, meanText, number, shareText, sinceText } from "./words";
import type { RailroadFigures as Railroad, Share, UseFigures } from "../generated";

const ON_BOARD = [
  { id: "use", label: "Use" },
  { id: "income", label: "Income" },
] as const;
const MOST_USED = 12;

/** A share as a bar with its interval, beside the figure. */
function Bar({ share, most }: { share: Share; most: number }) {
  const part = (value: number): string => `${most > 0 ? (100 * Math.min(value, most)) / most : 0}%`;
  const wide = Math.min(share.high, most) - share.low;
  return (
    <span class="share-bar">
      <span class="figure">{shareText(share)}</span>
      {share.of > 0 && (
        <span class="track" aria-hidden="true">
          <span class="fill" style={{ width: part(share.share) }} />
          <span class="span" style={{ left: part(share.low), width: part(Math.max(0, wide)) }} />
        </span>
      )}
    </span>
  );
}

const mostOf = (shares: readonly Share[]): number => Math.max(0, ...shares.filter(({ of }) => of > 0).map(({ high }) => high));

function columnsOf(found: Study): readonly Column<Railroad>[] {
  const most = mostOf(found.railroads.flatMap(({ end, first }) => [end, first]));
  const earned = Math.max(1, ...found.railroads.map(({ income }) => income.mean));
  return [
    { id: "railroad", title: "Railroad", width: "5.6rem", cell: (row) => <Chip id={row.railroad} />, sort: (row) => row.short },
    { id: "end", title: "Owner wins %", width: "8rem", sort: (row) => row.end.share, cell: (row) => <Bar share={row.end} most={most} /> },
    {
      id: "income",
      title: "Fees a match",
      width: "7.6rem",
      sort: (row) => row.income.mean,
      cell: (row) => (
        <span class="share-bar">
          <span class="figure">{money(row.income.mean)}</span>
          <span class="track" aria-hidden="true">
            <span class="fill" style={{ width: `${(100 * row.income.mean) / earned}%` }} />
          </span>
        </span>
      ),
    },
    { id: "first", title: "First buyer %", width: "7.6rem", sort: (row) => row.first.share, cell: (row) => <Bar share={row.first} most={most} /> },
    { id: "sell-out", title: "At sell-out %", width: "7rem", align: "right", sort: (row) => row.sell_out.share, cell: (row) => shareText(row.sell_out) },
    { id: "owned", title: "Owned %", width: "5rem", align: "right", sort: (row) => row.end.of, cell: (row) => number((100 * row.end.of) / found.matches, 0) },
    { id: "price", title: "Price", width: "5.2rem", align: "right", sort: (row) => row.price, cell: (row) => money(row.price) },
  ];
}

function Facts({ found }: { found: Study }) {
  const sum = (of: (player: Study["players"][number]) => number): number => found.players.reduce((all, player) => all + of(player), 0);
  const many = found.players.length;
  return (
    <dl class="facts">
      <dt>Rounds</dt>
      <dd>{meanText(found.rounds, 2)}</dd>
      <dt>Trips a player</dt>
      <dd>{number(sum((p) => p.trips.mean) / many, 1)}</dd>
      <dt>Payoffs a match</dt>
      <dd>{money(sum((p) => p.payoffs.mean))}</dd>
      <dt>Fees a match</dt>
      <dd>{money(sum((p) => p.fees_paid.mean))}</dd>
      <dt>Purchases a match</dt>
      <dd>{number(sum((p) => p.purchases.mean), 1)}</dd>
      <dt>Bankruptcies a match</dt>
      <dd>{number(sum((p) => p.bankrupt.mean), 2)}</dd>
      <dt>Sold out</dt>
      <dd>{shareText(found.sold_out)} % of matches</dd>
    </dl>
  );
}

function Seats({ found }: { found: Study }) {
  const most = mostOf([...found.seats, ...found.players.map(({ wins }) => wins)]);
  return (
    <>
      <table class="small">
        <caption>By order of play</caption>
        <thead>
          <tr>
            <th scope="col">Moves</th>
            <th scope="col">Wins %</th>
          </tr>
        </thead>
        <tbody>
          {found.seats.map((seat, k) => (
            <tr key={k}>
              <th scope="row">{["first", "second", "third", "fourth", "fifth", "sixth"][k]}</th>
              <td>
                <Bar share={seat} most={most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="wide">
        <table class="small">
          <caption>By player</caption>
          <thead>
            <tr>
              {["Player", "Wins %", "Trips", "Fees paid", "Fees earned", "Bankrupt %"].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.players.map((player, k) => (
              <tr key={k}>
                <th scope="row">
                  {k + 1} {player.policy}
                </th>
                <td>{shareText(player.wins)}</td>
                <td>{number(player.trips.mean, 1)}</td>
                <td>{money(player.fees_paid.mean)}</td>
                <td>{money(player.fees_earned.mean)}</td>
                <td>{number(100 * player.bankrupt.mean, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** What is used most, by name; a click goes there. */
function Most({ title, uses, name }: { title: string; uses: readonly UseFigures[]; name: (id: string) => string }) {
  const most = [...uses].sort((a, b) => b.times - a.times || (a.id < b.id ? -1 : 1)).slice(0, MOST_USED);
  const often = Math.max(0, ...most.map(({ times }) => times));
  const show = (id: string): void => {
    const items = itemsOf(id);
    select(items);
    if (items.length > 0) board.flyTo(items);
  };
  return (
    <details class="part">
      <summary>{title}</summary>
      <table class="small">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Times a match</th>
          </tr>
        </thead>
        <tbody>
          {most.map(({ id, times }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" class="link" onClick={() => show(id)}>
                  {name(id)}
                </button>
              </th>
              <td>
                <span class="share-bar">
                  <span class="figure">{number(times, 2)}</span>
                  <span class="track" aria-hidden="true">
                    <span class="fill" style={{ width: `${often > 0 ? (100 * times) / often : 0}%` }} />
                  </span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** A segment by its railroad and ends; one that is gone by its id. */
function segmentName(id: string): string {
  const segment = segments.value[id];
  if (!segment) return id;
  const [a, b] = [mileposts.value[segment.a]?.name ?? segment.a, mileposts.value[segment.b]?.name ?? segment.b];
  return `${shortOf(segment.railroad)}: ${a} – ${b}`;
}

/** The files of a play-test, as the command writes them. */
export function Files({ test }: { test: PlayTestState }) {
  return (
    <div class="bar">
      {test.job.files.map(({ name }) => (
        <Button key={name} onClick={() => void downloadJob(test.job, name).catch((error: unknown) => toast(errorText(error), "error"))}>
          {name.endsWith(".html") ? "Download the page" : "Download JSON"}
        </Button>
      ))}
    </div>
  );
}

/** What was played, and of which revision. */
export function Played({ test, found }: { test: PlayTestState; found: { matches: number; variants?: readonly string[]; rules: string } }) {
  const { asked, early } = test;
  const varied = (found.variants ?? []).length > 0 ? `, with ${(found.variants ?? []).join(", ")}` : "";
  return (
    <p class="hint">
      {matchesText(found.matches)}
      {early ? " (stopped early)" : ""} of {asked.players} players, rules {found.rules}
      {varied}, seed {asked.seed}. {sinceText(test, revision.value)}
    </p>
  );
}

export const rulesText = ({ preset, options }: { preset: string; options: readonly string[] }): string =>
  preset + (options.length > 0 ? ` with ${options.join(", ")}` : "");

export function Results({ test, found }: { test: PlayTestState; found: Study }) {
  const id = currentRailroad.value;
  return (
    <section class="stack" aria-label="Results">
      <Played test={test} found={{ matches: found.matches, variants: found.variants, rules: rulesText(found) }} />
      <Colours choices={ON_BOARD} />
      <div class="study-table">
        <Table
          caption="Railroads by play"
          rows={found.railroads}
          rowKey={(row) => row.railroad}
          columns={columnsOf(found)}
          selected={new Set(id === null ? [] : [id])}
          text={(row) => row.short}
          onPick={(row) => light([row.railroad])}
          menu={(row) => [{ id: "row-light", label: `Light up ${row.short}`, keys: "Enter", run: () => light([row.railroad]) }]}
          empty="There is no railroad on this board."
        />
      </div>
      <p class="hint">Whoever is ahead owns more, so owners at the end win more often than first buyers. Choose a railroad to see it on the board.</p>
      <Facts found={found} />
      <Seats found={found} />
      <Most title="Track that is ridden most" uses={found.segments} name={segmentName} />
      <Most title="Cities that are reached most" uses={found.cities} name={(id) => cities.value[id]?.name ?? id} />
      <Files test={test} />
    </section>
  );
}
