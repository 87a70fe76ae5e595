// The payoff chart: the grid on a sheet over the canvas, with suspects, route and map in the side pane beside it.
import { useEffect, useRef, useState } from "preact/hooks";
import { actions, register, type Action } from "../../actions";
import { closeSheet, sheetShown, showSheet } from "../../shell/Sheet";
import { useChartFiles } from "../../scanning/files";
import { cities, table } from "../../store";
import { Button, Check, Empty, itemsOf, Menu, Select, toast } from "../../ui";
import type { Panel } from "../panel";
import { openBlock } from "./BlockDialog";
import { arrange, block, blockPairs, chartCities, chooseCell, cityName, heat, order, SORTS, sort, summary, triangle, amount, torn, keyOf } from "./chart";
import { clearChart, copyBlock, startChart, startComputed } from "./edits";
import { focusGrid, Grid } from "./Grid";
import { cellsByKey, inWords, judgeable, LEVELS, judgeAgain, judging, levelCounts, stopJudging, stopped, wanted } from "./judged";
import { OF_BLOCK } from "./menu";
import { openPaste } from "./Paste";
import { openScan } from "./ScanDialog";
import { doubts } from "./scan";
import { focusCandidates, goToDoubt, ScanPane } from "./ScanPane";
import { RouteCard, trip, watchers } from "./Route";
import { firstEmpty, nextSuspect, offerFormula, Suspects } from "./Suspects";
import "./payoffs.css";

/** Ask for residuals and routes while this is on the page. */
function useWanted(): void {
  useEffect(() => {
    wanted.value += 1;
    watchers.value += 1;
    return () => {
      wanted.value -= 1;
      watchers.value -= 1;
    };
  }, []);
}

const fold = (text: string): string => text.normalize("NFKD").replace(/[\u0300-\u036f.']/g, "").toLowerCase().trim();

function found(typed: string): string | undefined {
  const text = fold(typed);
  if (!text) return undefined;
  const all = order.value;
  return all.find((id) => fold(cityName(id)) === text) ?? all.find((id) => fold(cityName(id)).startsWith(text)) ?? all.find((id) => fold(cityName(id)).includes(text));
}

/** Go to a city's row, or to the cell of two. */
function goTo(typed: string): boolean {
  const whole = found(typed);
  const parts = typed.split(/\s+[-–]\s+|\s*[,;/]\s*|\s+to\s+/);
  if (!whole && parts.length === 2) {
    const [a, b] = [found(parts[0]!), found(parts[1]!)];
    if (a && b) chooseCell(a, b);
    return a !== undefined && b !== undefined;
  }
  if (!whole) return false;
  const col = trip.value[1];
  const other = col && col !== whole ? col : order.value.find((id) => id !== whole);
  if (other) chooseCell(whole, other);
  return true;
}

function Finder() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <form
      class="field payoff-find"
      onSubmit={(event) => {
        event.preventDefault();
        const there = goTo(text);
        setWrong(!there);
        if (there) focusGrid();
      }}
    >
      <label class="unseen" for="payoff-find">
        Find a city, or two
      </label>
      <input
        id="payoff-find"
        type="search"
        list="payoff-cities"
        placeholder="City, or City - City"
        autocomplete="off"
        value={text}
        aria-invalid={wrong ? "true" : "false"}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <datalist id="payoff-cities">
        {chartCities.value.map((id) => (
          <option key={id} value={cityName(id)} />
        ))}
      </datalist>
      <span class="unseen" role="status">
        {wrong ? "No city of the chart has this name." : ""}
      </span>
    </form>
  );
}

function Legend() {
  if (!heat.value) return <p class="hint">Cells within one region are tinted in its colour.</p>;
  if (!judgeable.value) return <p class="hint">The heat map needs 8 cities and 3 amounts a city.</p>;
  return (
    <ul class="payoff-legend" aria-label="What the colours say: how far an amount is off what all others expect, in standard deviations (sd), and how many are">
      {LEVELS.map((level) => (
        <li key={level.id}>
          <span class={`heat-swatch heat-${level.id}`} aria-hidden="true">
            {level.sign}
          </span>
          {level.label} <b>{levelCounts.value.get(level.id) ?? 0}</b>
        </li>
      ))}
    </ul>
  );
}

/** The chosen cell in words, for everybody and for those who do not see the colours. */
function CellLine() {
  const [a, b] = trip.value;
  const { top, bottom, left, right } = block.value;
  const cell = cellsByKey.value.get(keyOf(a, b));
  const value = amount(a, b);
  const size = (bottom - top + 1) * (right - left + 1);
  const values = size > 1 ? blockPairs.value.flatMap(([x, y]) => amount(x, y) ?? []) : [];
  const half = torn(a, b) ? ` Its other half says ${amount(b, a) ?? "nothing"}; what is typed counts for both.` : "";
  return (
    <p class="payoff-line" role="status">
      {a === b ? `${cityName(a)}: no trip` : `${cityName(a)} - ${cityName(b)}: ${value === null ? "empty" : value}`}
      {a !== b && cell ? `; ${inWords(cell, value)}` : ""}.{half}
      {size > 1 &&
        ` Block ${bottom - top + 1} x ${right - left + 1}: ${blockPairs.value.length} trips, ${blockPairs.value.length - values.length} empty, sum ${Number(values.reduce((s, v) => s + v, 0).toFixed(2))}, mean ${values.length ? (values.reduce((s, v) => s + v, 0) / values.length).toFixed(2) : "–"}.`}
    </p>
  );
}

