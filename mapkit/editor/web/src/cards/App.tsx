// The page of card games: work spaces on the left, tables and cards side by side, findings and steps on the right.
import type { ShownFinding } from "../generated";
import { ContextMenu } from "../ui/ContextMenu";
import { Dialogs } from "../ui/Dialog";
import { Toasts } from "../ui/Toast";
import { count, Findings, History, Keys, Status, Toolbar } from "../tabled/frame";
import { Banners } from "../shell/Banners";
import { Dock } from "../shell/Dock";
import { openPanel, paneShown, registerSpaces, showPanel } from "../shell/pane";
import { SPACE, SpaceBar } from "../shell/SpaceBar";
import type { WorkSpace } from "../shell/spaces";
import "./actions";
import { Comparison, Gallery } from "./Gallery";
import { Rules } from "./Rules";
import { Sheets } from "./Sheets";
import { currentSpace, goToRow, space, spaces } from "./spaces";
import { before, board, cardsIn, pictures, tables } from "./store";
import { SpaceTables } from "./Tables";

const bar: readonly WorkSpace[] = spaces.map(({ id, title }) => ({ id, title, panels: [] }));

/** The row that a finding is about: its own, or the first of its elements that is the id of one. */
function goes(one: ShownFinding): (() => void) | null {
  const known = (table: string, key: string): boolean => tables.value[table]?.[key] !== undefined;
  if (one.table !== null && one.key !== null && known(one.table, one.key)) {
    const [table, key] = [one.table, one.key];
    return () => goToRow(table, key);
  }
  const file = one.place["file"];
  const first = typeof file === "string" ? file.replace(/\.csv$/, "") : "";
  const all = [first, ...spaces.flatMap((each) => each.tables)];
  for (const key of one.elements) {
    const table = all.find((name) => known(name, key));
    if (table) return () => goToRow(table, key);
    const face = pictures.value.find((picture) => picture.id === key)?.rows.at(-1);
    if (face) return () => goToRow(face[0], face[1]);
  }
  const to = spaces.find((each) => each.tables.includes(first) || each.tables.some((table) => one.elements.includes(table)));
  return to ? () => void (space.value = to.id) : null;
}

function Desk() {
  const { id } = currentSpace.value;
  if (id === "sheets") return <Sheets />;
  if (id === "rules")
    return (
      <div class="desk">
        {before.value && <Comparison />}
        <Rules />
      </div>
    );
  return (
    <div class="desk" key={id}>
      <SpaceTables />
      <Gallery />
    </div>
  );
}

function Help() {
  return (
    <>
      <h3>Keys</h3>
      <Keys numbered={{ prefix: "space-", label: "Open a work space" }} />
      <h3>In a table</h3>
      <dl>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>Change the cell, or a double click; Escape takes it back</dd>
        <dt>
          <kbd>Alt+↑</kbd>
        </dt>
        <dd>Move the row up; Alt+↓ down</dd>
        <dt>
          <kbd>Shift+Delete</kbd>
        </dt>
        <dd>Remove the row</dd>
      </dl>
      <p class="hint">Click a card to choose its row. Cards are drawn again when you rest, and checked after every step.</p>
      <p class="hint">Play-tests, reports, variants and exports are done on the command line; the manual page on card games says how.</p>
    </>
  );
}

/** What stands beside every work space. */
const beside: readonly WorkSpace[] = [
  {
    id: "beside",
    title: "Checks and history",
    panels: [
      { id: "checks", title: "Checks", keys: ["Alt+C"], badge: () => board.findings.value.filter((one) => !one.accepted).length || null, component: () => <Findings board={board} goes={goes} /> },
      { id: "history", title: "History", keys: ["Alt+H"], component: () => <History board={board} /> },
      { id: "help", title: "Help", keys: ["F1"], component: Help },
    ],
  },
];
registerSpaces(beside);

export function App() {
  const cards = pictures.value.filter((one) => !["back", "track", "token"].includes(one.sort));
  const copies = cardsIn(cards);
  return (
    <>
      <Toolbar board={board} />
      <SpaceBar spaces={bar} open={space.value} onOpen={(id) => (space.value = id)} />
      <Banners steps={board.steps} />
      <main class="middle">
        <div class="desk-column" role="tabpanel" aria-labelledby={`${SPACE}-${currentSpace.value.id}`}>
          <Desk />
        </div>
        {paneShown.value && <Dock spaces={beside} open={openPanel.value} onOpen={(id) => showPanel(id)} />}
      </main>
      <Status board={board} hint={currentSpace.value.hint} about={`${count(copies, "card")}, ${count(cards.length, "different face")}`} onFindings={() => showPanel("checks")} />
      <Toasts />
      <Dialogs />
      <ContextMenu />
    </>
  );
}
