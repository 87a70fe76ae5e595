// The operations of a variant: those with one reason together, each in a few words; long groups are folded, and searched.
import { useState } from "preact/hooks";
import type { ShownOperation } from "../generated";
import { Field } from "../ui";
import { grouped, type Group } from "./operationGroups";

/** Groups of more are folded. */
const FEW = 6;
/** More operations are worth a search. */
const MANY = 12;
const MOST = 200;

function Labels({ all }: { all: readonly string[] }) {
  return (
    <ul class="labels">
      {all.slice(0, MOST).map((label, i) => (
        <li key={i}>{label}</li>
      ))}
      {all.length > MOST && <li class="hint">and {all.length - MOST} more</li>}
    </ul>
  );
}

function One({ group: { op, reason, labels }, open }: { group: Group; open: boolean }) {
  const kind = <span class="kind">{op}</span>;
  if (labels.length === 0)
    return (
      <li>
        {kind}
        {reason}
      </li>
    );
  return (
    <li>
      <details open={open || labels.length <= FEW}>
        <summary>
          {kind}
          {reason}
          {labels.length > 1 && <span class="n">{labels.length}</span>}
        </summary>
        <Labels all={labels} />
      </details>
    </li>
  );
}

export function Operations({ all }: { all: readonly ShownOperation[] }) {
  const [needle, setNeedle] = useState("");
  const found = grouped(all, needle);
  return (
    <>
      {all.length > MANY && <Field label="Find an operation" type="search" value={needle} onInput={setNeedle} />}
      <ol class="diff-steps" aria-label="Operations">
        {found.map((group) => (
          <One key={`${group.op} ${group.reason}`} group={group} open={needle !== ""} />
        ))}
      </ol>
      {found.length === 0 && needle !== "" && <p class="hint">No operation has these words.</p>}
    </>
  );
}
