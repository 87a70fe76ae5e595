// Reading destination charts from a PDF or a picture: what would change is shown first, and taken in one step.
import { send } from "../../asked";
import type { DestinationsRead } from "../../generated";
import { ReadingDialog } from "../../scanning/ReadingDialog";
import { rows } from "../../store";
import { Button, Dialog, openDialog, Table, toast } from "../../ui";
import { ALL, chartName, contents, setAll, spot, thing, type CellChange } from "./state";

const HINT =
  "A PDF, or a scan or photograph of destination charts (PNG, JPEG, TIFF, WebP). What would change is shown before anything is; " +
  "cells that are empty there stay as they are here.";

const choices = (): { value: string; label: string }[] =>
  [...rows("regions"), ...rows("cities")].map(({ key, name }) => ({ value: key, label: name }));

/** Ask for a file, or read the one that is given. */
export function openScan(given: readonly File[] = []): void {
  openDialog((close) => (
    <ReadingDialog
      what="destinations"
      title="Read destination charts from a PDF or a picture"
      purpose="PDF or picture of destination charts"
      hint={HINT}
      several={false}
      given={given}
      choices={choices}
      fetch={(job) => send("GET /api/chart-scans/{id}/destinations", { id: job })}
      done={(found) => openDialog((shut) => <ChangesDialog found={found} close={shut} />)}
      close={close}
    />
  ));
}

/** The cells that a file fills otherwise than the board. */
const changesOf = (found: DestinationsRead): CellChange[] =>
  Object.entries(found.charts).flatMap(([chart, columns]) =>
    ALL.flatMap((cell): CellChange[] => {
      const { parity, total } = spot(cell);
      const item = columns[parity][String(total)] ?? null;
      return item === null || item === contents(chart, cell) ? [] : [{ chart, cell, item }];
    }),
  );

const cells = (n: number): string => (n === 1 ? "1 cell" : `${n} cells`);

function ChangesDialog({ found, close }: { found: DestinationsRead; close: () => void }) {
  const changes = changesOf(found);
  const filled = Object.values(found.charts).flatMap(({ odd, even }) => [...Object.values(odd), ...Object.values(even)].filter(Boolean)).length;
  const nameOf = (chart: string, id: string | null): string => (id === null ? "empty" : thing(chart, id).name);
  const take = async (): Promise<void> => {
    close();
    const answer = await setAll(`Take ${cells(changes.length)} of destination charts from a file`, changes);
    if (answer.ok) toast(`Took ${cells(changes.length)}; undo takes all of them back.`);
  };
  return (
    <Dialog
      title="What the file would change"
      wide
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" disabled={changes.length === 0} onClick={() => void take()}>
            {changes.length === 0 ? "Nothing to take" : `Take ${cells(changes.length)}`}
          </Button>
        </>
      }
    >
      <p role="status">
        {Object.keys(found.charts).length} charts with {cells(filled)} were read: <strong>{cells(changes.length)} will change</strong>,{" "}
        {filled - changes.length} stay the same.
      </p>
      {found.notes.length > 0 && (
        <ul class="plain">
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <Table
          caption="What will change"
          rows={changes}
          rowKey={(row) => `${row.chart}/${row.cell}`}
          columns={[
            { id: "chart", title: "Chart", cell: (row) => chartName(row.chart) },
            { id: "cell", title: "Roll", cell: (row) => row.cell.replace("/", " ") },
            { id: "was", title: "Is", width: "2fr", cell: (row) => nameOf(row.chart, contents(row.chart, row.cell)) },
            { id: "now", title: "Will be", width: "2fr", cell: (row) => nameOf(row.chart, row.item) },
          ]}
        />
      )}
    </Dialog>
  );
}
