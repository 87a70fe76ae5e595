// Destination charts: cells, odds that are always right, and the nearest chart to what is wanted.
import { useEffect, useRef } from "preact/hooks";
import { register } from "../../actions";
import { useAnswer } from "../../asked";
import { useChartFiles } from "../../scanning/files";
import { paneWidth } from "../../shell/pane";
import { findings, rows } from "../../store";
import type { Finding } from "../../wire";
import { ActionButton, Button, Check, Empty, Select } from "../../ui";
import type { Panel } from "../panel";
import { brush } from "./brush";
import { circlesOn, panelOpen } from "./circles";
import { focusGrid, Grid } from "./Grid";
import { forgetWants, OddsTable } from "./Odds";
import { openScan } from "./ScanDialog";
import { chart, chartName, odds, openChart, pick, picked, REGIONS, swapPicked, thing, type CellKey } from "./state";

/** Pixels of a side pane that has room for the odds beside the cells. */
const WIDE = 640;

const charts = (): string[] => [REGIONS, ...rows("regions").map((row) => row.key)];

function open(id: string): void {
  forgetWants();
  openChart(id);
}

function step(by: number): void {
  const all = charts();
  open(all[(all.indexOf(chart.value) + by + all.length) % all.length] ?? REGIONS);
}

const OPEN_FIRST = "open the work space Destinations first";
register(
  { id: "chart-next", label: "Next destination chart", group: "Destination charts", keys: ["Alt+PageDown"], enabled: () => panelOpen.value, needs: OPEN_FIRST, run: () => step(1) },
  { id: "chart-before", label: "Destination chart before", group: "Destination charts", keys: ["Alt+PageUp"], enabled: () => panelOpen.value, needs: OPEN_FIRST, run: () => step(-1) },
  {
    id: "chart-swap",
    label: "Swap the two chosen cells",
    group: "Destination charts",
    enabled: () => panelOpen.value && picked.value.size === 2,
    needs: () => (panelOpen.value ? "choose two cells first" : OPEN_FIRST),
    run: () => void swapPicked(),
  },
  { id: "chart-scan", label: "Read destination charts from a PDF or a picture …", group: "Destination charts", enabled: () => panelOpen.value, needs: OPEN_FIRST, run: () => openScan() },
);

const elements = (finding: Finding): readonly string[] => finding.elements;
const aboutCharts = (): readonly Finding[] => findings.value.filter((one) => /^D\d/.test(one.code) && one.accepted === null);

/** The chart that a finding is about. */
function chartOf(finding: Finding): string {
  const all = charts();
  const [first] = elements(finding);
  if (finding.code === "D02") return REGIONS;
  if (first !== undefined && all.includes(first)) return first;
  const city = rows("cities").find((row) => row.key === first);
  return typeof city?.["region"] === "string" ? city["region"] : REGIONS;
}

function goTo(finding: Finding): void {
  open(chartOf(finding));
  const cell = elements(finding).find((one) => /^(odd|even)-\d+$/.test(one));
  if (cell !== undefined) {
    pick(cell.replace("-", "/") as CellKey);
    focusGrid();
  }
}

function Findings() {
  const all = aboutCharts();
  const here = all.filter((one) => chartOf(one) === chart.value);
  const elsewhere = new Map<string, number>();
  for (const one of all) if (!here.includes(one)) elsewhere.set(chartOf(one), (elsewhere.get(chartOf(one)) ?? 0) + 1);
  return (
    <section aria-label="Findings of the charts">
      <h4>Findings</h4>
      {here.length === 0 && <p class="soft">This chart is sound.</p>}
      <ul class="found">
        {here.map((one) => (
          <li key={one.id} class={one.severity}>
            <button type="button" class="link" onClick={() => goTo(one)}>
              {one.code}
            </button>
            <span>{one.message}</span>
          </li>
        ))}
      </ul>
      {[...elsewhere].map(([id, count]) => (
        <button type="button" class="link block" key={id} onClick={() => open(id)}>
          {count} in {chartName(id)}
        </button>
      ))}
    </section>
  );
}

function Dragged() {
  const now = brush.value;
  if (!now) return null;
  const count = now.cells.size;
  return (
    <div class="dragged" aria-hidden="true" style={{ left: `${now.x + 14}px`, top: `${now.y + 10}px` }}>
      {thing(chart.value, now.item).name}
      {count > 0 && ` → ${count === 1 ? "1 cell" : `${count} cells`}`}
    </div>
  );
}

function Destinations() {
  const { answer, error } = useAnswer("odds", {});
  useEffect(() => {
    if (answer) odds.value = answer;
  }, [answer]);
  useEffect(() => {
    panelOpen.value = true;
    return () => {
      panelOpen.value = false;
    };
  }, []);
  const known = odds.value;
  const counts = new Map<string, number>();
  for (const one of aboutCharts()) counts.set(chartOf(one), (counts.get(chartOf(one)) ?? 0) + 1);
  const label = (id: string): string => {
    const chance = known?.regions[id];
    const wrong = counts.get(id);
    return `${chartName(id)}${chance ? `, ${chance.percent.toFixed(2)} %` : ""}${wrong ? ` (${wrong} to fix)` : ""}`;
  };
  const box = useRef<HTMLDivElement>(null);
  useChartFiles(box, openScan);
  if (charts().length === 1)
    return (
      <Empty title="No regions yet">
        <p>Add regions and cities in the panel Cities; each region has a chart of its own here then.</p>
      </Empty>
    );
  return (
    <div class="destinations" ref={box}>
      <div class="bar">
        <Select
          label="Chart"
          hideLabel
          value={chart.value}
          options={charts().map((id) => ({ value: id, label: label(id) }))}
          onCommit={open}
        />
        <Button aria-label="Chart before" title="Chart before (Alt+PageUp)" onClick={() => step(-1)}>
          ‹
        </Button>
        <Button aria-label="Next chart" title="Next chart (Alt+PageDown)" onClick={() => step(1)}>
          ›
        </Button>
        <ActionButton id="chart-swap">Swap</ActionButton>
        <ActionButton id="chart-scan">Read a PDF or a picture …</ActionButton>
        <Button class="wider" kind="quiet" title="Odds to the right of the cells" onClick={() => (paneWidth.value = WIDE)}>
          Side by side
        </Button>
        <Check label="Chances on the board" checked={circlesOn.value} onCommit={(on) => (circlesOn.value = on)} />
      </div>
      {known?.solved && <p class="soft">The charts are solved from weights. Your first change keeps them as typed charts.</p>}
      {error && <p class="error">{error}</p>}
      <div class="side-by-side">
        <div>
          <Grid />
          <p class="hint">Type a name, or drag one here. Delete empties, Space repeats; Ctrl+C and Ctrl+V copy cells.</p>
        </div>
        <div>
          <OddsTable />
          <Findings />
        </div>
      </div>
      <Dragged />
    </div>
  );
}

export const destinationsPanel: Panel = {
  id: "destinations",
  title: "Destinations",
  keys: ["Alt+D"],
  badge: () => aboutCharts().length || null,
  component: Destinations,
};
