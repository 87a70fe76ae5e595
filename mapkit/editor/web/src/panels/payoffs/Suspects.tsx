// Amounts that the others contradict, with what should stand there: accepted one by one, or a chosen lot as one step.
import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { query } from "../../edit";
import { errorText } from "../../errors";
import { accept as keep, acceptable, unaccept } from "../../judging/accepting";
import { reasonOf } from "../../judging/findings";
import { revision, table } from "../../store";
import { ActionButton, Button, Check, Field, Select, Table, toast, type Column } from "../../ui";
import { amountText } from "./amounts";
import { amount, chooseCell, keyOf, pairText, summary } from "./chart";
import { acceptLabel, setCells, type CellChange } from "./edits";
import { judgeable, judging, residuals, stopped, trouble } from "./judged";
import type { Asking } from "../../wire";
import type { JudgedFinding as PayoffFinding, SuggestionsFound as Formula } from "../../generated";

const ACCEPTED = "accepted";

export interface Suspect {
  key: string;
  a: string;
  b: string;
  value: number | null;
  mirrored: number | null;
  expected: number | null;
  suggested: number | null;
  cause: string;
  score: number | null;
  /** Id of the finding, if this is one that can be accepted as it is. */
  finding: string | null;
  /** Why it is right as it is, if the author accepted it. */
  accepted: string | null;
}

const LISTS = [
  { value: "all", label: "All suspicions" },
  { value: ACCEPTED, label: "Accepted: right as they are" },
  { value: "P08", label: "Contradicted by the other amounts" },
  { value: "P02", label: "Empty cells" },
  { value: "P03", label: "Two halves that differ" },
  { value: "P06", label: "Off the grid" },
  { value: "P12", label: "Trips that pay more than their parts" },
  { value: "off", label: "Every amount, by how far it is off" },
  { value: "formula", label: "What a formula of distances gives" },
];
const TYPED = "typed";
/** As many amounts as a formula can be fitted to; `FEWEST` of mapkit/kinds/rail/charts/payoffs/compute.py. */
const FEWEST = 10;
type Wish = "" | typeof TYPED | NonNullable<Asking<"payoff-suggestions">["model"]>;
const FORMULAS: readonly { readonly value: Wish; readonly label: string }[] = [
  { value: "", label: "as in board.toml, or rail miles" },
  { value: TYPED, label: "typed here" },
  { value: "rail", label: "rail miles" },
  { value: "ground", label: "straight miles" },
  { value: "rail-ground", label: "rail and straight miles" },
  { value: "moves", label: "mileposts" },
  { value: "rail-ground-moves", label: "all three" },
];
const list = signal("all");
const chosen = signal<ReadonlySet<string>>(new Set());
const AT_LEAST = [
  { value: "0", label: "any chance" },
  { value: "0.5", label: "50 % or more" },
  { value: "0.9", label: "90 % or more" },
];
const least = signal("0");

/** One line a pair: the form of the chart first, then the likeliest. */
function ofFindings(findings: readonly PayoffFinding[], code: string): Suspect[] {
  const found = new Map<string, Suspect>();
  for (const f of findings) {
    const [a, b] = f.elements;
    if (f.elements.length !== 2 || !a || !b || f.data.cells) continue;
    const accepted = reasonOf(f);
    if (code === ACCEPTED ? accepted === null : code === "all" ? f.code === "P12" || accepted !== null : f.code !== code) continue;
    const key = keyOf(a, b);
    const had = found.get(key);
    if (had && (had.score ?? 1) >= (f.data.score ?? 0)) continue;
    found.set(key, {
      key,
      a,
      b,
      value: f.data.value ?? null,
      mirrored: f.data.mirrored ?? null,
      expected: f.data.expected ?? null,
      suggested: f.data.suggested ?? null,
      cause: f.data.cause ?? "",
      score: f.data.score ?? null,
      finding: acceptable(f) ? f.id : null,
      accepted,
    });
  }
  return [...found.values()];
}