function Chart() {
  useWanted();
  useEffect(() => focusGrid(), []);
  if (summary.value.cities === 0) return <Start />;
  return <Whole />;
}

function Whole() {
  const { torn: halves } = summary.value;
  const box = useRef<HTMLDivElement>(null);
  useChartFiles(box, openScan);
  return (
    <div class="payoff-sheet" ref={box}>
      <div class="payoff-bar" role="toolbar" aria-label="Payoff chart">
        <Select label="Cities" value={sort.value} options={SORTS} onCommit={(id) => arrange(() => (sort.value = id))} />
        <Select
          label="Shape"
          value={triangle.value ? "triangle" : "square"}
          options={[
            { value: "square", label: "square" },
            { value: "triangle", label: "triangle" },
          ]}
          onCommit={(id) => arrange(() => (triangle.value = id === "triangle"))}
        />
        <Check label="Heat map" checked={heat.value} onCommit={(on) => (heat.value = on)} />
        <Menu
          label="Change block"
          items={itemsOf(OF_BLOCK)}
        >
          Block ▾
        </Menu>
        <Menu
          label="Copy and paste"
          items={[
            { id: "copy", label: "Copy", keys: "Ctrl+C", run: () => void copyBlock(false) },
            { id: "copy-names", label: "Copy with names", run: () => void copyBlock(true) },
            { id: "paste", label: "Paste …", keys: "Ctrl+V", run: () => openPaste("") },
            ...itemsOf(["payoff-scan", "payoff-add", "payoff-clear"]),
          ]}
        >
          Copy, paste ▾
        </Menu>
        {halves > 0 && <span class="mark">≠ {halves} {halves === 1 ? "pair differs" : "pairs differ"} in two halves</span>}
      </div>
      <div class="payoff-beside">
        <Grid />
        <ScanPane />
      </div>
      <p id="payoff-help" class="unseen">
        Arrows move, with Shift they choose a block. Type an amount, Enter or Tab takes it, Escape does not. F2 edits. Escape, then
        Tab leaves the chart.
      </p>
      <CellLine />
      <Legend />
    </div>
  );
}

function Head() {
  const { empty, cities: count } = summary.value;
  if (count === 0) return null;
  return (
    <div class="bar payoff-head">
      <Finder />
      <Button disabled={!judgeable.value} title="Alt+J" onClick={() => nextSuspect(...trip.value)}>
        Next suspect
      </Button>
      <Button disabled={empty.length === 0} title="Alt+Shift+J" onClick={() => firstEmpty(empty, ...trip.value)}>
        {empty.length === 0 ? "No empty cells" : `Next of ${empty.length} empty`}
      </Button>
    </div>
  );
}

const lacking = (): number => Object.keys(cities.value).filter((id) => !chartCities.value.includes(id)).length;

const settings = table("settings");
const computed = (): boolean => Object.keys(settings.value).some((key) => key.startsWith("payoffs."));

/** Start the chart: with the amounts that are computed, or with what a formula of distances would give. */
async function start(): Promise<void> {
  const answer = await (computed() ? startComputed() : startChart());
  if (!answer.ok) return;
  if (!computed()) offerFormula();
  openChart();
}

function Start() {
  return (
    <Empty title={computed() ? "Payoffs are computed" : "No payoff chart yet"}>
      <p>
        {computed()
          ? "The settings of this board say how payoffs follow from distances. Start a chart to change single amounts: it begins with those that are computed."
          : "A payoff chart says what a trip between two cities pays. Start one with all cities of the board, then type, paste from a spreadsheet, or take what a formula of distances gives."}
      </p>
      <div class="bar">
        <Button kind="primary" disabled={Object.keys(cities.value).length < 2} onClick={() => void start()}>
          Start the chart
        </Button>
      </div>
    </Empty>
  );
}

const KEYS = [
  ["Arrows, Enter, Tab", "Move; with Ctrl to the edge"],
  ["Shift+arrows", "Choose a block; or drag, or click a name"],
  ["0–9", "Type an amount; Enter or Tab takes it"],
  ["F2", "Change the amount that stands there"],
  ["Ctrl+Enter", "While typing: fill the whole block"],
  ["Escape", "Leave it as it was; then Tab leaves the chart"],
  ["Delete", "Empty the block"],
  ["Ctrl+C, X, V", "Copy, cut, paste; also from a spreadsheet"],
  ["Alt+K, Alt+Enter", "Next cell in doubt of a scan; then choose what it says"],
  ["Home, End", "First and last city; with Ctrl the corners"],
] as const;

