// Print and export: the menu, and the dialog that each of its lines opens.
import { register } from "../actions";
import { addToMenu } from "../shell/menus";
import { openDialog } from "../ui";
import { ExportDialog, type What } from "./ExportDialog";

interface Line {
  what: What;
  label: string;
  /** What it is for. */
  about: string;
  key?: string;
}

export const LINES: readonly Line[] = [
  { what: "draw", label: "Picture of the board …", about: "SVG, PNG or PDF, in a theme of choice", key: "Ctrl+P" },
  { what: "print", label: "Print and play PDF …", about: "The board on several pages with marks, sheets and cards; or a booklet" },
  { what: "sheets", label: "Sheets and cards …", about: "Charts, payoffs, cards of railroads and destinations" },
  { what: "export", label: "Export to other programs …", about: "Game engines, GIS, VASSAL, Tabletop Simulator, workbooks", key: "Ctrl+E" },
  { what: "report", label: "Report page …", about: "One page to pan and search, with figures and findings" },
  { what: "rules", label: "Rule sheet …", about: "Exactly the rules of this board, to print" },
];

register(
  ...LINES.map(({ what, label, key }) => ({
    id: `make-${what}`,
    label,
    group: "Print and export",
    ...(key ? { keys: [key] } : {}),
    run: () => void openDialog((close) => <ExportDialog what={what} close={close} />),
  })),
);
addToMenu("Print and export", ...LINES.map(({ what }) => `make-${what}`));
