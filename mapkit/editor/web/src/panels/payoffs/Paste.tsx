// Pasting from a spreadsheet: what will change, what cannot be read, which names are unknown; one step.
import { useEffect, useMemo, useState } from "preact/hooks";
import { query } from "../../edit";
import { errorText } from "../../errors";
import { revision } from "../../store";
import { Button, Check, Dialog, openDialog, Select, Table, toast } from "../../ui";
import { amountText } from "./amounts";
import { anchor, block, chartCities, cityName, onGrid, order, pairText } from "./chart";
import { setCell, setCells } from "./edits";
import type { Pasted, PasteRead as Answer } from "../../generated";

type Options = Required<Pick<Pasted, "accept" | "unit" | "halves" | "clear">>;

/** Where a block without names goes: the top left of what is chosen. */
function body(text: string, options: Options, from: { row: number; col: number }): Pasted {
  return { text, rows: order.value.slice(from.row), columns: order.value.slice(from.col), ...options };
}

const PLAIN: Options = { accept: {}, unit: "auto", halves: "leave", clear: false };

/** Paste a text; a single amount that is clear is set at once, anything else is shown first. */
export function openPaste(text: string, wish: Partial<Options> = {}): void {
  const plain = { ...PLAIN, ...wish };
  const from = onGrid({ row: block.value.top, col: block.value.left });
  const seen = revision.value;
  const show = (): void => {
    openDialog((close) => <PasteDialog given={text} plain={plain} from={from} seen={seen} close={close} />);
  };
  if (text.trim() === "" || /[\t\n;]/.test(text.trim())) {
    show();
    return;
  }
  void query("payoff-paste", body(text, plain, onGrid(anchor.value))).then(
    (answer) => {
      const only = answer.cells[0];
      const clear = answer.unread_count + answer.names.length + answer.diagonal.length === 0 && answer.note === "";
      if (answer.cells.length === 1 && only && clear) void setCell([only[0], only[1]], only[2]);
      else if (!(clear && answer.cells.length === 0 && answer.same === 1)) show();
    },
    () => show(),
  );
}

interface Given {
  given: string;
  plain: Options;
  from: { row: number; col: number };
  seen: number;
  close: () => void;
}

function PasteDialog({ given, plain, from, seen, close }: Given) {
  const [text, setText] = useState(given);
  const [options, setOptions] = useState(plain);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState("");
  useEffect(() => {
    if (text.trim() === "") {
      setAnswer(null);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        query("payoff-paste", body(text, options, from), stop.signal).then(
          (got) => {
            setAnswer(got);
            setError("");
          },
          (wrong: unknown) => {
            if (stop.signal.aborted) return;
            setAnswer(null);
            setError(errorText(wrong));
          },
        );
      },
      answer ? 150 : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, options]);
  const count = answer?.cells.length ?? 0;
  const paste = async (): Promise<void> => {
    if (!answer) return;
    close();
    const done = await setCells(`Paste ${count} ${count === 1 ? "payoff" : "payoffs"}`, answer.cells, seen);
    if (done.ok) toast(`Pasted ${count} ${count === 1 ? "payoff" : "payoffs"}; undo takes all of them back.`);
  };
  const set = (change: Partial<Options>): void => setOptions({ ...options, ...change });
  return (
    <Dialog
      title="Paste into the payoff chart"
      wide
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" disabled={count === 0} onClick={() => void paste()}>
            {count === 0 ? "Nothing to paste" : `Paste ${count} ${count === 1 ? "payoff" : "payoffs"}`}
          </Button>
        </>
      }
    >
      {given.trim() === "" && (
        <label class="payoff-text">
          Cells copied from a spreadsheet, with or without names of cities
          <textarea data-first="" rows={5} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      )}
      <p class="hint">
        A block without names goes to {cityName(order.value[from.row] ?? "")} - {cityName(order.value[from.col] ?? "")} and on to the
        right and down; one with names goes where the names say. Each amount counts for both halves.
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {answer && <WhatWillChange answer={answer} options={options} set={set} />}
    </Dialog>
  );
}

const many = (n: number, word: string): string => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

