// The panel's part on dots and squares of the picture underneath: finding them, and accepting what is proposed.
import { register } from "../actions";
import { board } from "../board";
import { acceptDots, hasLines, regionOfCities, said } from "../draw/acceptDots";
import { aligned } from "../draw/background";
import { showError } from "../draw/common";
import { bringBack, calledDot, chosenDot, counts, dismiss, dotsDoubts, dotsPicture, findDots, finding, namingDots, proposals, type Proposal } from "../draw/dots";
import { inSight } from "../draw/sight";
import { showPanel } from "../shell/pane";
import { chooseTool } from "../tools";
import { dotTool } from "../tools/dots";
import { rows } from "../store";
import { ActionButton, Button, Select, Table, type Column } from "../ui";

const SHOWN_MM = 12;
const inView = (): Proposal[] => proposals.value.filter((one) => inSight(one.at));
const accept = (all: readonly Proposal[]): void => void acceptDots(all).catch(showError);

async function begin(): Promise<void> {
  showPanel("background");
  await findDots();
  if (proposals.value.length > 0) chooseTool(dotTool);
}

register(
  {
    id: "dots-find",
    label: "Find dots and squares in the picture",
    group: "Draw",
    enabled: () => aligned() !== null && finding.stage.value === "",
    needs: () => (aligned() === null ? "add a picture in the work space Map, Background, first" : "they are being found"),
    run: () => void begin(),
  },
  {
    id: "dots-accept-all",
    label: "Accept all dots and squares of the picture",
    group: "Draw",
    enabled: () => proposals.value.length > 0 && !namingDots.value,
    needs: () => (namingDots.value ? "their names are being looked up" : "find dots and squares in a picture first"),
    run: () => accept(proposals.value),
  },
  {
    id: "dots-accept-view",
    label: "Accept the dots and squares in view",
    group: "Draw",
    enabled: () => proposals.value.length > 0 && !namingDots.value,
    needs: () => (namingDots.value ? "their names are being looked up" : "find dots and squares in a picture first"),
    run: () => {
      const all = inView();
      if (all.length > 0) accept(all);
      else showError("No dot or square that is proposed is in view; move the board.");
    },
  },
  {
    id: "dots-dismiss",
    label: "Dismiss all dots and squares of the picture",
    group: "Draw",
    enabled: () => proposals.value.length > 0,
    needs: "find dots and squares in a picture first",
    run: () => dismiss(proposals.value.map((one) => one.key)),
  },
);

const COLUMNS: Column<Proposal>[] = [
  { id: "kind", title: "Kind", cell: (one) => one.kind, sort: (one) => one.kind, width: "4.6rem" },
  { id: "name", title: "Name", cell: (one) => one.name || "–", sort: (one) => one.name, width: "minmax(6rem, 1fr)" },
  { id: "sure", title: "Sure", cell: (one) => `${Math.round(100 * one.sure)} %`, sort: (one) => one.sure, align: "right", width: "4.6rem" },
];

function show(one: Proposal): void {
  chosenDot.value = one.key;
  const [x, y] = one.at;
  if (!inSight(one.at)) board.flyTo({ left: x - SHOWN_MM, right: x + SHOWN_MM, top: y - SHOWN_MM, bottom: y + SHOWN_MM });
}

function summary(): string {
  const { all, there, dismissed } = counts.value;
  const open = proposals.value;
  const rest = [...(there > 0 ? [`${there} on the board already`] : []), ...(dismissed > 0 ? [`${dismissed} dismissed`] : [])].join(", ");
  if (open.length === 0) return `Of ${all} dots and squares none is left: ${rest}.`;
  return `${said(open)} proposed${rest ? `; ${rest}` : ""}. Click one on the board, or press Enter in the list, to accept it.`;
}

function Found() {
  const open = proposals.value;
  return (
    <>
      <p role="status">{summary()}</p>
      {dotsDoubts.value.map((doubt) => (
        <p key={doubt} class="hint">
          Much is in doubt: {doubt}
        </p>
      ))}
      {open.some((one) => one.kind === "dot") && !hasLines() && (
        <p class="hint">Mileposts stand on lines. Draw lines from dot to dot: the line tools catch them, and the mileposts get their names.</p>
      )}
      {open.some((one) => one.kind === "square") && (
        <Select
          label="Region of new cities"
          value={regionOfCities.value}
          options={[{ value: "", label: "that of the nearest city" }, ...rows("regions").map((row) => ({ value: row.key, label: row.name }))]}
          onCommit={(id) => (regionOfCities.value = id)}
        />
      )}
      <div class="bar">
        <ActionButton id="dots-accept-all">Accept all</ActionButton>
        <ActionButton id="dots-accept-view">Accept those in view</ActionButton>
        <ActionButton id="dots-dismiss">Dismiss all</ActionButton>
        {counts.value.dismissed > 0 && <Button onClick={bringBack}>Bring back those dismissed</Button>}
      </div>
      {open.length > 0 && (
        <Table
          caption="Dots and squares that are proposed"
          rows={open}
          rowKey={(one) => one.key}
          columns={COLUMNS}
          selected={new Set(chosenDot.value === null ? [] : [chosenDot.value])}
          onPick={(one, event) => {
            show(one);
            if (event instanceof KeyboardEvent) accept([one]);
          }}
          text={calledDot}
          menu={(one) => [
            { id: "row-accept", label: "Accept it", keys: "Enter", run: () => accept([one]) },
            { id: "row-show", label: "Show it", run: () => show(one) },
            { id: "row-dismiss", label: "Dismiss it", run: () => dismiss([one.key]) },
          ]}
        />
      )}
    </>
  );
}

export function Dots() {
  const about = aligned();
  if (!about) return null;
  const { stage, error, stopped } = finding;
  return (
    <section aria-label="Dots and squares">
      <h3>Dots and squares</h3>
      {!dotsPicture.value && !stage.value && <p class="hint">Find the mileposts that {about.name} shows, and accept those that are right.</p>}
      <div class="bar">
        <ActionButton id="dots-find">Find dots and squares</ActionButton>
        {stage.value && <Button onClick={() => finding.stop()}>Stop</Button>}
      </div>
      {stage.value && (
        <p role="status">
          {about.name}: {stage.value} …
        </p>
      )}
      {stopped.value && <p role="status">Stopped; nothing was found.</p>}
      {error.value && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      {dotsPicture.value && <Found />}
    </section>
  );
}
