// What a chart gives: rolls of 72 and percent within it, the chance of all trips, and what is wanted instead.
import { signal } from "@preact/signals";
import { query } from "../../edit";
import { errorText } from "../../errors";
import { table } from "../../store";
import { Button, toast } from "../../ui";
import { armed, chart, odds, picked, fill, proposal, propose, REGIONS, rolls, takeProposal, thing, thingsOf, WHOLE, type Proposal, type Thing } from "./state";
import { startBrush } from "./brush";

const wants = signal<Readonly<Record<string, string>>>({});
const solving = signal(false);
const SECONDS = 3;

export function forgetWants(): void {
  wants.value = {};
}

async function solve(): Promise<void> {
  const of = chart.value;
  const percent: Record<string, number> = {};
  for (const [item, text] of Object.entries(wants.value)) {
    if (text.trim() === "") continue;
    const value = Number(text.replace("%", ""));
    if (!Number.isFinite(value) || value < 0 || value > 100) {
      toast(`${text} is not a share; type a figure from 0 to 100.`, "error");
      return;
    }
    percent[item] = value;
  }
  if (Object.keys(percent).length === 0) return void toast("Type the percent that you want beside a name first.");
  solving.value = true;
  try {
    propose(await query("solve-destinations", { chart: of, percent, seconds: SECONDS }).then((found) => ({ ...found, chart: of })));
  } catch (error) {
    toast(errorText(error), "error");
  }
  solving.value = false;
}

/** Wish that all have the same chance, as nearly as 72 rolls allow, and look for that chart. */
function wishEqual(all: readonly Thing[]): void {
  wants.value = Object.fromEntries(all.map((one) => [one.id, (100 / all.length).toFixed(4)]));
  void solve();
}

const share = (rolls72: number): string => `${((rolls72 / WHOLE) * 100).toFixed(2)} %`;

function Row({ one, now }: { one: Thing; now: number }) {
  const of = chart.value;
  const overall = of === REGIONS ? null : odds.value?.cities[one.id];
  const offered = proposal.value?.items[one.id];
  const said = table("declared").value[`${of}/${one.id}`]?.["odds"];
  return (
    <tr class={now === 0 ? "never" : ""}>
      <th scope="row">
        <button
          type="button"
          class={`grip${armed.value === one.id ? " armed" : ""}`}
          title={`Drag ${one.name} over cells, or click to put it into the chosen ones`}
          onPointerDown={(event) => {
            if (event.button === 0) startBrush(one.id, event.clientX, event.clientY);
          }}
          onClick={() => {
            armed.value = one.id;
            void fill(of, picked.value, one.id);
          }}
        >
          <span class="stripe" style={{ background: one.colour }} />
          {one.name}
        </button>
        {typeof said === "string" && <small class="soft"> said {said}</small>}
      </th>
      <td class="right">
        {now}/{WHOLE}
        {offered && offered.got !== now && <b class={offered.got > now ? "more" : "less"}> → {offered.got}</b>}
        <br />
        <span class="soft">{share(now)}</span>
        {offered && offered.got !== now && <b class={offered.got > now ? "more" : "less"}> → {share(offered.got)}</b>}
      </td>
      {of !== REGIONS && (
        <td class="right" title="Of all destinations">
          {overall?.exact ?? "…"}
          <br />
          <span class="soft">{overall ? `${overall.percent.toFixed(2)} %` : ""}</span>
        </td>
      )}
      <td>
        <input
          class="want"
          inputMode="decimal"
          aria-label={`Percent wanted for ${one.name}`}
          placeholder="–"
          value={wants.value[one.id] ?? ""}
          onInput={(event) => (wants.value = { ...wants.value, [one.id]: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            void solve();
          }}
        />
      </td>
    </tr>
  );
}

export function OddsTable() {
  const of = chart.value;
  const counts = rolls(of);
  const own = thingsOf(of);
  const foreign = [...counts.keys()].filter((id) => own.every((one) => one.id !== id)).map((id) => thing(of, id));
  const empty = WHOLE - [...counts.values()].reduce((sum, value) => sum + value, 0);
  const offered = proposal.value;
  const asked = Object.values(wants.value).some((text) => text.trim() !== "");
  return (
    <div class="odds">
      <table aria-label={of === REGIONS ? "Odds of regions" : "Odds of cities"}>
        <thead>
          <tr>
            <th scope="col">{of === REGIONS ? "Region" : "City"}</th>
            <th scope="col" class="right">
              {of === REGIONS ? "Chance" : "In here"}
            </th>
            {of !== REGIONS && (
              <th scope="col" class="right">
                Of all
              </th>
            )}
            <th scope="col" title="Type what you want, then find the nearest chart">
              Want %
            </th>
          </tr>
        </thead>
        <tbody>
          {[...own, ...foreign].map((one) => (
            <Row key={one.id} one={one} now={counts.get(one.id) ?? 0} />
          ))}
          {empty > 0 && (
            <tr class="never">
              <th scope="row">Empty cells</th>
              <td class="right">
                {empty}/{WHOLE}
                <br />
                {share(empty)}
              </td>
              {of !== REGIONS && <td />}
              <td />
            </tr>
          )}
        </tbody>
      </table>
      <div class="bar">
        {offered ? (
          <>
            <Button kind="primary" onClick={() => void takeProposal(offered).then(forgetWants)}>
              Take this chart
            </Button>
            <Button onClick={() => propose(null)}>Leave it</Button>
          </>
        ) : (
          <>
            <Button disabled={!asked || solving.value} onClick={() => void solve()}>
              {solving.value ? "Solving …" : "Find the nearest chart"}
            </Button>
            <Button disabled={own.length === 0 || solving.value} onClick={() => wishEqual(own)}>
              Equal chances
            </Button>
          </>
        )}
        {asked && !offered && (
          <Button kind="quiet" onClick={forgetWants}>
            Forget wishes
          </Button>
        )}
      </div>
      {offered && (
        <p role="status" class="soft">
          {outcome(offered)}
        </p>
      )}
    </div>
  );
}

function outcome(offered: Proposal): string {
  const wishes = Object.entries(wants.value).filter(([, text]) => text.trim() !== "");
  const got = wishes.map(([item]) => `${thing(offered.chart, item).name} gets ${offered.items[item]?.percent.toFixed(2) ?? 0} %`);
  const proof = offered.proven ? "No legal chart comes nearer." : "Nothing nearer was found in the time.";
  return [`${got.join(", ")}.`, proof, ...offered.notes].join(" ");
}