function Payoffs() {
  useWanted();
  const { cities: count, filled, empty } = summary.value;
  if (count === 0) return <Start />;
  const open = sheetShown("payoffs");
  return (
    <>
      <div class="bar">
        {!open && (
          <Button kind="primary" onClick={openChart}>
            Open the chart
          </Button>
        )}
        <span class="hint">
          {count} cities, {filled.toLocaleString("en")} payoffs{empty.length > 0 ? `, ${empty.length} empty` : ""}
        </span>
      </div>
      <RouteCard />
      <Suspects />
      <details>
        <summary>Keys in the chart</summary>
        <dl class="payoff-keys">
          {KEYS.map(([key, text]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  );
}

export function openChart(): void {
  showSheet({ id: "payoffs", title: "Payoff chart", component: Chart, bar: Head });
  requestAnimationFrame(focusGrid);
}

const isOpen = (): boolean => sheetShown("payoffs") && summary.value.cities > 0;
const GROUP = "Payoff chart";
const OPEN_FIRST = "open the payoff chart first";
const NO_DOUBTS = "a chart with cells in doubt has to be read first";
const TOO_FEW = "the chart needs 8 cities and 3 amounts a city";

/** An action for the open chart. */
const inChart = (action: Omit<Action, "group" | "enabled" | "needs">): Action => ({ ...action, group: GROUP, enabled: isOpen, needs: OPEN_FIRST });

register(
  {
    id: "payoff-chart",
    label: "Payoff chart over the board, and back",
    group: "Payoff chart",
    keys: ["Alt+Y"],
    run: () => {
      if (sheetShown("payoffs")) return closeSheet();
      actions.value.get("panel-payoffs")?.run();
      // the panel says how to begin one
      if (summary.value.cities > 0) openChart();
    },
  },
  inChart({ id: "payoff-fill", label: "Fill the chosen block …", keys: ["Alt+Shift+F"], run: () => openBlock("fill") }),
  inChart({ id: "payoff-scale", label: "Scale the chosen block …", keys: ["Alt+Shift+S"], run: () => openBlock("scale") }),
  inChart({ id: "payoff-round", label: "Round the chosen block …", keys: ["Alt+Shift+R"], run: () => openBlock("round") }),
  inChart({ id: "payoff-expected", label: "Fill the chosen block with what is expected …", run: () => openBlock("expected") }),
  inChart({ id: "payoff-copy", label: "Copy the chosen block with names", run: () => void copyBlock(true) }),
  inChart({ id: "payoff-paste", label: "Paste payoffs …", run: () => openPaste("") }),
  {
    id: "payoff-suspect",
    label: "Next suspect in the payoff chart",
    group: GROUP,
    keys: ["Alt+J"],
    enabled: () => isOpen() && judgeable.value,
    needs: () => (isOpen() ? TOO_FEW : OPEN_FIRST),
    run: () => nextSuspect(...trip.value),
  },
  inChart({
    id: "payoff-empty",
    label: "Next empty cell of the payoff chart",
    keys: ["Alt+Shift+J"],
    run: () => (summary.value.empty.length > 0 ? firstEmpty(summary.value.empty, ...trip.value) : void toast("No cell is empty.")),
  }),
  {
    id: "payoff-start",
    label: "Start the payoff chart",
    group: GROUP,
    enabled: () => summary.value.cities === 0 && Object.keys(cities.value).length > 1,
    needs: () => (summary.value.cities > 0 ? "the board has one" : "the board needs two cities"),
    run: () => void start(),
  },
  { id: "payoff-add", label: "Add cities that the payoff chart lacks", group: GROUP, enabled: () => summary.value.cities > 0 && lacking() > 0, needs: "the chart lacks none", run: () => void startChart() },
  { id: "payoff-scan", label: "Read a payoff chart from a PDF or a picture …", group: GROUP, enabled: isOpen, needs: "open the payoff chart first", run: () => openScan() },
  ...(["next", "before"] as const).map((which) => ({
    id: `payoff-doubt-${which}`,
    label: which === "next" ? "Next cell in doubt in the scan" : "Cell in doubt before in the scan",
    group: GROUP,
    keys: [which === "next" ? "Alt+K" : "Alt+Shift+K"],
    enabled: () => isOpen() && doubts.value.length > 0,
    needs: NO_DOUBTS,
    run: () => goToDoubt(which === "next" ? 1 : -1),
  })),
  { id: "payoff-candidates", label: "Choose what the cell in doubt says", group: GROUP, keys: ["Alt+Enter"], enabled: () => isOpen() && doubts.value.length > 0, needs: NO_DOUBTS, run: focusCandidates },
  { id: "payoff-clear", label: "Take out the payoff chart …", group: GROUP, enabled: () => summary.value.cities > 0, needs: "the board has none", run: () => void clearChart() },
  { id: "payoff-stop", label: "Stop judging the payoffs", group: GROUP, enabled: () => judging.value, needs: "nothing is being judged", run: stopJudging },
  { id: "payoff-judge", label: "Judge all payoffs", group: GROUP, enabled: () => stopped.value, needs: "they are judged after each edit", run: () => void judgeAgain() },
);

export const payoffsPanel: Panel = { id: "payoffs", title: "Payoffs", component: Payoffs };