type Rate = "base" | "rail" | "ground" | "moves" | "step";
const RATES: readonly (readonly [Rate, string])[] = [
  ["base", "Any trip, thousands"],
  ["rail", "More per 100 rail miles"],
  ["ground", "More per 100 straight miles"],
  ["moves", "More per milepost"],
  ["step", "Round to, thousands"],
];
/** The classic chart of the United States pays about so much (`mapkit payoffs compute usa --calibrate`). */
const typedRates = signal<Readonly<Record<Rate, string>>>({ base: "0", rail: "1.1", ground: "0", moves: "0", step: "0.5" });

/** Show what a formula of distances gives, as a chart without amounts needs it. */
export function offerFormula(): void {
  list.value = "formula";
}

const payoffs = table("payoffs");
const acceptances = table("accepted");
const settings = table("settings");

interface Offer {
  rows: readonly Suspect[];
  text: string;
  model: Wish;
  /** The formulas that can be had: few amounts fit none. */
  models: typeof FORMULAS;
  setModel: (model: Wish) => void;
}

function useFormula(): Offer {
  const [wish, setModel] = useState<Wish>("");
  const own = Object.keys(settings.value).some((key) => key.startsWith("payoffs."));
  const few = summary.value.filled < FEWEST;
  const models = few ? FORMULAS.filter(({ value }) => value === TYPED || (own && value === "")) : FORMULAS;
  const model = models.some(({ value }) => value === wish) ? wish : (models[0]?.value ?? TYPED);
  const figures = Object.fromEntries(RATES.map(([id]) => [id, Number(typedRates.value[id].replace(",", ".") || NaN)]));
  const wanted: Asking<"payoff-suggestions"> =
    model === TYPED ? { formula: { model: "rail-ground-moves", ...figures } } : model ? { model } : {};
  const asked = JSON.stringify(wanted);
  const wrong = model === TYPED ? RATES.find(([id]) => Number.isNaN(figures[id])) : undefined;
  const [got, setGot] = useState<Formula | null>(null);
  const [error, setError] = useState("");
  const open = list.value === "formula";
  useEffect(() => {
    if (!open || summary.value.cities < 2) return undefined;
    if (wrong) return setError(`${wrong[1]}: type a figure, such as 1.5.`);
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        query("payoff-suggestions", wanted, stop.signal).then(
          (found) => {
            setGot(found);
            setError("");
          },
          (wrong: unknown) => {
            if (!stop.signal.aborted) setError(errorText(wrong));
          },
        );
      },
      got ? 500 : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [open, asked, payoffs.value]);
  const rows = useMemo(
    () =>
      (got?.cells ?? []).map((c) => ({ ...c, key: keyOf(c.a, c.b), mirrored: null, expected: c.suggested, cause: "formula", score: null, finding: null, accepted: null })),
    [got],
  );
  const m = got?.model;
  const parts = m ? ([["rail", "100 rail miles"], ["ground", "100 straight miles"], ["moves", "milepost"]] as const).flatMap(([id, of]) => (m[id] ? [`${m[id].toFixed(3)} per ${of}`] : [])) : [];
  return { rows, text: error || (m ? `${m.base.toFixed(2)} + ${parts.join(" + ")}, rounded to ${m.step}` : ""), model, models, setModel };
}

const causeText = (row: Suspect): string => (row.accepted === null ? row.cause : `accepted: ${row.accepted}`);

