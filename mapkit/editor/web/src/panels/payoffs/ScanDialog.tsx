// Reading a payoff chart from PDFs or pictures: what is sure is shown as a paste, the rest beside its picture.
import { openDialog } from "../../ui";
import { ReadingDialog } from "../../scanning/ReadingDialog";
import { chartCities, cityName } from "./chart";
import { openPaste } from "./Paste";
import { fetchScan, listed, showScan } from "./scan";

const HINT =
  "A PDF, or scans or photographs of the chart (PNG, JPEG, TIFF, WebP); several pictures are pages of one chart, such as its halves. " +
  "Amounts that are sure are shown before they are pasted; those in doubt are left out, and you settle them beside the picture.";

/** Ask for files, or read those that are given. */
export function openScan(given: readonly File[] = []): void {
  openDialog((close) => (
    <ReadingDialog
      what="payoffs"
      title="Read a chart from a PDF or a picture"
      purpose="PDF or picture of a payoff chart"
      hint={HINT}
      several
      given={given}
      choices={() =>
        [...chartCities.value].map((id) => ({ value: id, label: cityName(id) })).sort((a, b) => a.label.localeCompare(b.label))
      }
      fetch={fetchScan}
      done={(found, files) => {
        showScan(found, files.map((file) => file.name).join(", "));
        openPaste(listed(found), { unit: "thousands" });
      }}
      close={close}
    />
  ));
}
