// What to make, of which version, how; then a preview by the exporter itself, and files to the workspace or downloaded.
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { send, useAnswer } from "../asked";
import { errorText } from "../errors";
import { momentOf, moments } from "../compare/versions";
import { chosenVariants } from "../panels/variants";
import { unsaved } from "../store";
import { Button, Check, Dialog, Field, Select, toast } from "../ui";
import { downloadJob, follow, jobPicture, startJob, stopJob } from "./jobs";
import type { JobAsked } from "../generated";
import type { Job, Version } from "../wire";

export type What = JobAsked["what"];

const TITLES: Readonly<Record<What, string>> = {
  draw: "Picture of the board",
  print: "Print and play",
  sheets: "Sheets and cards",
  export: "Export to other programs",
  report: "Report page",
  rules: "Rule sheet",
};
type Paper = { value: Options["paper"]; label: string };
const PAPERS: readonly Paper[] = [
  { value: "a4", label: "A4" },
  { value: "letter", label: "Letter" },
];
const LARGE_PAPERS: readonly Paper[] = [
  { value: "a3", label: "A3" },
  { value: "tabloid", label: "Tabloid" },
  { value: "poster", label: "Poster: one page, full size" },
];
const size = (bytes: number): string =>
  bytes > 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;

type Options = Required<Omit<JobAsked, "what" | "of">>;
const START: Options = {
  theme: "board",
  form: "svg",
  dpi: 150,
  fonts: "name",
  dot_names: true,
  contrast: 0,
  paper: "a4",
  scale: 100,
  duplex: false,
  booklet: false,
  low_ink: false,
  formats: ["engine"],
  only: [],
};

