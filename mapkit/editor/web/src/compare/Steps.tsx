import { board } from "../board";
import { sheetShown } from "../shell/Sheet";
import { lookAt } from "./Drawn";
import { lit } from "./VersionsSheet";
import type { ShownStep as Step } from "../generated";

/** Show where a difference is: on the two versions if they are looked at, else on the canvas. */
function fly(step: Step): void {
  lit.value = step.elements;
  if (sheetShown("versions")) lookAt(step.box);
  else if (step.box) board.flyTo(step.box);
}

/** Differences by meaning; a click flies there. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol class="diff-steps" aria-label={label}>
      {steps.map((step, i) => (
        <li key={i}>
          <button
            type="button"
            aria-current={step.elements.length > 0 && lit.value === step.elements ? "true" : undefined}
            title={step.box ? "Show it on the board" : "This lies nowhere on the board"}
            onClick={() => fly(step)}
          >
            <span class="kind">{step.kind}</span>
            {step.text}
          </button>
        </li>
      ))}
    </ol>
  );
}
