// Reading charts from files: which pages in which order, what the server is at, and whose the names are that it does not know.
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../errors";
import type { NameLeftOut } from "../generated";
import { Button, Dialog, FileButton, Select } from "../ui";
import { KINDS } from "./files";
import { readCharts, withOwnNames, type Asked, type Found } from "./job";
import "./scanning.css";

const MOST = 12;

interface Props<T extends Found> {
  what: Asked["what"];
  title: string;
  /** What the file is for. */
  purpose: string;
  hint: string;
  /** Whether several files may be pages of one chart. */
  several: boolean;
  given: readonly File[];
  /** Everything that a name may stand for. */
  choices: () => readonly { value: string; label: string }[];
  fetch: (job: string) => Promise<T>;
  done: (found: T, files: readonly File[]) => void;
  close: () => void;
}

export function ReadingDialog<T extends Found>(props: Props<T>) {
  const { what, title, purpose, hint, several, given, close } = props;
  const [files, setFiles] = useState(given);
  const [asked, setAsked] = useState<Asked | null>(given.length === 1 ? { what, files: given, again: "", accept: {} } : null);
  const [unsure, setUnsure] = useState<{ job: string; found: T } | null>(null);
  const [stage, setStage] = useState("");
  const [error, setError] = useState("");
  const take = (now: readonly File[]): void => {
    setError("");
    if (!several && now.length > 1) return setError("Give one file; a PDF may have several pages.");
    if (now.length > MOST) return setError(`${now.length} files are too many; up to ${MOST} pages make one chart.`);
    setFiles(now);
    if (now.length === 1) setAsked({ what, files: now, again: "", accept: {} });
  };
  const end = (found: T): void => {
    close();
    props.done(found, files);
  };
  useEffect(() => {
    if (!asked) return undefined;
    const stop = new AbortController();
    setError("");
    setStage("");
    const read = async (): Promise<void> => {
      const job = await readCharts(asked, stop.signal, (now) => setStage(withOwnNames(now, files)));
      const found = called(await props.fetch(job), files);
      if (stop.signal.aborted) return;
      setAsked(null);
      if (found.left_out.length > 0) setUnsure({ job, found });
      else end(found);
    };
    read().catch((wrong: unknown) => {
      if (stop.signal.aborted) return;
      setError(withOwnNames(errorText(wrong), files));
      setAsked(null);
      if (files.length === 1 && !unsure) setFiles([]);
    });
    return () => stop.abort();
  }, [asked]);
  const answered = (accept: Readonly<Record<string, string>>): void => {
    if (!unsure) return;
    if (Object.values(accept).every((id) => id === "")) end(unsure.found);
    else setAsked({ what, files: [], again: unsure.job, accept: { ...accept } });
  };
  if (unsure && !asked)
    return <NamesDialog {...props} names={unsure.found.left_out} error={error} answered={answered} />;
  return (
    <Dialog
      title={title}
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>{asked ? "Stop" : "Cancel"}</Button>
          {!asked && (
            <FileButton
              kind={files.length > 1 ? "plain" : "primary"}
              purpose={purpose}
              accept={KINDS}
              several={several}
              onFiles={(added) => take([...files, ...added])}
            >
              {files.length > 1 ? "Add files …" : several ? "Choose files …" : "Choose a file …"}
            </FileButton>
          )}
          {!asked && files.length > 1 && (
            <Button kind="primary" onClick={() => setAsked({ what, files, again: "", accept: {} })}>
              Read {files.length} pages
            </Button>
          )}
        </>
      }
    >
      {asked ? (
        <p role="status">
          Reading {files.map((file) => file.name).join(", ")}
          {stage && `: ${stage}`} …
        </p>
      ) : (
        <p class="hint">{files.length > 1 ? "Pages of one chart, in this order: halves from left to right, quarters row by row." : hint}</p>
      )}
      {!asked && files.length > 1 && <Pages files={files} set={take} />}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}

/** What was found, with the files by the names that the user gave them. */
const called = <T extends Found>(found: T, files: readonly File[]): T => ({
  ...found,
  notes: found.notes.map((note) => withOwnNames(note, files)),
  left_out: found.left_out.map((name) => ({ ...name, where: withOwnNames(name.where, files) })),
});

/** The files in their order, each with what moves it. */
function Pages({ files, set }: { files: readonly File[]; set: (files: readonly File[]) => void }) {
  const swap = (i: number, j: number): void => {
    const now = [...files];
    [now[i], now[j]] = [now[j]!, now[i]!];
    set(now);
  };
  return (
    <ol class="scan-files" aria-label="Pages of the chart">
      {files.map((file, i) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          <span>{file.name}</span>
          <Button aria-label={`Move ${file.name} up`} disabled={i === 0} onClick={() => swap(i, i - 1)}>
            ↑
          </Button>
          <Button aria-label={`Move ${file.name} down`} disabled={i === files.length - 1} onClick={() => swap(i, i + 1)}>
            ↓
          </Button>
          <Button kind="quiet" aria-label={`Leave out ${file.name}`} onClick={() => set(files.filter((one) => one !== file))}>
            ×
          </Button>
        </li>
      ))}
    </ol>
  );
}

interface NamesProps<T extends Found> extends Props<T> {
  names: readonly NameLeftOut[];
  error: string;
  answered: (accept: Readonly<Record<string, string>>) => void;
}

/** Names that nobody knows: whose each is, or that it is left out. */
function NamesDialog<T extends Found>({ title, close, choices, names, error, answered }: NamesProps<T>) {
  const [accept, setAccept] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(names.map((name) => [name.typed, ""])));
  const all = choices();
  const called = new Map(all.map((one) => [one.value, one.label]));
  const meant = Object.values(accept).filter(Boolean).length;
  return (
    <Dialog
      title={title}
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" onClick={() => answered(accept)}>
            {meant === 0 ? "Go on without them" : `Read again with ${meant === 1 ? "this name" : `${meant} names`}`}
          </Button>
        </>
      }
    >
      <p>{names.length === 1 ? "One name is" : `${names.length} names are`} not on the board. Say whose {names.length === 1 ? "it is" : "they are"}, or leave {names.length === 1 ? "it" : "them"} out.</p>
      <div class="scan-names">
        {names.map((name) => (
          <Select
            key={name.typed}
            label={`${name.typed} (${name.where})`}
            value={accept[name.typed] ?? ""}
            options={[
              { value: "", label: "leave it out" },
              ...name.near.map((id) => ({ value: id, label: `${called.get(id) ?? id}, perhaps` })),
              ...all.filter((one) => !name.near.includes(one.value)),
            ]}
            onCommit={(id) => setAccept({ ...accept, [name.typed]: id })}
          />
        ))}
      </div>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </Dialog>
  );
}
