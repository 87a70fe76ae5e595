import { effect, type ReadonlySignal } from "@preact/signals";
import { render, type ComponentType, type VNode } from "preact";
import { listenForKeys } from "../actions";
import { fetchSettings } from "../settings";
import { followTheme } from "./theme";
import { tellCutCells } from "../ui/cut";
import { keepPresses } from "../ui/presses";
import type { Connection } from "../connection";

/** What a page shows in the title of its window, and its line to the server. */
interface Started {
  readonly connection: Connection;
  readonly title: ReadonlySignal<string>;
  readonly unsaved: ReadonlySignal<boolean>;
}

/** What stands in place of a page that was never let in. */
function Refused() {
  return (
    <main class="begin">
      <section class="shelf">
        <h1>The editor does not know this page</h1>
        <p>Its address was used before or is too old, or another editor runs here now. All steps that were made are kept.</p>
        <p>To come back, start the editor again as you did before: if it still runs, it opens a new page of the same board. From a page that is open, Open another window in the menu View does the same.</p>
      </section>
    </main>
  );
}

/** Show a page in its window, and open the line to the server; `restyle` hears of other colours. */
export function startPage(board: Started, App: ComponentType, restyle?: () => void): void {
  const app = document.getElementById("app");
  const Page = (): VNode => {
    const { line, wasOpen } = board.connection;
    return line.value === "locked out" && !wasOpen.value ? <Refused /> : <App />;
  };
  if (app) {
    app.replaceChildren();
    render(<Page />, app);
  }
  followTheme(restyle);
  listenForKeys();
  tellCutCells();
  keepPresses();
  board.connection.open();
  effect(() => {
    if (board.connection.line.value === "open") void fetchSettings();
  });
  effect(() => {
    document.title = `${board.unsaved.value ? "• " : ""}${board.title.value || "mapkit"} – mapkit editor`;
  });
}
