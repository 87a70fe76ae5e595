// Variants: those of the workspace and the shipped ones, stacked to look at, taken over, and made of what was edited.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { register } from "../actions";
import { send, useAnswer } from "../asked";
import { errorText } from "../errors";
import { momentOf, moments, NOW, versionName } from "../compare/versions";
import { lit, pair, SHEET } from "../compare/VersionsSheet";
import { Steps } from "../compare/Steps";
import { query, run } from "../edit";
import { hideSheet, sheetShown, showSheet } from "../shell/Sheet";
import { ask, Button, Check, Dialog, Empty, Field, openDialog, Select, toast } from "../ui";
import type { Version } from "../wire";
import { Operations } from "./Operations";
import type { Panel } from "./panel";
import type { ListedVariant } from "../generated";

const chosen = signal<readonly string[]>([]);
/** Counts up when a variant was written, so that the list is read again. */
const written = signal(0);

function NewVariant({ from, to, close }: { from: Version; to: Version; close: () => void }) {
  const [before, setBefore] = useState(from);
  const [after, setAfter] = useState(to);
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const { answer, error: refused } = useAnswer("variant-draft", { before, after });
  const write = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await send("POST /api/variants", { body: { name, title, before, after } });
      written.value += 1;
      close();
      toast(`Written: ${made.file}, ${made.operations} ${made.operations === 1 ? "operation" : "operations"}.`);
    } catch (problem) {
      setError(errorText(problem));
    }
    setBusy(false);
  };
  const nothing = answer?.operations.length === 0;
  return (
    <Dialog
      title="New variant"
      wide
      onClose={close}
      buttons={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" disabled={!name || !answer || nothing || busy} onClick={() => void write()}>
            Write variants/{name || "NAME"}.toml
          </Button>
        </>
      }
    >
      <div class="field-pair">
        <Field label="Name" autoFocus value={name} hint="Small letters, digits and hyphens." error={error || null} onInput={(text) => setName(text.trim())} />
        <Field label="Title" value={title} onInput={setTitle} />
        <Select label="It leads from the board" value={String(before.at)} options={moments()} onCommit={(value) => setBefore({ ...before, at: momentOf(value) })} />
        <Select label="to the board" value={String(after.at)} options={moments()} onCommit={(value) => setAfter({ ...after, at: momentOf(value) })} />
      </div>
      <p class="hint">
        From: {versionName(before)}. To: {versionName(after)}.
      </p>
      {refused && <p class="error">{refused}</p>}
      {!answer && !refused && <p class="hint">Working out what was done …</p>}
      {answer && (
        <>
          <h4>{nothing ? "Nothing differs between the two" : `It will hold ${answer.operations.length} ${answer.operations.length === 1 ? "operation" : "operations"}`}</h4>
          <Operations all={answer.operations} />
          {answer.left.length > 0 && (
            <>
              <h4>No operation can say this; it will not be in the variant</h4>
              <ul class="diff-steps">
                {answer.left.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Open the dialog that makes a variant of the way from one version to another. */
export function makeVariant(from: Version = { at: "saved", variants: [] }, to: Version = NOW): void {
  openDialog((close) => <NewVariant from={from} to={to} close={close} />);
}

/** Take what the chosen variants do into the document, as one step. */
async function takeOver(names: readonly string[]): Promise<void> {
  try {
    const found = await query("take-variants", { variants: names });
    if (!found.command) {
      const why = found.left.length > 0 ? `The tables of the board cannot hold this:\n${found.left.join("\n")}` : "The board is as these variants make it already.";
      await ask({ title: "Nothing was taken over", text: why, buttons: [{ id: "ok", label: "OK", kind: "primary" }] });
      return;
    }
    const done = await run(found.command);
    if (!done.ok) return;
    chosen.value = [];
    hideSheet(SHEET.id);
    toast(`Taken over: ${names.join(", ")}. Undo takes it back.`);
  } catch (error) {
    toast(errorText(error), "error");
  }
}

function Row({ variant }: { variant: ListedVariant }) {
  const at = chosen.value.indexOf(variant.name);
  const usable = !variant.error && variant.fits;
  const move = (by: number): void => {
    const next = [...chosen.value];
    const to = at + by;
    if (to < 0 || to >= next.length) return;
    next.splice(to, 0, ...next.splice(at, 1));
    chosen.value = next;
  };
  return (
    <li>
      <div class="bar">
        <Check
          label={`${variant.title || variant.name}${at >= 0 ? ` (${at + 1})` : ""}`}
          checked={at >= 0}
          disabled={!usable}
          onCommit={(on) => (chosen.value = on ? [...chosen.value, variant.name] : chosen.value.filter((n) => n !== variant.name))}
        />
        {at >= 0 && chosen.value.length > 1 && (
          <>
            <Button kind="quiet" aria-label={`${variant.name} earlier`} onClick={() => move(-1)}>
              ↑
            </Button>
            <Button kind="quiet" aria-label={`${variant.name} later`} onClick={() => move(1)}>
              ↓
            </Button>
          </>
        )}
      </div>
      {variant.error ? (
        <p class="error">{variant.error}</p>
      ) : (
        <details>
          <summary>
            <code>{variant.name}</code> {variant.own ? "of this workspace" : "shipped"}, {variant.count} {variant.count === 1 ? "operation" : "operations"}
            {variant.board ? `, for ${variant.board}` : ""}
          </summary>
          <p>{variant.description}</p>
          {variant.bases.length > 0 && <p>Based on {variant.bases.join(", ")}</p>}
          <Operations all={variant.operations} />
        </details>
      )}
    </li>
  );
}

function Stack() {
  const names = chosen.value;
  const { answer, error } = useAnswer("variant-stack", { variants: names });
  useEffect(() => {
    lit.value = [];
    if (!answer) return;
    const version: Version = { at: "now", variants: names };
    pair.value = {
      before: { name: versionName(NOW), version: NOW, drawn: answer.before },
      after: { name: names.join(" + "), version, drawn: answer.after },
    };
  }, [answer]);
  const shown = sheetShown(SHEET.id);
  return (
    <section>
      <h3>Applied: {names.join(", ")}</h3>
      <div class="bar">
        <Button kind="primary" aria-pressed={shown} disabled={!answer} onClick={() => (shown ? hideSheet(SHEET.id) : showSheet(SHEET))}>
          Look at it
        </Button>
        <Button disabled={!answer} onClick={() => void takeOver(names)}>
          Take over into the board
        </Button>
        <Button onClick={() => (chosen.value = [])}>Choose none</Button>
      </div>
      <p class="hint">The board itself stays as it is until you take them over.</p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {answer?.layers.map((layer) => (
        <div key={layer.name}>
          <h4>
            {layer.name}
            {layer.asked ? "" : ", which comes with it"}
          </h4>
          {layer.steps.length === 0 ? <p class="hint">It changes nothing more.</p> : <Steps steps={layer.steps} label={`What ${layer.name} did`} />}
        </div>
      ))}
    </section>
  );
}

function Variants() {
  const { answer, error } = useAnswer("variants", {}, { again: written.value });
  const [needle, setNeedle] = useState("");
  const [all, setAll] = useState(false);
  useEffect(() => () => hideSheet(SHEET.id), []);
  const list = answer?.variants ?? [];
  const shown = list.filter(
    (v) =>
      (all || v.fits || v.error !== null || chosen.value.includes(v.name)) &&
      `${v.name} ${v.title} ${v.description}`.toLowerCase().includes(needle.toLowerCase()),
  );
  return (
    <>
      <div class="bar">
        <Button kind="primary" onClick={() => makeVariant()}>
          New variant of what was edited …
        </Button>
      </div>
      {chosen.value.length > 0 && <Stack />}
      <Field label="Find a variant" type="search" value={needle} onInput={setNeedle} />
      <Check label="Also those for other boards" checked={all} onCommit={setAll} />
      {error && <p class="error">{error}</p>}
      {answer && shown.length === 0 && (
        <Empty title="No variant">
          <p>Change the board, then make a variant of what was edited; it is written to the folder variants.</p>
        </Empty>
      )}
      <ul class="variant-list" aria-label="Variants">
        {[...shown].sort((a, b) => Number(b.own) - Number(a.own)).map((variant) => (
          <Row key={variant.name} variant={variant} />
        ))}
      </ul>
    </>
  );
}

register({ id: "variant-new", label: "New variant of what was edited …", group: "Variants", run: () => makeVariant() });

export const variantsPanel: Panel = {
  id: "variants",
  title: "Variants", tab: "List",
  keys: ["Alt+N"],
  badge: () => chosen.value.length || null,
  component: Variants,
};

/** The variants that are applied to look at. */
export const chosenVariants = (): readonly string[] => chosen.value;
