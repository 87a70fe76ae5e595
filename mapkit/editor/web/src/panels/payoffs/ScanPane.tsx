// The scan of a chart beside the grid: the page that shows the chosen cell, with the cell marked, and the cells in doubt.
import { useState } from "preact/hooks";
import { Button } from "../../ui";
import { chooseCell, pairText } from "./chart";
import { setCell } from "./edits";
import { focusGrid } from "./Grid";
import { doubts, here, scan, settle, showScan, thousands, type ScannedCell } from "./scan";
import "./scan.css";

/** Pixels of the page that a cell is high at first. */
const HIGH = 16;
const WIDE = 360;
const TALL = 240;

function Page({ cell, zoom }: { cell: ScannedCell; zoom: number }) {
  const now = scan.value!;
  const page = now.scan.pages.find((one) => one.page === cell.page);
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

/** The pane; nothing without a scan. */
export function ScanPane() {
  const [zoom, setZoom] = useState(1);
  const now = scan.value;
  if (!now) return null;
  const cell = here.value;
  const open = doubts.value;
  const next = (): void => {
    const at = open.findIndex((one) => one.a === cell?.a && one.b === cell.b);
    const to = open[(at + 1) % open.length];
    if (to) chooseCell(to.a, to.b);
    focusGrid();
  };
  const take = (of: ScannedCell, text: string): void => {
    settle(of);
    void setCell([of.a, of.b], thousands(text, now.scan.unit));
    focusGrid();
  };
  const inDoubt = cell !== null && open.some((one) => one.a === cell.a && one.b === cell.b);
  return (
    <aside class="scan-pane" aria-label="Scan of the chart">
      <div class="bar">
        <Button disabled={open.length === 0} onClick={next}>
          {open.length === 0 ? "No cell in doubt" : `Next of ${open.length} in doubt`}
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
      {cell && inDoubt && (
        <div class="bar" role="group" aria-label="What the cell says">
          {cell.candidates.map((text) => (
            <Button key={text} onClick={() => take(cell, text)}>
              {text}
            </Button>
          ))}
          <Button kind="quiet" onClick={() => settle(cell)}>
            Leave it as it is
          </Button>
        </div>
      )}
    </aside>
  );
}
