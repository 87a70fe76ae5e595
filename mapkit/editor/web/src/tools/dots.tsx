// Dots and squares that were found in the picture underneath: a click accepts one.
import type { At, BoardView, Tool } from "../board/BoardView";
import { acceptDots, said } from "../draw/acceptDots";
import { showError } from "../draw/common";
import { dismiss, dotsPicture, pointedDot, proposals, proposedAt, type Proposal } from "../draw/dots";
import { ActionButton } from "../ui";
import { toast } from "../ui/Toast";

const PIXELS = 12;
const under = (at: At, board: BoardView): Proposal | null => proposedAt(at.x, at.y, PIXELS * board.resolution);

function Card() {
  const all = proposals.value;
  return (
    <>
      <p>{all.length > 0 ? `${said(all)} of ${dotsPicture.value?.name ?? "the picture"} are not on the board yet.` : "Nothing is proposed."}</p>
      <div class="bar">
        <ActionButton id="dots-find">Find dots and squares</ActionButton>
        <ActionButton id="dots-accept-view">Accept those in view</ActionButton>
      </div>
      <p class="hint">Alt-click dismisses one. The list in the panel Background has them all.</p>
    </>
  );
}

export const dotTool: Tool = {
  id: "dots",
  label: "Dots: accept those found in the picture",
  short: "Dots",
  key: "O",
  hint: "Click a dot or square that was found in the picture to make it a milepost or a city; Alt-click dismisses it.",
  cursor: "pointer",
  card: Card,
  move(at, board) {
    pointedDot.value = under(at, board)?.key ?? null;
  },
  up(at, board) {
    const one = under(at, board);
    if (!one) return void toast(proposals.value.length > 0 ? "Click a dot or square that is proposed." : "Nothing is proposed; find dots and squares first.");
    if (at.alt) dismiss([one.key]);
    else void acceptDots([one]).catch(showError);
  },
  cancel() {
    pointedDot.value = null;
  },
};
