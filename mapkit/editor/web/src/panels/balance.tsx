import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { board } from "../board";
import { itemsOf, milepostOf } from "../judging/elements";
import { Chip, light, money, shortOf } from "../judging/railroads";
import { momentOf, momentOptions } from "../judging/moments";
import { RouteFinder } from "../judging/RouteFinder";
import { CALM, useAnswer } from "../asked";
import { showPanel } from "../shell/pane";
import { currentRailroad, select } from "../selection";
import { cities, mileposts, railroads, regions } from "../store";
import { Button, Empty, Select, Table, type Column } from "../ui";
import type { Panel } from "./panel";
import type { BalanceFound as Answer, BalanceRow as Share, CityOdds, CombinationRow as Pair, Holding } from "../generated";

type Part = "railroads" | "pairs" | "cities" | "route";
const PARTS: readonly { id: Part; label: string }[] = [
  { id: "railroads", label: "Railroads" },
  { id: "pairs", label: "Best pairs" },
  { id: "cities", label: "Cities" },
  { id: "route", label: "Route" },
];
const part = signal<Part>("railroads");
const against = signal("saved");
const wantsIncome = signal(false);
const LEAST = 0.005;

/** A change as an arrow and a number; nothing where it is none. */
export function Delta({ by, digits = 2 }: { by: number | null | undefined; digits?: number }) {
  if (by === null || by === undefined || Math.abs(by) < LEAST) return null;
  return (
    <span class={`delta ${by > 0 ? "up" : "down"}`}>
      <span aria-hidden="true">{by > 0 ? "▲" : "▼"}</span>
      <span class="unseen">{by > 0 ? "up by " : "down by "}</span>
      {Math.abs(by).toFixed(digits)}
    </span>
  );
}

function openRailroad(id: string): void {
  currentRailroad.value = id;
  showPanel("railroads", true);
}

function showCity(city: string): void {
  const items = itemsOf(city);
  select(items);
  if (items.length > 0) board.flyTo(items);
}

/** Cities that only these railroads serve, and the others that they serve, marked on the board. */
function markCities(share: Share | undefined, all: readonly CityOdds[]): void {
  const served = new Map(all.map((city) => [city.city, city.railroads.length]));
  board.sketch(
    "balance",
    (share?.cities ?? []).flatMap((city) => {
      const post = mileposts.value[milepostOf(city) ?? ""];
      if (!post) return [];
      const alone = served.get(city) === 1;
      return [{ kind: alone ? ("square" as const) : ("dot" as const), at: [post.x, post.y] as const, radius: alone ? 9 : 6, colour: "--board-gain" }];
    }),
  );
}

const shareColumns: readonly Column<Share>[] = [
  { id: "railroad", title: "Railroad", width: "minmax(6rem, 7rem)", cell: (row) => <Chip id={row.railroad} />, sort: (row) => row.short },
  {
    id: "service",
    title: "Service %",
    width: "7.2rem",
    align: "right",
    sort: (row) => row.service,
    cell: (row) => (
      <span title={row.service_exact}>
        {row.service.toFixed(2)} <Delta by={row.change?.service} />
      </span>
    ),
  },
  {
    id: "monopoly",
    title: "Monopoly %",
    width: "7.2rem",
    align: "right",
    sort: (row) => row.monopoly,
    cell: (row) => (
      <span title={row.monopoly_exact}>
        {row.monopoly.toFixed(2)} <Delta by={row.change?.monopoly} />
      </span>
    ),
  },
  { id: "price", title: "Price", width: "5.2rem", align: "right", sort: (row) => row.price, cell: (row) => (row.public ? "public" : money(row.price)) },
  {
    id: "per",
    title: "% per 1,000",
    width: "6rem",
    align: "right",
    sort: (row) => row.service_per_thousand ?? 0,
    cell: (row) => row.service_per_thousand?.toFixed(3) ?? "",
  },
  {
    id: "pair",
    title: "Best with",
    width: "8rem",
    sort: (row) => row.best_pair?.access.percent ?? 0,
    cell: (row) => (row.best_pair ? `${shortOf(row.best_pair.railroad)}: ${row.best_pair.access.percent.toFixed(1)} %` : ""),
  },
];

function names(ids: readonly string[]): string {
  return ids.map((id) => cities.value[id]?.name ?? id).join(", ");
}

function Income({ now, then }: { now: Holding; then: Holding | undefined }) {
  return (
    <dl class="income">
      <dt>Trips that may use it</dt>
      <dd>
        {now.used_trips.toFixed(1)} % <Delta by={then && now.used_trips - then.used_trips} digits={1} />
      </dd>
      <dt>Mileposts on it, a trip</dt>
      <dd>
        {now.average_haul.toFixed(1)} <Delta by={then && now.average_haul - then.average_haul} digits={1} />
      </dd>
      <dt>Own travel on other lines</dt>
      <dd>
        {now.foreign_travel.toFixed(1)} % <Delta by={then && now.foreign_travel - then.foreign_travel} digits={1} />
      </dd>
      {now.fees.map((fee, i) => (
        <>
          <dt>Fees a trip, {fee.engine}</dt>
          <dd>
            {money(fee.fees)} <Delta by={then && fee.fees - (then.fees[i]?.fees ?? 0)} digits={0} />
          </dd>
        </>
      ))}
    </dl>
  );
}

