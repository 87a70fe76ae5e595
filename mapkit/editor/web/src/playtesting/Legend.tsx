// The key of colours on the board, over a corner of the canvas.
import { signal } from "@preact/signals";
import { NONE, tint } from "../board/tint";
import { cramped } from "../shell/room";
import { Button } from "../ui";
import { onBoard } from "./onBoard";

const open = signal(!cramped.peek());

export function Legend() {
  const now = tint.value;
  if (!now) return null;
  const steps = [...now.steps.toReversed(), { colour: NONE, label: now.none }];
  return (
    <section class="legend" aria-label="Colours of the play-test">
      <details open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>{now.title}</summary>
        <ul>
          {steps.map(({ colour, label }) => (
            <li key={colour}>
              <span class="heat" style={{ background: colour }} aria-hidden="true" />
              {label}
            </li>
          ))}
        </ul>
        <Button onClick={() => (onBoard.value = "off")}>Own colours again</Button>
      </details>
    </section>
  );
}
