import { perform } from "../actions";
import { board as name, railroads } from "../store";
import { FirstSteps, STEPS, stepsDone } from "../shell/firstSteps";
import { startTour, tourLeftAt } from "../shell/Tour";
import { ActionButton, Button } from "../ui";
import type { Panel } from "./panel";

const TEXTS: readonly (readonly [string, string])[] = [
  [
    "Is my work safe?",
    "Yes. Each step is written to the disk before the page shows it, in a journal beside the board. Close the page, or let the power fail: it is all there when you come back. Save writes the board's files, which the other commands of mapkit read.",
  ],
  [
    "How do I undo?",
    "Ctrl+Z, and the button says what it will undo. The History panel lists every step; click one to go there. Nothing is lost by going back: steps that you leave stay in the list.",
  ],
  [
    "How do I select and move things?",
    "Click one; Shift or Ctrl adds to it; drag over empty paper for a box. Drag a milepost, and its lines follow. By keyboard: B goes to the board, arrows move a cross, Space takes hold, arrows move it, Space lets go.",
  ],
  [
    "What do the checks want?",
    "Errors keep the board from being played or exported; warnings are worth a look; notes matter to play. If one is right as it is, accept it and say why: the reason is kept with the board.",
  ],
  [
    "Is my map any good?",
    "Play-test lets computer players play it a thousand times, in the background: who wins, by which railroads, how long it takes, what of the board is used. What my edit changed plays the board as it was beside it, with the same dice.",
  ],
  [
    "Can two of us edit at once?",
    "Two pages and the command line can, on this machine. Changes of different things merge; for the same thing you are asked. Files changed by other programs are noticed too.",
  ],
  [
    "Where does it all go?",
    "Nowhere. The page talks only to the mapkit that you started on this machine; no other computer can reach it.",
  ],
];

function Help() {
  const left = tourLeftAt.value > 0;
  return (
    <>
      <div class="bar">
        <ActionButton id="keys">All keys (?)</ActionButton>
        <Button kind={left ? "primary" : "plain"} onClick={() => startTour()}>
          {left ? "Go on with the tour" : "Take the tour"}
        </Button>
        {left && <Button onClick={() => startTour(true)}>From the beginning</Button>}
        <Button onClick={() => perform("palette")}>Find a command …</Button>
      </div>
      <details class="answer" open={stepsDone.value < STEPS.length - 2}>
        <summary>
          <b>First steps</b>{" "}
          <span class="n">
            {stepsDone.value} of {STEPS.length}
          </span>
        </summary>
        <FirstSteps />
      </details>
      <section>
        <h4>Questions</h4>
        {TEXTS.map(([title, text]) => (
          <details key={title} class="answer">
            <summary>{title}</summary>
            <p>{text}</p>
          </details>
        ))}
      </section>
      <p class="hint">
        This board is {name.value}, with {Object.keys(railroads.value).length} railroads. The manual page on the editor says more.
      </p>
    </>
  );
}

export const helpPanel: Panel = { id: "help", title: "Help", keys: ["F1"], component: Help };
