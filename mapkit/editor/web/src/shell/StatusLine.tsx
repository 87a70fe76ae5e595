import { effect, signal } from "@preact/signals";
import { pointed } from "../board/sight";
import { degrees } from "../commands";
import { sayDegrees } from "../draw/coordinates";
import { connection } from "../edit";
import { selection } from "../selection";
import { perform } from "../actions";
import { counts } from "../judging/findings";
import { stateText } from "./line";
import { mileposts, railroads, ready, revision, unsaved } from "../store";
import { currentTool } from "../tools";

/** Where the pointer is, in degrees; asked when it rests. */
const position = signal("");
let resting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const at = pointed.value;
  clearTimeout(resting);
  if (!at || !ready.value) {
    position.value = "";
    return;
  }
  resting = setTimeout(() => {
    degrees([at]).then(
      ([place]) => {
        if (place && pointed.peek() === at) position.value = sayDegrees({ lon: place[0], lat: place[1] });
      },
      () => undefined,
    );
  }, 120);
});

const count = (n: number, word: string): string => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

export function StatusLine() {
  const { error, warning, note } = counts.value;
  return (
    <footer class="status">
      <span role="status" aria-live="polite" class={`state ${connection.line.value === "open" ? "" : "cut"}`}>
        {stateText({ connection, unsaved: unsaved.value, revision: revision.value })}
      </span>
      <span class="hint">{currentTool.value.hint}</span>
      <span class="position">{position.value}</span>
      <span>{selection.value.length > 0 ? `${selection.value.length} selected` : ""}</span>
      <span>
        {count(Object.keys(mileposts.value).length, "milepost")}, {count(Object.keys(railroads.value).length, "railroad")}
      </span>
      <button type="button" class="link" onClick={() => perform("panel-checks")}>
        {error + warning + note === 0 ? "No findings" : `${count(error, "error")}, ${count(warning, "warning")}, ${count(note, "note")}`}
      </button>
    </footer>
  );
}
