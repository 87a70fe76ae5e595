// Drafting in the palette and the menu, and at once where the start page asked for it.
import { effect } from "@preact/signals";
import { register } from "../actions";
import { addPicture } from "../draw/background";
import { addToMenu } from "../shell/menus";
import { showPanel } from "../shell/pane";
import { ready } from "../store";
import { openDialog } from "../ui";
import { DraftDialog } from "./DraftDialog";
import { WhereDialog } from "./WhereDialog";
import { takePicture, takeWish } from "./wish";

const open = (): void => void openDialog((close) => <DraftDialog close={close} />);
const openWhere = (): void => void openDialog((close) => <WhereDialog close={close} />);

register(
  { id: "draft-board", label: "Draft a board …", group: "Draw", run: open },
  { id: "where", label: "Where is the board? …", group: "Draw", run: openWhere },
);
addToMenu("Draw", "draft-board", "where");
effect(() => {
  if (!ready.value) return;
  const wished = takeWish();
  if (wished === "draft") open();
  else if (wished === "where") openWhere();
  else if (wished === "picture") {
    showPanel("background");
    const file = takePicture();
    if (file) void addPicture(file);
  }
});
