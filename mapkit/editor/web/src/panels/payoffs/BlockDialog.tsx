// Fill, scale or round the chosen block as one step, with its effect shown before.
import { useEffect, useState } from "preact/hooks";
import { query, run } from "../../edit";
import { errorText } from "../../errors";
import { revision } from "../../store";
import { Button, Dialog, Field, openDialog, Select, Table } from "../../ui";
import type { Command } from "../../wire";
import { amountText, readAmount } from "./amounts";
import { amount, blockPairs, keyOf, pairText, summary, type Pair } from "./chart";
import { fill, setCells, type CellChange } from "./edits";
import { cellsByKey, residuals } from "./judged";
import type { Planned, PlannedChange } from "../../generated";

type What = "fill" | "expected" | "scale" | "round";
export function openBlock(what: What): void {
  const pairs = blockPairs.value;
  const seen = revision.value;
  openDialog((close) => <BlockDialog first={what} pairs={pairs} seen={seen} close={close} />);
}

/** What the other amounts expect, on the grid of the chart. */
function expected(pairs: readonly Pair[]): CellChange[] {
  const step = residuals.value?.step ?? 0.5;
  return pairs.flatMap(([a, b]): CellChange[] => {
    const cell = cellsByKey.value.get(keyOf(a, b));
    return cell ? [[a, b, Math.max(step, Math.round(cell.expected / step) * step)]] : [];
  });
}

/** What a row of the payoffs says. */
const thousands = (row: PlannedChange["before"]): number | null => (typeof row?.["thousands"] === "number" ? row["thousands"] : null);

function BlockDialog({ first, pairs, seen, close }: { first: What; pairs: readonly Pair[]; seen: number; close: () => void }) {
  const [what, setWhat] = useState(first);
  const [value, setValue] = useState("");
  const [factor, setFactor] = useState("1.1");
  const [step, setStep] = useState("0.5");
  const [plan, setPlan] = useState<Planned | null>(null);
  const [error, setError] = useState("");
  const made = ((): { command: Command; cells?: readonly CellChange[]; label?: string } | { why: string } => {
    if (pairs.length === 0) return { why: "The chosen block has no trips; choose cells off the diagonal." };
    if (what === "fill") {
      const read = readAmount(value, summary.value.largest);
      return "why" in read ? read : { command: fill(pairs, read.value) };
    }
    if (what === "expected") {
      const cells = expected(pairs);
      return cells.length > 0
        ? { command: { kind: "set-payoffs", cells }, cells, label: `Fill ${cells.length} payoffs with what is expected` }
        : { why: "Nothing is expected here yet: the chart has too few amounts." };
    }
    const grid = Number(step);
    if (!(grid > 0 && grid <= 1000)) return { why: "The grid is a number above 0, such as 0.5." };
    if (what === "round") return { command: { kind: "scale-payoffs", pairs, step: grid } };
    const by = Number(factor.replace(",", "."));
    if (!(by > 0 && by <= 1000)) return { why: "The factor is a number above 0, such as 1.1." };
    return { command: { kind: "scale-payoffs", pairs, factor: by, step: grid } };
  })();
  const command = "command" in made ? made.command : null;
  useEffect(() => {
    if (!command) {
      setPlan(null);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      query("plan", { command, most: 2000 }, stop.signal).then(
        (got) => {
          setPlan(got);
          setError("");
        },
        (wrong: unknown) => {
          if (!stop.signal.aborted) setError(errorText(wrong));
        },
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [JSON.stringify(command)]);
  const count = plan?.counts["payoffs"] ?? 0;
  const moved = (plan?.changes ?? []).flatMap((c) => {
    const [was, now] = [thousands(c.before), thousands(c.after)];
    return was !== null && now !== null ? [now - was] : [];
  });
  const mean = moved.reduce((sum, by) => sum + by, 0) / (moved.length || 1);
  const go = (): void => {
    if (!command) return;
    close();
    if ("label" in made && made.label && made.cells) void setCells(made.label, made.cells, seen);
    else void run(command, { seen });
  };
  const filled = pairs.filter(([a, b]) => amount(a, b) !== null).length;
  return (
    <Dialog
      title="Change the chosen block"
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" disabled={!command || count === 0} onClick={go}>
            {count === 0 ? "Nothing changes" : `Change ${count} ${count === 1 ? "payoff" : "payoffs"}`}
          </Button>
        </>
      }
    >
      <form
        class="payoff-block"
        method="dialog"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          // a form of several fields has no Enter of its own
          if (event.key === "Enter" && event.target instanceof HTMLInputElement && count > 0) {
            event.preventDefault();
            go();
          }
        }}
      >
        <p class="hint">
          {pairs.length} {pairs.length === 1 ? "trip" : "trips"}, {pairs.length - filled} of them empty.
        </p>
        <Select
          label="What to do"
          value={what}
          options={[
            { value: "fill", label: "Fill with one amount" },
            { value: "expected", label: "Fill with what the other amounts expect" },
            { value: "scale", label: "Scale by a factor, and round" },
            { value: "round", label: "Round to a grid" },
          ]}
          onCommit={(id) => setWhat(id)}
        />
        {what === "fill" && <Field label="Amount in thousands; nothing empties the cells" value={value} onInput={setValue} autoFocus />}
        {what === "scale" && <Field label="Factor" value={factor} onInput={setFactor} autoFocus />}
        {(what === "scale" || what === "round") && <Field label="Round to, thousands" value={step} onInput={setStep} autoFocus={what === "round"} />}
        {"why" in made && <p class="error">{made.why}</p>}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <p role="status">
          {plan &&
            `${count} of ${pairs.length} will change${moved.length > 0 ? `, by ${mean >= 0 ? "+" : ""}${mean.toFixed(2)} on average` : ""}. Undo will say: ${"label" in made && made.label ? made.label : plan.label}.`}
        </p>
        {plan && count > 0 && (
          <Table
            caption="Effect on the block"
            rows={plan.changes}
            rowKey={(row) => row.key}
            columns={[
              {
                id: "trip",
                title: "Trip",
                width: "3fr",
                cell: (row) => pairText(...(row.key.split("|") as [string, string])),
                sort: (row) => pairText(...(row.key.split("|") as [string, string])),
              },
              { id: "was", title: "Is", align: "right", cell: (row) => amountText(thousands(row.before)) || "empty" },
              { id: "now", title: "Will be", align: "right", cell: (row) => amountText(thousands(row.after)) || "empty" },
            ]}
          />
        )}
      </form>
    </Dialog>
  );
}