const columns = (accept: (row: Suspect) => void): Column<Suspect>[] => [
  {
    id: "pick",
    title: "",
    width: "28px",
    cell: (row) =>
      row.suggested === null ? (
        ""
      ) : (
        <input
          type="checkbox"
          aria-label={`Choose ${pairText(row.a, row.b)}`}
          checked={chosen.value.has(row.key)}
          onClick={(event) => event.stopPropagation()}
          onChange={() => {
            const next = new Set(chosen.value);
            if (!next.delete(row.key)) next.add(row.key);
            chosen.value = next;
          }}
        />
      ),
  },
  { id: "trip", title: "Trip", width: "minmax(126px, 176px)", cell: (row) => <span title={pairText(row.a, row.b)}>{pairText(row.a, row.b)}</span>, sort: (row) => pairText(row.a, row.b) },
  {
    id: "value",
    title: "Is",
    width: "68px",
    align: "right",
    cell: (row) => (row.mirrored === null ? amountText(row.value) || "–" : `${amountText(row.value) || "–"} / ${row.mirrored}`),
    sort: (row) => row.value ?? -1,
  },
  {
    id: "suggested",
    title: "Put",
    width: "48px",
    align: "right",
    cell: (row) =>
      row.suggested === null ? (
        ""
      ) : (
        <button
          type="button"
          class="link"
          title={`Accept ${row.suggested} for ${pairText(row.a, row.b)}`}
          aria-label={`Accept ${row.suggested} for ${pairText(row.a, row.b)}`}
          onClick={(event) => {
            event.stopPropagation();
            accept(row);
          }}
        >
          {row.suggested}
        </button>
      ),
    sort: (row) => row.suggested ?? -1,
  },
  { id: "score", title: "Wrong", width: "66px", align: "right", cell: (row) => (row.score === null ? "" : `${Math.round(row.score * 100)} %`), sort: (row) => -(row.score ?? 0) },
  { id: "expected", title: "Exp.", width: "52px", align: "right", cell: (row) => (row.expected === null ? "" : row.expected.toFixed(1)), sort: (row) => row.expected ?? -1 },
  { id: "cause", title: "Cause", width: "minmax(170px, 1fr)", cell: (row) => <span title={causeText(row)}>{causeText(row)}</span>, sort: causeText },
  {
    id: "keep",
    title: "",
    width: "72px",
    cell: (row) =>
      row.finding === null ? (
        ""
      ) : (
        <button
          type="button"
          class="link"
          aria-label={row.accepted === null ? `Keep ${pairText(row.a, row.b)} as it is` : `No longer accept ${pairText(row.a, row.b)}`}
          title={row.accepted === null ? "Accept it as it is, and say why" : "Take the acceptance back"}
          onClick={(event) => {
            event.stopPropagation();
            const finding = { id: row.finding ?? "" };
            void (row.accepted === null ? keep(finding) : unaccept(finding));
          }}
        >
          {row.accepted === null ? "Keep …" : "Take back"}
        </button>
      ),
  },
];

/** How many trips are listed, or that the amounts are being judged, or that the author has stopped that. */
function Judging({ trips }: { trips: number }) {
  return (
    <>
      <span class="hint" role="status">
        {stopped.value ? "Stopped" : judging.value ? "Judging …" : `${trips} ${trips === 1 ? "trip" : "trips"}`}
      </span>
      {stopped.value && <ActionButton id="payoff-judge">Judge all</ActionButton>}
      {judging.value && <ActionButton id="payoff-stop">Stop</ActionButton>}
    </>
  );
}

