import { useEffect, useRef } from "preact/hooks";
import { effect } from "@preact/signals";
import { board } from "../board";
import { said, say, selectedText } from "../board/saying";
import { tint, type Tinted } from "../board/tint";
import { Legend } from "../playtesting/Legend";
import { hovered, selection } from "../selection";
import { mileposts, onView, railroads, ready, regions, segments } from "../store";
import { currentTool } from "../tools";
import { DragCard } from "./DragCard";
import { StartCard } from "./firstSteps";
import { Furniture } from "./Furniture";
import { PageSwitch } from "./PageSwitch";
import { ToolCard } from "./ToolCard";

function hoverText(): string {
  const item = hovered.value;
  if (item?.kind === "milepost") return noted(mileposts.value[item.id]?.name, tint.value?.mileposts[item.id]);
  if (item?.kind !== "segment") return "";
  const segment = segments.value[item.id];
  return noted(segment && (railroads.value[segment.railroad]?.name ?? segment.railroad), tint.value?.segments[item.id]);
}

const noted = (name = "", tinted: Tinted | undefined): string => (tinted ? `${name}: ${tinted.note}` : name);

export function Canvas() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!box.current) return undefined;
    board.mount(box.current);
    board.setTool(currentTool.peek());
    if (ready.peek()) board.show(null);
    const stop = [
      onView((delta) => board.show(delta)),
      effect(() => {
        // colours come from these tables
        void railroads.value;
        void regions.value;
        void tint.value;
        board.restyle();
      }),
      effect(() => {
        void selection.value;
        void hovered.value;
        board.light();
      }),
      selection.subscribe((items) => {
        if (box.current?.contains(document.activeElement)) say(selectedText(items));
      }),
    ];
    return () => {
      for (const end of stop) end();
      board.dispose();
    };
  }, []);
  const tip = hoverText();
  return (
    <main class="canvas">
      <div
        ref={box}
        class="map"
        id="board"
        tabIndex={0}
        role="application"
        aria-label="The board"
        aria-describedby="board-help"
      />
      <p id="board-help" class="unseen">
        Arrow keys move a cross, Enter clicks there, Space takes hold and lets go. Ctrl+K finds a milepost by name. Press
        question mark for all keys.
      </p>
      <p id="board-said" class="unseen" role="status">
        {said.value}
      </p>
      <ToolCard />
      {tip && (
        <div class="tip" aria-hidden="true">
          {tip}
        </div>
      )}
      <DragCard />
      <Furniture />
      <PageSwitch />
      <StartCard />
      <Legend />
    </main>
  );
}
