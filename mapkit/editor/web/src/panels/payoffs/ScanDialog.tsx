// Reading a chart from a PDF or a picture: the file, what the server is at, and then what would change.
import { useEffect, useRef, useState } from "preact/hooks";
import { errorText } from "../../errors";
import { Button, Dialog, FileButton, openDialog } from "../../ui";
import { openPaste } from "./Paste";
import { KINDS, listed, readScan, showScan, stopReading } from "./scan";

/** Ask for a file, or read the one that is given. */
export function openScan(file?: File): void {
  openDialog((close) => <ScanDialog given={file} close={close} />);
}

function ScanDialog({ given, close }: { given: File | undefined; close: () => void }) {
  const [file, setFile] = useState(given);
  const [stage, setStage] = useState("");
  const [error, setError] = useState("");
  const job = useRef("");
  useEffect(() => {
    if (!file) return;
    setError("");
    readScan(file, (id) => (job.current = id), setStage).then(
      (found) => {
        job.current = "";
        showScan(found);
        close();
        openPaste(listed(found), { unit: "thousands" });
      },
      (wrong: unknown) => {
        job.current = "";
        setError(errorText(wrong));
        setFile(undefined);
      },
    );
  }, [file]);
  useEffect(() => () => {
    if (job.current) stopReading(job.current);
  }, []);
  return (
    <Dialog
      title="Read a chart from a PDF or a picture"
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>{file ? "Stop" : "Cancel"}</Button>
          {!file && (
            <FileButton kind="primary" purpose="PDF or picture of a payoff chart" accept={KINDS} onFile={setFile}>
              Choose a file …
            </FileButton>
          )}
        </>
      }
    >
      {file ? (
        <p role="status">
          Reading {file.name}
          {stage && `: ${stage}`} …
        </p>
      ) : (
        <p class="hint">
          A PDF, or a scan or photograph of the chart (PNG, JPEG, TIFF, WebP). Amounts that are sure are shown before they are
          pasted; those in doubt are left out, and you settle them beside the picture.
        </p>
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