export function Suspects() {
  const seen = revision.value;
  const judged = residuals.value;
  const formula = useFormula();
  const rows = useMemo(() => {
    if (list.value === "formula") return formula.rows;
    if (!judged) return [];
    if (list.value === "off")
      return judged.cells
        .filter((c) => c.value !== null)
        .map((c) => ({ ...c, key: keyOf(c.a, c.b), mirrored: null, cause: c.score !== null && c.score >= judged.flag ? c.slip : "", suggested: null, finding: null, accepted: null }))
        .sort((x, y) => Math.abs((y.value ?? 0) - y.expected) / y.sd - Math.abs((x.value ?? 0) - x.expected) / x.sd);
    return ofFindings(judged.findings, list.value).filter((s) => (s.score ?? 1) >= Number(least.value));
  }, [judged, list.value, formula.rows, least.value, acceptances.value]);
  const change = (row: Suspect): CellChange => [row.a, row.b, row.suggested];
  const accept = (lot: readonly Suspect[]): void => {
    const cells = lot.filter((row) => row.suggested !== null).map(change);
    if (cells.length === 0) return;
    const next = new Set(chosen.value);
    for (const row of lot) next.delete(row.key);
    chosen.value = next;
    void setCells(acceptLabel(cells), cells, seen);
  };
  const shape = useMemo(() => columns((row) => accept([row])), [seen]);
  const picked = rows.filter((row) => row.suggested !== null && chosen.value.has(row.key));
  const able = rows.filter((row) => row.suggested !== null);
  const structures = judged?.findings.filter((f) => f.data.cells && f.data.cells.length > 0 && reasonOf(f) === null) ?? [];
  return (
    <section class="payoff-suspects" aria-label="Suspects">
      <h3>Suspects</h3>
      {!judgeable.value && <p class="hint">With 8 cities and 3 amounts a city, each amount is judged here by all the others.</p>}
      {trouble.value && <p class="error">{trouble.value}</p>}
      <div class="payoff-options">
        <Select label="List" value={list.value} options={LISTS} onCommit={(id) => (list.value = id)} />
        {list.value === "formula" ? (
          <Select label="Formula" value={formula.model} options={formula.models} onCommit={formula.setModel} />
        ) : (
          list.value !== "off" && <Select label="Wrong with" value={least.value} options={AT_LEAST} onCommit={(id) => (least.value = id)} />
        )}
      </div>
      {list.value === "formula" && formula.model === TYPED && (
        <div class="payoff-rates">
          {RATES.map(([id, label]) => (
            <Field key={id} label={label} value={typedRates.value[id]} onInput={(text) => (typedRates.value = { ...typedRates.value, [id]: text })} />
          ))}
        </div>
      )}
      {list.value === "formula" && formula.text && <p class="hint">{formula.text}</p>}
      {structures.map((f) => (
        <div class="payoff-structure" key={f.id}>
          <p>{f.message}</p>
          <div class="bar">
            <Button
              onClick={() => {
                const cells = (f.data.cells ?? []).map((c): CellChange => [c.a, c.b, c.suggested]);
                void setCells(`Fix ${cells.length} payoffs: ${f.message}`, cells, seen);
              }}
            >
              Fix {f.data.cells?.length} payoffs
            </Button>
            <Button onClick={() => void keep(f)}>Keep as it is …</Button>
            <Button kind="quiet" onClick={() => {
                const first = f.data.cells?.[0];
                if (first) chooseCell(first.a, first.b);
              }}>
              Go there
            </Button>
          </div>
        </div>
      ))}
      <div class="bar payoff-lot">
        <Check
          label="All"
          checked={able.length > 0 && picked.length === able.length}
          disabled={able.length === 0}
          onCommit={(on) => (chosen.value = new Set(on ? able.map((row) => row.key) : []))}
        />
        <Button kind="primary" disabled={picked.length === 0} onClick={() => accept(picked)}>
          Accept {picked.length} chosen
        </Button>
        <Judging trips={rows.length} />
      </div>
      <Table
        caption="Suspects"
        rows={rows}
        rowKey={(row) => row.key}
        columns={shape}
        selected={chosen.value}
        text={(row) => pairText(row.a, row.b)}
        onPick={(row) => chooseCell(row.a, row.b)}
        menu={(row) => {
          const finding = row.finding === null ? null : { id: row.finding };
          return [
            { id: "row-open", label: "Go to it in the chart", keys: "Enter", run: () => chooseCell(row.a, row.b) },
            ...(row.suggested === null ? [] : [{ id: "row-take", label: `Take ${amountText(row.suggested)}`, run: () => accept([row]) }]),
            ...(finding === null ? [] : row.accepted === null ? [{ id: "row-keep", label: "Keep it as it is …", run: () => void keep(finding) }] : [{ id: "row-keep", label: "Take the acceptance back", run: () => void unaccept(finding) }]),
          ];
        }}
        empty={judged || list.value === "formula" ? "Nothing here." : "Not judged yet."}
      />
    </section>
  );
}

/** The next suspect of the chosen list after the chosen trip, round and round. */
export function nextSuspect(a: string, b: string): void {
  const all = ofFindings(residuals.value?.findings ?? [], list.value === "off" || list.value === "formula" ? "all" : list.value);
  const at = all.findIndex((row) => row.key === keyOf(a, b));
  const next = all[(at + 1) % Math.max(1, all.length)];
  if (next) chooseCell(next.a, next.b);
  else toast(residuals.value ? "No amount is suspect." : "The amounts are still being judged; try again in a moment.");
}

export const firstEmpty = (empty: readonly (readonly [string, string])[], a: string, b: string): void => {
  const at = empty.findIndex((pair) => keyOf(...pair) === keyOf(a, b));
  const next = empty[(at + 1) % Math.max(1, empty.length)];
  if (next && amount(...next) === null) chooseCell(...next);
};