function WhatWillChange({ answer, options, set }: { answer: Answer; options: Options; set: (change: Partial<Options>) => void }) {
  const rows = useMemo(() => answer.cells.map(([a, b, now], i) => ({ a, b, now, was: answer.was[i] ?? null })), [answer]);
  const cities = useMemo(() => [...chartCities.value].sort((a, b) => cityName(a).localeCompare(cityName(b))), []);
  const known = Object.keys(options.accept);
  const lost = [
    answer.unread_count > 0 ? `${many(answer.unread_count, "cell")} cannot be read` : "",
    answer.diagonal.length > 0 ? `${many(answer.diagonal.length, "amount")} from a city to itself left out` : "",
    answer.beyond.rows + answer.beyond.columns > 0
      ? `${many(answer.beyond.rows, "row")} and ${many(answer.beyond.columns, "column")} do not fit and are left out`
      : "",
  ].filter(Boolean);
  return (
    <div class="payoff-paste">
      <p role="status" class="payoff-sum">
        <strong>{many(answer.cells.length, "payoff")} will change</strong>, {answer.same} stay the same. {answer.layout};{" "}
        {answer.unit === "whole" ? "whole money, shown in thousands" : answer.unit}.{answer.empty > 0 && ` ${many(answer.empty, "empty cell")} of the block left as it is here.`}
      </p>
      {lost.length > 0 && <p class="error">{lost.join("; ")}.</p>}
      {answer.note && <p class="error">{answer.note}</p>}
      <div class="payoff-options">
        <Select
          label="Amounts are"
          value={options.unit}
          options={[
            { value: "auto", label: "as the numbers suggest" },
            { value: "thousands", label: "thousands" },
            { value: "whole", label: "whole money" },
          ]}
          onCommit={(unit) => set({ unit })}
        />
        <Select
          label={`Where two halves differ (${answer.halves.length})`}
          value={options.halves}
          options={[
            { value: "leave", label: "leave the chart as it is" },
            { value: "upper", label: "take the upper half" },
            { value: "lower", label: "take the lower half" },
          ]}
          onCommit={(halves) => set({ halves })}
        />
        <Check label="Empty cells empty the chart's" checked={options.clear} onCommit={(clear) => set({ clear })} />
      </div>
      {(answer.names.length > 0 || known.length > 0) && (
        <section>
          <h3>Names that are not city of this chart</h3>
          <div class="payoff-options">
            {[...known.map((typed) => ({ typed, near: [] as Answer["names"][number]["near"] })), ...answer.names].map(({ typed, near }) => (
              <Select
                key={typed}
                label={typed}
                value={options.accept[typed] ?? "?"}
                options={[
                  ...(typed in options.accept ? [] : [{ value: "?", label: "left out; who is it?" }]),
                  { value: "", label: "leave it out" },
                  ...near.map((city) => ({ value: city.id, label: `${city.name}, perhaps` })),
                  ...cities.map((id) => ({ value: id, label: cityName(id) })),
                ]}
                onCommit={(id) => set({ accept: { ...options.accept, [typed]: id } })}
              />
            ))}
          </div>
        </section>
      )}
      {answer.matched.length > 0 && (
        <p class="hint">Taken as: {answer.matched.map((m) => `${m.typed} is ${cityName(m.city)}`).join(", ")}.</p>
      )}
      {answer.unread.length > 0 && (
        <details open={answer.unread.length < 6}>
          <summary>Cells that cannot be read</summary>
          <ul class="plain">
            {answer.unread.map((cell) => (
              <li key={cell.where}>
                {cell.where}: “{cell.text}” <span class="figure">{cell.why}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {answer.halves.length > 0 && (
        <details>
          <summary>Pairs whose two cells differ in the block</summary>
          <ul class="plain">
            {answer.halves.map((half) => (
              <li key={`${half.a}|${half.b}`}>
                {pairText(half.a, half.b)}: {half.upper} above the diagonal, {half.lower} below
              </li>
            ))}
          </ul>
        </details>
      )}
      {rows.length > 0 && (
        <Table
          caption="What will change"
          rows={rows}
          rowKey={(row) => `${row.a}|${row.b}`}
          columns={[
            { id: "trip", title: "Trip", width: "3fr", cell: (row) => pairText(row.a, row.b), sort: (row) => pairText(row.a, row.b) },
            { id: "was", title: "Is", align: "right", cell: (row) => amountText(row.was) || "empty", sort: (row) => row.was ?? -1 },
            { id: "now", title: "Will be", align: "right", cell: (row) => amountText(row.now) || "empty", sort: (row) => row.now ?? -1 },
            {
              id: "by",
              title: "Change",
              align: "right",
              cell: (row) => (row.was === null || row.now === null ? "" : (row.now - row.was).toFixed(1)),
              sort: (row) => Math.abs((row.now ?? 0) - (row.was ?? 0)),
            },
          ]}
        />
      )}
    </div>
  );
}
