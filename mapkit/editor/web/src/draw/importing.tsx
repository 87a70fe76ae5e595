// Importing a file of lines: what it holds, key by key, and whose lines they are; then one step with its track.
import { useEffect, useRef, useState } from "preact/hooks";
import { register } from "../actions";
import { send } from "../asked";
import { fitPage } from "../edit";
import { errorText } from "../errors";
import { follow, stopJob } from "../exporting/jobs";
import type { ImportedFile, ImportReport } from "../generated";
import { addToMenu } from "../shell/menus";
import { mileposts, table } from "../store";
import { Button, Dialog, Field, FileButton, openDialog, Select, toast } from "../ui";
import type { Job } from "../wire";

const SHOWN = 12;
const NEW = "+";
const LEFT_OUT = "";

const counted = (number: number, one: string): string => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

function about(file: ImportedFile): string {
  const size = file.miles === null ? "a drawing in pixels, which control points put in place" : `${Math.round(file.miles).toLocaleString("en")} miles`;
  return `${counted(file.lines, "line")}, ${size}, ${counted(file.points, "point")}.`;
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <details open={notes.length <= SHOWN}>
      <summary>What is left out, repaired or guessed: {notes.length}</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}

/** Whose the lines of each key are. */
function Keys({ report, chosen, choose }: { report: ImportReport; chosen: Readonly<Record<string, string>>; choose: (key: string, railroad: string) => void }) {
  const railroads = Object.entries(table("railroads").value).map(([id, { name }]) => ({ value: id, label: name }));
  return (
    <>
      {(report.files[0]?.keys ?? []).map(({ key, lines }) => (
        <Select
          key={key}
          label={`${key || "Without a railroad"}, ${counted(lines, "line")}`}
          value={chosen[key] ?? NEW}
          options={[...(key ? [{ value: NEW, label: "A new railroad" }] : []), ...railroads, { value: LEFT_OUT, label: "Leave them out" }]}
          onCommit={(railroad) => choose(key, railroad)}
        />
      ))}
    </>
  );
}

/** Whose the lines are at first: railroads that the board has, else new ones; lines without a key are left out. */
function firstChoice(report: ImportReport): Record<string, string> {
  const known = table("railroads").value;
  const keys = report.files[0]?.keys ?? [];
  return Object.fromEntries(
    keys.map(({ key, railroad }) => [key, railroad !== null && railroad in known && !report.new_railroads.includes(railroad) ? railroad : key ? NEW : LEFT_OUT]),
  );
}

function ImportDialog({ close }: { close: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [crs, setCrs] = useState("");
  const [read, setRead] = useState<{ job: string; report: ImportReport } | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [gap, setGap] = useState("");
  const [job, setJob] = useState<Job | null>(null);
  const [error, setError] = useState("");
  const running = useRef("");
  useEffect(
    () => () => {
      if (running.current) void stopJob(running.current).catch(() => undefined);
    },
    [],
  );
  const work = async (begun: Promise<Job>, done: (job: string) => Promise<void>): Promise<void> => {
    setError("");
    try {
      const now = await begun;
      running.current = now.id;
      const over = await follow(now, setJob);
      if (over.state === "done") await done(over.id);
    } catch (problem) {
      setError(errorText(problem));
    } finally {
      running.current = "";
      setJob(null);
    }
  };
  const look = (taken: File): Promise<void> => {
    setFile(taken);
    setRead(null);
    return work(send("POST /api/imports", { file: taken, query: { name: taken.name, crs: crs.trim() } }), async (id) => {
      const report = await send("GET /api/imports/{id}", { id });
      setChosen(firstChoice(report));
      setGap(String(report.suggested_gap_mi ?? ""));
      setRead({ job: id, report });
    });
  };
  const take = ({ job: id }: { job: string }): Promise<void> => {
    const railroads = Object.fromEntries(Object.entries(chosen).filter(([, railroad]) => railroad !== NEW));
    return work(send("POST /api/imports/{id}", { id, body: { railroads, gap_mi: gap.trim() === "" ? null : Number(gap) } }), async (done) => {
      const empty = Object.keys(mileposts.value).length === 0;
      const { label } = await send("POST /api/imports/{id}/take", { id: done });
      if (empty) await fitPage();
      toast(`${label}: done as one step. Undo takes it off again.`);
      close();
    });
  };
  const first = read?.report.files[0];
  const notes = [...new Set([...(first?.notes ?? []), ...(read?.report.notes ?? [])])];
  const wrongGap = gap.trim() !== "" && !(Number(gap) >= 1 && Number(gap) <= 1000);
  const nothing = read === null || Object.values(chosen).every((railroad) => railroad === LEFT_OUT);
  return (
    <Dialog
      title="Import lines"
      onClose={close}
      buttons={
        <>
          {job && <Button onClick={() => void stopJob(running.current).catch(() => undefined)}>Stop</Button>}
          <FileButton kind={read ? "plain" : "primary"} disabled={job !== null} purpose="A file of lines" accept="" onFiles={([taken]) => taken && void look(taken)}>
            {file ? "Another file …" : "Choose a file …"}
          </FileButton>
          {read && (
            <Button kind="primary" disabled={job !== null || nothing || wrongGap} onClick={() => void take(read)}>
              Import the lines
            </Button>
          )}
        </>
      }
    >
      <div class="drafting">
        {job ? (
          <p role="status">
            {file?.name}: {job.stage || "reading"} …
          </p>
        ) : (
          <p class="hint">
            {first ? `${first.file}: ${about(first)}` : "Geodata of any format, or a drawing as SVG. Its lines become track of railroads, as one step that Undo takes back."}
          </p>
        )}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {!read && <Field label="Coordinate system" value={crs} placeholder="EPSG:4326" hint="Only where the file states none; latlon are degrees with the latitude first." onInput={setCrs} />}
        {!read && error && file && (
          <Button disabled={job !== null} onClick={() => void look(file)}>
            Read it again
          </Button>
        )}
        {read && <Keys report={read.report} chosen={chosen} choose={(key, railroad) => setChosen({ ...chosen, [key]: railroad })} />}
        {read && read.report.suggested_gap_mi !== null && (
          <Field label="Miles between mileposts" value={gap} hint="Empty for mileposts only where lines end or meet." error={wrongGap ? "Write a number from 1 to 1000, or nothing." : null} onInput={setGap} />
        )}
        {read && <Notes notes={notes} />}
      </div>
    </Dialog>
  );
}

register({ id: "import-lines", label: "Import lines …", group: "Draw", run: () => void openDialog((close) => <ImportDialog close={close} />) });
addToMenu("Draw", "import-lines");