export function ExportDialog({ what, close }: { what: What; close: () => void }) {
  const [options, setOptions] = useState<Options>(START);
  const [of, setOf] = useState<Version>({ at: "now", variants: chosenVariants() });
  const [job, setJob] = useState<Job | null>(null);
  const [preview, setPreview] = useState<{ url: string; name: string } | null>(null);
  const [error, setError] = useState("");
  const [said, setSaid] = useState("");
  const running = useRef("");
  const { answer } = useAnswer("makes", {}, { follow: false });
  const set = (change: Partial<Options>): void => setOptions((old) => ({ ...old, ...change }));
  useEffect(() => () => {
    if (running.current) void stopJob(running.current).catch(() => undefined);
  }, []);

  useEffect(() => () => {
    if (preview) URL.revokeObjectURL(preview.url);
  }, [preview]);

  const make = async (fields: Partial<JobAsked>): Promise<Job | null> => {
    setError("");
    setSaid("");
    try {
      // what was made of the same board in the same way is there already
      const begun = await startJob({ what, of, ...options, ...fields });
      running.current = begun.id;
      const done = await follow(begun, setJob);
      return done.state === "done" ? done : null;
    } catch (problem) {
      setError(errorText(problem));
      return null;
    } finally {
      running.current = "";
      setJob(null);
    }
  };
  const look = async (): Promise<void> => {
    const done = await make({ what: "draw", form: "svg", fonts: "paths" });
    if (!done) return;
    try {
      const url = await jobPicture(done);
      if (url !== null) setPreview({ url, name: done.files[0]?.name ?? "" });
    } catch (problem) {
      setError(errorText(problem));
    }
  };
  const write = async (): Promise<void> => {
    const done = await make({});
    if (!done) return;
    try {
      const kept = await send("POST /api/jobs/{id}/keep", { id: done.id });
      const lines = [`Written to ${kept.folder}: ${kept.files.slice(0, 6).join(", ")}${kept.files.length > 6 ? ` and ${kept.files.length - 6} more` : ""}.`, ...done.said];
      setSaid(lines.join("\n"));
      toast(`${kept.files.length} ${kept.files.length === 1 ? "file" : "files"} written to ${kept.folder}.`);
    } catch (problem) {
      setError(errorText(problem));
    }
  };
  const download = async (): Promise<void> => {
    const done = await make({});
    if (!done) return;
    try {
      await downloadJob(done);
    } catch (problem) {
      return setError(errorText(problem));
    }
    const all = done.files.reduce((sum, file) => sum + file.bytes, 0);
    const [only, ...others] = done.files;
    const what = only && others.length === 0 ? only.name : `${done.files.length} files in a ZIP`;
    setSaid([`Downloaded: ${what}, ${size(all)}.`, ...done.said].join("\n"));
  };
  const cancel = async (): Promise<void> => {
    if (!running.current) return;
    await stopJob(running.current).catch(() => undefined);
    setSaid("Stopped; nothing was written.");
  };
  const busy = job !== null;
  const drawn = what === "draw" || what === "print" || what === "sheets";
  const nothing = what === "export" && options.formats.length === 0;
  const at = moments();
  return (
    <Dialog
      title={TITLES[what]}
      wide
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Close</Button>
          {busy && (
            <Button kind="danger" onClick={() => void cancel()}>
              Stop
            </Button>
          )}
          {drawn && (
            <Button disabled={busy} onClick={() => void look()}>
              Preview
            </Button>
          )}
          <Button disabled={busy || nothing} onClick={() => void download()}>
            Download
          </Button>
          <Button kind="primary" disabled={busy || nothing} onClick={() => void write()}>
            Write to dist
          </Button>
        </>
      }
    >
      <div class="export">
        <div class="choices">
          <Select
            label="Which board"
            value={String(of.at)}
            options={unsaved.value ? at : at.filter((one) => one.value !== "saved")}
            onCommit={(value) => setOf({ ...of, at: momentOf(value) })}
          />
          {of.variants.length > 0 && (
            <Check label={`With ${of.variants.join(", ")}`} checked onCommit={() => setOf({ ...of, variants: [] })} />
          )}
          {drawn && (
            <Select
              label="Theme"
              value={options.theme}
              options={(answer?.themes ?? [{ name: "board", about: "" }]).map((t) => ({ value: t.name, label: t.about ? `${t.name}: ${t.about}` : t.name }))}
              onCommit={(theme) => set({ theme })}
            />
          )}
          {what === "draw" && (
            <>
              <Select
                label="File"
                value={options.form}
                options={[
                  { value: "svg", label: "SVG, to edit and scale" },
                  { value: "png", label: "PNG, pixels" },
                  { value: "pdf", label: "PDF, to print whole" },
                ]}
                onCommit={(form) => set({ form })}
              />
              {options.form === "png" && (
                <Field label="Dots per inch" type="number" min={20} max={1200} value={options.dpi} onCommit={(text) => set({ dpi: Number(text) })} />
              )}
              {options.form === "svg" && (
                <Select
                  label="Fonts"
                  value={options.fonts}
                  options={[
                    { value: "name", label: "by name: smallest" },
                    { value: "embed", label: "in the file: looks the same everywhere" },
                    { value: "paths", label: "as outlines: for any program" },
                  ]}
                  onCommit={(fonts) => set({ fonts })}
                />
              )}
              <Check label="Names of mileposts that are not cities" checked={options.dot_names} onCommit={(dot_names) => set({ dot_names })} />
              <Check label="Higher contrast" checked={options.contrast === 1} onCommit={(on) => set({ contrast: on ? 1 : 0 })} />
            </>
          )}
          {(what === "print" || what === "sheets") && (
            <Select
              label="Paper"
              value={options.paper}
              options={what === "print" ? [...PAPERS, ...LARGE_PAPERS] : PAPERS}
              onCommit={(paper) => set({ paper })}
            />
          )}
          {what === "print" && (
            <>
              <Check
                label="As a booklet to fold, the board across the middle"
                checked={options.booklet}
                onCommit={(booklet) => set({ booklet, paper: options.paper === "poster" ? "a4" : options.paper })}
              />
              {!options.booklet && (
                <Field label="Size, % of the board" type="number" min={5} max={1000} value={options.scale} onCommit={(text) => set({ scale: Number(text) })} />
              )}
              {(options.booklet ? ["board", "sheets"] : ["board", "sheets", "cards"]).map((part) => (
                <Check
                  key={part}
                  label={`Print the ${part}`}
                  checked={options.only.length === 0 || options.only.includes(part)}
                  onCommit={(on) => {
                    const had = options.only.length === 0 ? ["board", "sheets", "cards"] : options.only;
                    const next = on ? [...had, part] : had.filter((one) => one !== part);
                    set({ only: next.length === 3 ? [] : next });
                  }}
                />
              ))}
              {!options.booklet && <Check label="Backs of cards too" checked={options.duplex} onCommit={(duplex) => set({ duplex })} />}
              <Check label="Little ink" checked={options.low_ink} onCommit={(low_ink) => set({ low_ink })} />
            </>
          )}
          {what === "report" && <p>One page with the board to pan and search, routes, payoffs, odds and findings.</p>}
          {what === "rules" && <p>One printable page for exactly the rules of this board.</p>}
          {what === "export" && !answer && <p class="hint">Reading the formats …</p>}
          {what === "export" && answer && (
            <ul class="formats" aria-label="Formats">
              {answer.formats.map((form) => (
                <li key={form.name}>
                  <Check
                    label={`${form.title} (${form.suffixes.join(", ")})`}
                    checked={options.formats.includes(form.name)}
                    onCommit={(on) => set({ formats: on ? [...options.formats, form.name] : options.formats.filter((n) => n !== form.name) })}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
        <div class="shown">
          {busy && (
            <div role="status">
              <progress aria-label="Working" />
              {job.state === "waiting" ? "Waiting for other work" : `Working: ${job.stage || "starting"} …`}
            </div>
          )}
          {error && (
            <p class="error said" role="alert">
              {error}
            </p>
          )}
          {said && (
            <p class="said" role="status">
              {said}
            </p>
          )}
          {drawn && (
            <div class="picture">
              {preview ? (
                <img src={preview.url} alt={`Preview: ${preview.name}`} />
              ) : (
                <p class="hint">Preview shows the board as it will be drawn. Editing goes on meanwhile.</p>
              )}
            </div>
          )}
          {what === "export" && (
            <dl>
              {(answer?.formats ?? [])
                .filter((form) => options.formats.includes(form.name))
                .map((form) => (
                  <Fragment key={form.name}>
                    <dt>{form.name}</dt>
                    <dd>
                      holds {form.carries}; {form.loses === "nothing" ? "loses nothing" : `loses ${form.loses}`}
                    </dd>
                  </Fragment>
                ))}
            </dl>
          )}
        </div>
      </div>
    </Dialog>
  );
}
