// Two versions of the board: as saved, a checkpoint, any step, with variants; on the canvas and as a list by meaning.
import { useEffect } from "preact/hooks";
import { useAnswer } from "../asked";
import { after, before, momentOf, moments, versionName } from "../compare/versions";
import { lit, pair, SHEET } from "../compare/VersionsSheet";
import { Steps } from "../compare/Steps";
import { hideSheet, sheetShown, showSheet } from "../shell/Sheet";
import { Button, Empty, Select } from "../ui";
import type { ListedVariant } from "../generated";
import type { Version } from "../wire";
import { makeVariant } from "./variants";
import type { Panel } from "./panel";

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
    lit.value = [];
    pair.value = answer?.before && answer.after ? {
      before: { name: versionName(one), version: one, drawn: answer.before },
      after: { name: versionName(two), version: two, drawn: answer.after },
    } : null;
  }, [answer]);
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
      {answer && <Steps steps={answer.steps} label="Differences by meaning" />}
    </>
  );
}

export const comparePanel: Panel = { id: "compare", title: "Compare", keys: ["Alt+M"], component: Compare };
