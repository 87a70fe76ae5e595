// The actions of the shell itself.
import { register } from "../actions";
import { board } from "../board";
import { redo, save, undo } from "../edit";
import { openWindow } from "../entry";
import { makeCheckpoint } from "../panels/history";
import { select, selection } from "../selection";
import { mileposts, toRedo, toUndo } from "../store";
import { openKeySheet } from "./KeySheet";
import { addToMenu } from "./menus";
import "./places";
import { nextTheme } from "./theme";

register(
  {
    id: "undo",
    get label() {
      return toUndo.value === null ? "Undo" : `Undo: ${toUndo.value}`;
    },
    group: "Edit",
    keys: ["Ctrl+Z"],
    enabled: () => toUndo.value !== null,
    needs: "nothing has been done yet",
    run: () => void undo(),
  },
  {
    id: "redo",
    get label() {
      return toRedo.value === null ? "Redo" : `Redo: ${toRedo.value}`;
    },
    group: "Edit",
    keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
    enabled: () => toRedo.value !== null,
    needs: "undo something first",
    run: () => void redo(),
  },
  { id: "save", label: "Save to the board's files", group: "Edit", keys: ["Ctrl+S"], run: () => void save() },
  { id: "checkpoint", label: "New checkpoint …", group: "Edit", keys: ["Ctrl+Shift+S"], run: () => void makeCheckpoint() },
  {
    id: "select-all",
    label: "Select all mileposts",
    group: "Edit",
    keys: ["Ctrl+A"],
    run: () => select(Object.keys(mileposts.value).map((id) => ({ kind: "milepost", id }))),
  },
  {
    id: "select-none",
    label: "Select nothing",
    group: "Edit",
    keys: ["Escape"],
    enabled: () => selection.value.length > 0,
    needs: "select something first",
    run: () => select([]),
  },
  { id: "zoom-in", label: "Zoom in", group: "View", keys: ["+", "="], run: () => board.zoom(1.5) },
  { id: "zoom-out", label: "Zoom out", group: "View", keys: ["-"], run: () => board.zoom(1 / 1.5) },
  { id: "fit", label: "Show the whole page", group: "View", keys: ["0"], run: () => board.fit() },
  {
    id: "show-selection",
    label: "Show what is selected",
    group: "View",
    keys: ["Shift+F"],
    enabled: () => selection.value.length > 0,
    needs: "select something first",
    run: () => board.flyTo(selection.value),
  },
  { id: "pan-left", label: "Move the view left", group: "View", keys: ["Ctrl+ArrowLeft"], run: () => board.pan(-0.25, 0) },
  { id: "pan-right", label: "Move the view right", group: "View", keys: ["Ctrl+ArrowRight"], run: () => board.pan(0.25, 0) },
  { id: "pan-up", label: "Move the view up", group: "View", keys: ["Ctrl+ArrowUp"], run: () => board.pan(0, -0.25) },
  { id: "pan-down", label: "Move the view down", group: "View", keys: ["Ctrl+ArrowDown"], run: () => board.pan(0, 0.25) },
  { id: "board", label: "Go to the board", group: "View", keys: ["B"], run: () => board.focus() },
  { id: "window", label: "Open another window", group: "View", run: openWindow },
  { id: "theme", label: "Light or dark", group: "View", keys: ["Alt+T"], run: nextTheme },
  { id: "keys", label: "Show all keys", group: "Help", keys: ["?"], run: openKeySheet },
);

addToMenu("View", "fit", "zoom-in", "zoom-out", "show-selection", "pane", "true-map", "printed-page", "lay-out-page", "sight", "theme", "window");
addToMenu("Help", "keys", "palette");
