// The scan of a chart beside the grid: the page that shows the chosen cell, with the cell marked, and the cells in doubt.
import { useRef, useState } from "preact/hooks";
import { Button } from "../../ui";
import { useRoving } from "../../ui/roving";
import { amount, chooseCell, keyOf, pairText } from "./chart";
import { setCell } from "./edits";
import { focusGrid } from "./Grid";
import { doubted, doubts, here, nextDoubt, scan, settle, showScan, thousands, type ScannedCell } from "./scan";
import "./scan.css";

/** Pixels of the page that a cell is high at first. */
const HIGH = 16;
const WIDE = 360;
const TALL = 240;
const CANDIDATES = "scan-candidates";

function Page({ cell, zoom }: { cell: ScannedCell; zoom: number }) {
  const now = scan.value!;
  const page = now.pages.find((one) => one.page === cell.page);
  if (!page) return null;
  const [left, top, right, bottom] = cell.box;
  const scale = (zoom * HIGH) / Math.max(1, bottom - top);
  const place = { left: `${WIDE / 2 - ((left + right) / 2) * scale}px`, top: `${TALL / 2 - ((top + bottom) / 2) * scale}px` };
  const px = (side: number): string => `${side * scale}px`;
  return (
    <div class="scan-page" style={{ width: `${WIDE}px`, height: `${TALL}px` }}>
      <div style={{ ...place, width: px(page.width), height: px(page.height) }}>
        <img src={now.pictures.get(page.page)} alt={`Page ${page.page} of the scan, around the chosen cell`} />
        <span class="scan-mark" style={{ left: px(left), top: px(top), width: px(right - left), height: px(bottom - top) }} />
      </div>
    </div>
  );
}

/** Go to the next cell in doubt, or the one before. */
export function goToDoubt(by: 1 | -1): void {
  const to = nextDoubt(by);
  if (to) chooseCell(to.a, to.b);
  focusGrid();
}

/** Put the keyboard on the candidates of the chosen cell. */
export const focusCandidates = (): void => document.getElementById(CANDIDATES)?.querySelector("button")?.focus();

function take(of: ScannedCell, value: number | null): void {
  settle(of.a, of.b, value);
  void setCell([of.a, of.b], value);
  focusGrid();
}

function Candidates({ cell, unit }: { cell: ScannedCell; unit: number }) {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box);
  return (
    <div class="bar" id={CANDIDATES} role="group" aria-label="What the cell says" ref={box}>
      {cell.candidates.map((text) => (
        <Button key={text} onClick={() => take(cell, thousands(text, unit))}>
          {text}
        </Button>
      ))}
      <Button kind="quiet" onClick={() => take(cell, amount(cell.a, cell.b))}>
        Leave it as it is
      </Button>
    </div>
  );
}

/** The pane; nothing without a scan. */
export function ScanPane() {
  const [zoom, setZoom] = useState(1);
  const now = scan.value;
  if (!now) return null;
  const cell = here.value;
  const open = doubts.value;
  const none = open.length === 0;
  const inDoubt = cell !== null && doubted.value.has(keyOf(cell.a, cell.b));
  return (
    <aside class="scan-pane" aria-label="Scan of the chart">
      <div class="bar">
        <Button aria-label="Cell in doubt before" title="Alt+Shift+K" disabled={none} onClick={() => goToDoubt(-1)}>
          ‹
        </Button>
        <Button title="Alt+K" disabled={none} onClick={() => goToDoubt(1)}>
          {none ? "No cell in doubt" : `Next of ${open.length} in doubt`}
        </Button>
        <Button aria-label="Show the scan smaller" onClick={() => setZoom(zoom / 1.5)}>
          −
        </Button>
        <Button aria-label="Show the scan larger" onClick={() => setZoom(zoom * 1.5)}>
          +
        </Button>
        <Button kind="quiet" onClick={() => showScan(null)}>
          Close the scan
        </Button>
      </div>
      {cell ? <Page cell={cell} zoom={zoom} /> : <p class="hint">{now.name} has no such cell.</p>}
      {cell && (
        <p role="status">
          {pairText(cell.a, cell.b)}: the scan says {cell.value ?? "nothing that could be read"}
          {inDoubt && `; ${cell.doubt}`}.
        </p>
      )}
      {cell && inDoubt && <Candidates cell={cell} unit={now.unit} />}
      {now.notes.length > 0 && (
        <details>
          <summary>What the reader noted ({now.notes.length})</summary>
          <ul class="plain">
            {now.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}
