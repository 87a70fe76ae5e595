// The page of card games.
import { startPage } from "../shell/start";
import { App } from "./App";
import { board } from "./store";
import "../tokens.css";
import "../editor.css";
import "../tabled/tabled.css";
import "./cards.css";

startPage(board, App);
