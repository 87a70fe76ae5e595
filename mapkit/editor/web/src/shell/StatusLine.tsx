import { effect, signal } from "@preact/signals";
import { silent } from "../answering";
import { pointed } from "../board/sight";
import { degrees } from "../commands";
import { sayDegrees } from "../draw/coordinates";
import { connection } from "../edit";
import { selection } from "../selection";
import { perform } from "../actions";
import { counts } from "../judging/findings";
import { mileposts, railroads, ready, revision, unsaved } from "../store";
import { currentTool } from "../tools";

function state(): string {
  if (connection.line.value === "locked out") return "The editor does not know this page: run mapkit edit again";
  if (connection.line.value === "cut") {
    const n = connection.pending.value;
    return n > 0 ? `No connection: ${n} ${n === 1 ? "step waits" : "steps wait"} here` : "No connection; trying again";
  }
  if (connection.line.value === "connecting") return "Connecting";
  if (silent.value) return "mapkit edit does not answer";
  if (connection.pending.value > 0) return "Working";
  return unsaved.value ? `Kept, not yet in the files, revision ${revision.value}` : `Saved, revision ${revision.value}`;
}

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
        {state()}
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
