// Drafting in the palette and the menu, and at once where the start page asked for it.
import { effect } from "@preact/signals";
import { register } from "../actions";
import { addToMenu } from "../shell/menus";
import { ready } from "../store";
import { openDialog } from "../ui";
import { DraftDialog } from "./DraftDialog";
import { takeWish } from "./wish";

const open = (): void => void openDialog((close) => <DraftDialog close={close} />);

register({ id: "draft-board", label: "Draft a board …", group: "Draw", run: open });
addToMenu("Draw", "draft-board");
effect(() => {
  if (ready.value && takeWish()) open();
});
