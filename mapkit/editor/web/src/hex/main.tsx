// The page of boards of hexagons.
import { effect } from "@preact/signals";
import { render } from "preact";
import { listenForKeys } from "../actions";
import { followTheme } from "../shell/theme";
import { App } from "./App";
import { connection, title, unsaved } from "./store";
import "../editor.css";
import "./hex.css";

const app = document.getElementById("app");
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
followTheme();
listenForKeys();
connection.open();
effect(() => {
  document.title = `${unsaved.value ? "• " : ""}${title.value || "mapkit"} – mapkit editor`;
});
