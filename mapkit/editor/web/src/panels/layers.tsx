import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { board } from "../board";
import { pictures, setLook } from "../draw/background";
import { layerOf, lineFiles, setLineLook } from "../draw/beneath";
import { drawAtPrintSize, drawIn, drawnTheme, printed, printSize, THEMES } from "../drawing";
import { fields, objectOf } from "../json";
import { keepSetting, keptSetting } from "../settings";
import { Check, Select, Slider } from "../ui";
import type { Panel } from "./panel";

interface Change {
  visible?: boolean;
  opacity?: number;
}
const KEY = "layers";
/** How the layers of the board itself are shown, whatever the board. */
const shown = signal<Readonly<Record<string, Change>>>({});

function take(kept: string | null): void {
  const found = Object.entries(fields(kept)).map(([id, look]) => {
    const { visible, opacity } = objectOf(look);
    return [id, { ...(typeof visible === "boolean" ? { visible } : {}), ...(typeof opacity === "number" ? { opacity } : {}) }] as const;
  });
  for (const [id, look] of found) board.setLayer(id, look);
  shown.value = Object.fromEntries(found);
}
take(keptSetting(KEY, take));

/** Show a layer otherwise, also the next time; pictures and lines of files keep it with the board that they are of. */
function put(id: string, change: Change): void {
  board.setLayer(id, change);
  const file = lineFiles.value.find((one) => layerOf(one.id) === id);
  if (pictures.value.some((one) => one.id === id)) setLook(id, change);
  else if (file) setLineLook(file.id, change);
  else {
    shown.value = { ...shown.value, [id]: { ...shown.value[id], ...change } };
    keepSetting(KEY, JSON.stringify(shown.value));
  }
}

function Layers() {
  const [, again] = useState(0);
  void shown.value; // what the program has kept may come later
  const set = (id: string, change: Change): void => {
    put(id, change);
    again((n) => n + 1);
  };
  return (
    <>
      <Select label="Draw the board in the theme" value={drawnTheme.value} options={THEMES} onCommit={drawIn} />
      <Check label="Symbols at print size" checked={printSize.value || printed.value !== null} disabled={printed.value !== null} onCommit={drawAtPrintSize} />
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
