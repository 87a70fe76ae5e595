import { keyText } from "../actions";
import { isDark, nextTheme } from "../shell/theme";
import { ActionButton, Button } from "../ui";
import { Toasts } from "../ui/Toast";
import { Dialogs } from "../ui/Dialog";
import { Board } from "./Board";
import { Panels, showPanel, Swatch } from "./panels";
import { cities, connection, findings, revision, terrains, title, toRedo, toUndo, unsaved, view } from "./store";
import { before, cityColour, currentTool, edgeKind, finishLine, LARGEST, picked, size, terrain, tool, tools } from "./tools";

function Toolbar() {
  return (
    <header class="toolbar">
      <h1>{title.value || "mapkit"}</h1>
      <div class="group" role="group" aria-label="Steps">
        <ActionButton id="undo">
          <span aria-hidden="true">↶</span> <span class="word">Undo</span>
          {toUndo.value && <span class="what">: {toUndo.value}</span>}
        </ActionButton>
        <ActionButton id="redo">
          <span aria-hidden="true">↷</span> <span class="word">Redo</span>
          {toRedo.value && <span class="what">: {toRedo.value}</span>}
        </ActionButton>
      </div>
      <div class="group end">
        <ActionButton id="before" pressed={before.value}>
          Compare
        </ActionButton>
        <Button kind="quiet" aria-label={isDark.value ? "Light colours" : "Dark colours"} onClick={nextTheme}>
          {isDark.value ? "☀" : "☾"}
        </Button>
        <ActionButton id="save">Save</ActionButton>
      </div>
    </header>
  );
}

function Rail() {
  return (
    <div class="tools rail" role="toolbar" aria-label="Tools" aria-orientation="vertical">
      <div class="group">
        {tools.map((one) => (
          <ActionButton id={`tool-${one.id}`} key={one.id} pressed={tool.value === one.id}>
            <span>{one.short}</span>
            <kbd aria-hidden="true">{keyText(one.key)}</kbd>
          </ActionButton>
        ))}
      </div>
    </div>
  );
}

const EDGES = ["ridge", "river", "impassable", "ferry", "clear"] as const;
const COLOURS = ["gray", "red", "blue", "black", "yellow", "purple"];

/** What the tool needs to know, over the board. */
function Options() {
  const now = tool.value;
  if (now === "paint" || now === "flood")
    return (
      <div class="options" role="toolbar" aria-label="Terrain">
        {terrains.value.map((one) => (
          <Button key={one.id} aria-pressed={terrain.value === one.id} onClick={() => (terrain.value = one.id)}>
            <Swatch colour={one.colour} /> {one.name}
          </Button>
        ))}
        {now === "paint" && (
          <span class="sizes" role="group" aria-label="Size of the brush">
            {Array.from({ length: LARGEST + 1 }, (_, n) => (
              <Button key={n} aria-pressed={size.value === n} aria-label={`Brush of ${1 + 3 * n * (n + 1)} hexagons`} onClick={() => (size.value = n)}>
                {1 + 3 * n * (n + 1)}
              </Button>
            ))}
          </span>
        )}
      </div>
    );
  if (now === "edge")
    return (
      <div class="options" role="toolbar" aria-label="Kind of edge">
        {EDGES.map((kind) => (
          <Button key={kind} aria-pressed={edgeKind.value === kind} onClick={() => (edgeKind.value = kind)}>
            {kind === "clear" ? "Clear" : kind[0]!.toUpperCase() + kind.slice(1)}
          </Button>
        ))}
      </div>
    );
  if (now === "city")
    return (
      <div class="options" role="toolbar" aria-label="Colour of the city">
        {COLOURS.map((colour) => (
          <Button key={colour} aria-pressed={cityColour.value === colour} onClick={() => (cityColour.value = colour)}>
            <Swatch colour={view.value?.pigments[colour] ?? "#a3a19a"} /> {colour}
          </Button>
        ))}
      </div>
    );
  if (now === "line")
    return (
      <div class="options" role="toolbar" aria-label="Major line">
        <Button kind="primary" disabled={picked.value.length < 2} onClick={() => void finishLine()}>
          End the line of {picked.value.length} {picked.value.length === 1 ? "city" : "cities"}
        </Button>
      </div>
    );
  return null;
}

function state(): string {
  const line = connection.line.value;
  if (line === "locked out") return "The editor was restarted: open the address that it printed";
  if (line === "cut") return connection.pending.value > 0 ? `No connection: ${connection.pending.value} steps wait here` : "No connection; trying again";
  if (line === "connecting") return "Connecting";
  return `${unsaved.value ? "Kept, not yet in the files" : "Saved"}, revision ${revision.value}`;
}

const count = (n: number, word: string, many = `${word}s`): string => `${n.toLocaleString("en")} ${n === 1 ? word : many}`;

function Status() {
  const at = view.value?.grid;
  const of = (severity: string): number => findings.value.filter((one) => !one.accepted && one.severity === severity).length;
  const [errors, warnings, notes] = [of("error"), of("warning"), of("note")];
  return (
    <footer class="status">
      <span role="status" aria-live="polite" class={`state ${connection.line.value === "open" ? "" : "cut"}`}>
        {state()}
      </span>
      <span class="hint">{currentTool.value.hint}</span>
      <span>
        {at ? count(at.columns * at.rows, "hexagon") : ""}, {count(cities.value.length, "city", "cities")}
      </span>
      <button type="button" class="link" onClick={() => showPanel("checks")}>
        {errors + warnings + notes === 0 ? "No findings" : `${count(errors, "error")}, ${count(warnings, "warning")}, ${count(notes, "note")}`}
      </button>
    </footer>
  );
}

export function App() {
  return (
    <>
      <Toolbar />
      <main class="middle">
        <Rail />
        <div class="stage-column">
          <Options />
          <Board />
        </div>
        <Panels />
      </main>
      <Status />
      <Toasts />
      <Dialogs />
    </>
  );
}
