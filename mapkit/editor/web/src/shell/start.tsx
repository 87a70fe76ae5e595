import { effect, type ReadonlySignal } from "@preact/signals";
import { render, type ComponentType } from "preact";
import { listenForKeys } from "../actions";
import { fetchSettings } from "../settings";
import { followTheme } from "./theme";
import { tellCutCells } from "../ui/cut";
import type { Connection } from "../connection";

/** What a page shows in the title of its window, and its line to the server. */
interface Started {
  readonly connection: Connection;
  readonly title: ReadonlySignal<string>;
  readonly unsaved: ReadonlySignal<boolean>;
}

/** Show a page in its window, and open the line to the server; `restyle` hears of other colours. */
export function startPage(board: Started, App: ComponentType, restyle?: () => void): void {
  const app = document.getElementById("app");
  if (app) {
    app.replaceChildren();
    render(<App />, app);
  }
  followTheme(restyle);
  listenForKeys();
  tellCutCells();
  board.connection.open();
  effect(() => {
    if (board.connection.line.value === "open") void fetchSettings();
  });
  effect(() => {
    document.title = `${board.unsaved.value ? "• " : ""}${board.title.value || "mapkit"} – mapkit editor`;
  });
}