function Railroads({ answer, asking }: { answer: Answer; asking: boolean }) {
  const id = currentRailroad.value;
  const share = answer.railroads.find((row) => row.railroad === id);
  useEffect(() => markCities(share, answer.cities), [share, answer]);
  const now = id === null ? undefined : answer.income[id];
  return (
    <>
      <Table
        caption="Railroads by service"
        rows={answer.railroads}
        rowKey={(row) => row.railroad}
        columns={shareColumns}
        selected={new Set(id === null ? [] : [id])}
        text={(row) => row.short}
        onPick={(row) => light([row.railroad])}
        menu={(row) => [
          { id: "row-light", label: `Light up ${row.short}`, keys: "Enter", run: () => light([row.railroad]) },
          { id: "row-change", label: `Go to ${row.short} in the table`, run: () => openRailroad(row.railroad) },
        ]}
      />
      {share ? (
        <section class="share" tabIndex={0} aria-label={share.name}>
          <h4>
            {share.name} <Chip id={share.railroad} />
          </h4>
          <p>
            {share.cities.length} cities: {names(share.cities) || "none"}
          </p>
          {share.change && share.change.gained.length > 0 && <p>▲ new: {names(share.change.gained)}</p>}
          {share.change && share.change.lost.length > 0 && <p>▼ lost: {names(share.change.lost)}</p>}
          <p class="hint">Connects with {share.connects.map(shortOf).join(", ") || "none"}. Squares on the board: only it goes there.</p>
          {now ? (
            <Income now={now} then={answer.income_before[share.railroad]} />
          ) : (
            <Button disabled={asking && wantsIncome.value} onClick={() => (wantsIncome.value = true)}>
              {asking && wantsIncome.value ? "Computing its income …" : "Compute its income"}
            </Button>
          )}
        </section>
      ) : (
        <p class="hint">Choose a railroad: its network lights up, and its cities and income are shown here.</p>
      )}
    </>
  );
}

const pairColumns: readonly Column<Pair>[] = [
  {
    id: "pair",
    title: "Pair",
    width: "9rem",
    cell: (row) => (
      <>
        {row.railroads.map((id) => (
          <Chip key={id} id={id} />
        ))}
      </>
    ),
  },
  { id: "access", title: "Access %", align: "right", sort: (row) => row.access, cell: (row) => <span title={row.access_exact}>{row.access.toFixed(2)}</span> },
  { id: "monopoly", title: "Monopoly %", align: "right", sort: (row) => row.monopoly, cell: (row) => row.monopoly.toFixed(2) },
  { id: "price", title: "Price", align: "right", sort: (row) => row.price, cell: (row) => money(row.price) },
];

const cityColumns: readonly Column<CityOdds>[] = [
  { id: "name", title: "City", width: "8.5rem", cell: (row) => row.name, sort: (row) => row.name },
  {
    id: "chance",
    title: "Odds %",
    width: "7.5rem",
    align: "right",
    sort: (row) => row.chance,
    cell: (row) => (
      <span title={row.chance_exact}>
        {row.chance.toFixed(2)} <Delta by={row.change} />
      </span>
    ),
  },
  { id: "exact", title: "Exactly", width: "5rem", align: "right", sort: (row) => row.chance, cell: (row) => row.chance_exact },
  { id: "region", title: "Region", width: "7rem", cell: (row) => regions.value[row.region]?.name ?? row.region, sort: (row) => row.region },
  { id: "by", title: "Served by", width: "9rem", cell: (row) => row.railroads.map(shortOf).join(" "), sort: (row) => row.railroads.length },
];

function Parts() {
  return (
    <div class="bar kinds" role="group" aria-label="What of the balance">
      {PARTS.map(({ id, label }) => (
        <Button key={id} kind="quiet" aria-pressed={part.value === id} onClick={() => (part.value = id)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

function Balance() {
  const id = currentRailroad.value;
  const income = wantsIncome.value && id !== null && id in railroads.value && part.value === "railroads" ? [id] : [];
  const asked = part.value === "route" ? null : { against: momentOf(against.value), income };
  const { answer, error, busy } = useAnswer("balance", asked, { rest: CALM });
  useEffect(() => () => board.sketch("balance", []), [part.value]);
  return (
    <>
      <Parts />
      {part.value === "route" ? (
        <RouteFinder />
      ) : (
        <>
          <Select label="Arrows show the change since" value={against.value} options={momentOptions()} onCommit={(value) => (against.value = value)} />
          {error && <p class="error">{error}</p>}
          {answer && answer.gone_names.length > 0 && <p>▼ gone since then: {answer.gone_names.join(", ")}</p>}
          {answer && answer.railroads.length === 0 && (
            <Empty title="No railroads yet">
              <p>With railroads, cities and destination charts this shows how good each railroad is to own, while you edit.</p>
            </Empty>
          )}
          {answer && answer.railroads.length > 0 && part.value === "railroads" && <Railroads answer={answer} asking={busy} />}
          {answer && part.value === "pairs" && (
            <Table
              caption="Best pairs of railroads"
              rows={answer.pairs}
              rowKey={(row) => row.railroads.join("|")}
              columns={pairColumns}
              onPick={(row) => light(row.railroads)}
              menu={(row) => [{ id: "row-light", label: "Light up both", keys: "Enter", run: () => light(row.railroads) }]}
              empty="Two railroads that can be bought are needed."
            />
          )}
          {answer && part.value === "cities" && (
            <Table
              caption="Odds of the cities"
              rows={answer.cities}
              rowKey={(row) => row.city}
              columns={cityColumns}
              text={(row) => row.name}
              onPick={(row) => showCity(row.city)}
              menu={(row) => [{ id: "row-show", label: `Show ${row.name} on the board`, keys: "Enter", run: () => showCity(row.city) }]}
              empty="There are no cities yet."
            />
          )}
        </>
      )}
    </>
  );
}

export const balancePanel: Panel = { id: "balance", title: "Balance", keys: ["Alt+A"], component: Balance };
