// Two versions of the board: as saved, a checkpoint, any step, with variants; on the canvas and as a list by meaning.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAnswer } from "../asked";
import { board } from "../board";
import { MARKS, marks } from "../compare/marks";
import { after, before, momentOf, moments, versionName } from "../compare/versions";
import { lit, pair, SHEET } from "../compare/VersionsSheet";
import { Steps } from "../compare/Steps";
import { hideSheet, sheetShown, showSheet } from "../shell/Sheet";
import { Button, Check, Empty, Select } from "../ui";
import type { ListedVariant } from "../generated";
import type { Version } from "../wire";
import { makeVariant } from "./variants";
import type { Panel } from "./panel";

/** Whether differences are marked on the canvas. */
const marking = signal(true);

function Choose(props: { label: string; version: Version; variants: readonly ListedVariant[]; onChange: (version: Version) => void }) {
  const { version } = props;
  const fits = props.variants.filter((v) => v.fits && !v.error);
  return (
    <fieldset class="boxed">
      <legend>{props.label}</legend>
      <Select
        label="Moment"
        value={String(version.at)}
        options={moments()}
        onCommit={(value) => props.onChange({ ...version, at: momentOf(value) })}
      />
      <Select
        label="With the variant"
        value={version.variants[0] ?? ""}
        options={[{ value: "", label: "none" }, ...fits.map((v) => ({ value: v.name, label: v.name }))]}
        onCommit={(name) => props.onChange({ ...version, variants: name ? [name] : [] })}
      />
    </fieldset>
  );
}

function Compare() {
  const list = useAnswer("variants", {}, { follow: false });
  const { answer, error, busy } = useAnswer("compare", { before: before.value, after: after.value });
  const [one, two] = [before.value, after.value];
  useEffect(() => {
    lit.value = answer?.steps.flatMap(({ elements }) => elements) ?? [];
    pair.value = answer?.before && answer.after ? {
      before: { name: versionName(one), version: one, drawn: answer.before },
      after: { name: versionName(two), version: two, drawn: answer.after },
    } : null;
  }, [answer]);
  useEffect(() => {
    board.sketch("compare", answer?.before && answer.after && marking.value ? marks(answer.steps, answer.before, answer.after) : []);
    return () => board.sketch("compare", []);
  }, [answer, marking.value]);
  useEffect(() => () => hideSheet(SHEET.id), []);
  const shown = sheetShown(SHEET.id);
  const variants = list.answer?.variants ?? [];
  return (
    <>
      <Choose label="Before" version={one} variants={variants} onChange={(version) => (before.value = version)} />
      <Choose label="After" version={two} variants={variants} onChange={(version) => (after.value = version)} />
      <div class="bar">
        <Button kind="primary" aria-pressed={shown} onClick={() => (shown ? hideSheet(SHEET.id) : showSheet(SHEET))}>
          Look at both
        </Button>
        <Button
          onClick={() => {
            const old = before.value;
            before.value = after.value;
            after.value = old;
          }}
        >
          Swap
        </Button>
        <Button disabled={!answer || answer.same} onClick={() => makeVariant(one, two)}>
          Make a variant of this …
        </Button>
      </div>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <p role="status" class="hint">
        {busy && !answer ? "Comparing …" : answer ? (answer.same ? "Both mean the same." : `${answer.steps.length} ${answer.steps.length === 1 ? "difference" : "differences"}`) : ""}
      </p>
      {answer?.same && (
        <Empty title="No difference">
          <p>Choose another moment or a variant. Every step and checkpoint of the history can be compared.</p>
        </Empty>
      )}
      {answer && !answer.same && (
        <div class="marks-key">
          <Check label="Mark them on the board" checked={marking.value} onCommit={(on) => (marking.value = on)} />
          {marking.value &&
            Object.entries(MARKS).map(([kind, { colour, words }]) => (
              <span key={kind} class={`mark-key ${kind}`} style={{ borderColor: colour }}>
                {words}
              </span>
            ))}
        </div>
      )}
      {answer && <Steps steps={answer.steps} label="Differences by meaning" />}
    </>
  );
}

export const comparePanel: Panel = { id: "compare", title: "Compare", keys: ["Alt+M"], component: Compare };
