import { effect } from "@preact/signals";
import { render, type ComponentType } from "preact";
import { listenForKeys } from "../actions";
import { fetchSettings } from "../settings";
import { followTheme } from "../shell/theme";
import { tellCutCells } from "../ui/cut";
import type { OpenDocument } from "./document";

/** Show a page in its window, and open the line to the server. */
export function startPage<View extends object>(board: OpenDocument<View>, App: ComponentType): void {
  const app = document.getElementById("app");
  if (app) {
    app.replaceChildren();
    render(<App />, app);
  }
  followTheme();
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
