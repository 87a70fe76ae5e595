import { effect } from "@preact/signals";
import { render } from "preact";
import { listenForKeys } from "./actions";
import { connection } from "./edit";
import "./shell/actions";
import "./shell/boardMenu";
import "./shell/parts";
import { board } from "./board";
import { App } from "./shell/App";
import { fetchSettings } from "./settings";
import { followTheme } from "./shell/theme";
import { title, unsaved } from "./store";
import { tellCutCells } from "./ui/cut";
import "./drawing";
import "./exporting/actions";
import "./drafting/actions";
import "./tokens.css";
import "./editor.css";
import "./drafting/drafting.css";
import "./draw.css";
import "./panels/charts.css";
import "./rules-board.css";
import "./judging/judging.css";
import "./playtesting/playtesting.css";

const app = document.getElementById("app");
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
followTheme(() => board.restyle());
listenForKeys();
tellCutCells();
connection.open();
effect(() => {
  if (connection.line.value === "open") void fetchSettings();
});
effect(() => {
  document.title = `${unsaved.value ? "• " : ""}${title.value || "mapkit"} – mapkit editor`;
});
