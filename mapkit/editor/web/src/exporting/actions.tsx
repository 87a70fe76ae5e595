// Print and export: the menu, and the dialog that each of its lines opens.
import { register } from "../actions";
import { addToMenu } from "../shell/menus";
import { openDialog } from "../ui";
import { ExportDialog, type What } from "./ExportDialog";

const LINES: readonly (readonly [What, string, string?])[] = [
  ["draw", "Picture of the board …", "Ctrl+P"],
  ["print", "Print and play PDF …"],
  ["sheets", "Sheets and cards …"],
  ["export", "Export to other programs …", "Ctrl+E"],
  ["report", "Report page …"],
  ["rules", "Rule sheet …"],
];

register(
  ...LINES.map(([what, label, key]) => ({
    id: `make-${what}`,
    label,
    group: "Print and export",
    ...(key ? { keys: [key] } : {}),
    run: () => void openDialog((close) => <ExportDialog what={what} close={close} />),
  })),
);
addToMenu("Print and export", ...LINES.map(([what]) => `make-${what}`));
