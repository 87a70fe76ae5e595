// The page of boards of hexagons.
import { App } from "./App";
import { startPage } from "../shell/start";
import { board } from "./store";
import "../tokens.css";
import "../editor.css";
import "../tabled/tabled.css";
import "./hex.css";

startPage(board, App);
