import { useState } from "preact/hooks";
import { board } from "../board";
import { drawIn, drawnTheme, THEMES } from "../drawing";
import { Check, Select, Slider } from "../ui";
import type { Panel } from "./panel";

function Layers() {
  const [, again] = useState(0);
  const set = (id: string, change: { visible?: boolean; opacity?: number }): void => {
    board.setLayer(id, change);
    again((n) => n + 1);
  };
  return (
    <>
      <Select label="Draw the board in the theme" value={drawnTheme.value} options={THEMES} onCommit={drawIn} />
      <p class="hint">What is drawn on the board, and how strong.</p>
      <ul class="layers" aria-label="Layers, each with how strong it is shown">
        {board.layers().map((layer) => (
          <li key={layer.id}>
            <Check label={layer.label} checked={layer.visible} onCommit={(visible) => set(layer.id, { visible })} />
            <Slider label={`How strong: ${layer.label}`} value={layer.opacity} onInput={(opacity) => set(layer.id, { opacity })} />
          </li>
        ))}
      </ul>
    </>
  );
}

export const layersPanel: Panel = { id: "layers", title: "Layers", keys: ["Alt+L"], component: Layers };
