import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { keyText } from "../actions";
import { ActionButton, Button, Icon } from "../ui";
import { count, Status, Toolbar } from "../tabled/frame";
import { Toasts } from "../ui/Toast";
import { useRoving } from "../ui/roving";
import { ContextMenu } from "../ui/ContextMenu";
import { Dialogs } from "../ui/Dialog";
import "./actions";
import { Board } from "./Board";
import { Banners } from "../shell/Banners";
import { Dock } from "../shell/Dock";
import { openPanel, paneShown, showPanel } from "../shell/pane";
import { SpaceBar } from "../shell/SpaceBar";
import { Inspector, spaces, Swatch } from "./panels";
import { board, cities, terrains, view } from "./store";
import { CITY_COLOURS, cityColour, currentTool, EDGES, edgeKind, finishLine, LARGEST, picked, size, terrain, tool, tools } from "./tools";
import { NO_PIGMENT } from "../colours";

function Rail() {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box, true);
  return (
    <div class="tools rail" role="toolbar" aria-label="Tools" aria-orientation="vertical" ref={box}>
      <div class="group">
        {tools.map((one) => (
          <ActionButton id={`tool-${one.id}`} key={one.id} pressed={tool.value === one.id}>
            <Icon of={`tool-${one.id}`} />
            <kbd aria-hidden="true">{keyText(one.key)}</kbd>
          </ActionButton>
        ))}
      </div>
    </div>
  );
}

function Bar({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useRoving(box);
  return (
    <div class="options" role="toolbar" aria-label={label} ref={box}>
      {children}
    </div>
  );
}

/** What the tool needs to know, over the board. */
function Options() {
  const now = tool.value;
  if (now === "paint" || now === "flood")
    return (
      <Bar label="Terrain">
        {terrains.value.map((one) => (
          <Button key={one.id} aria-pressed={terrain.value === one.id} onClick={() => (terrain.value = one.id)}>
            <Swatch colour={one.colour} /> {one.name}
          </Button>
        ))}
        {now === "paint" && (
          <span class="sizes" role="group" aria-label="Size of the brush">
            {Array.from({ length: LARGEST + 1 }, (_, n) => (
              <Button key={n} aria-pressed={size.value === n} aria-label={`Brush of ${1 + 3 * n * (n + 1)} hexagons`} onClick={() => (size.value = n)}>
                {1 + 3 * n * (n + 1)}
              </Button>
            ))}
          </span>
        )}
      </Bar>
    );
  if (now === "edge")
    return (
      <Bar label="Kind of edge">
        {EDGES.map((kind) => (
          <Button key={kind} aria-pressed={edgeKind.value === kind} onClick={() => (edgeKind.value = kind)}>
            {kind === "clear" ? "Clear" : kind[0]!.toUpperCase() + kind.slice(1)}
          </Button>
        ))}
      </Bar>
    );
  if (now === "city")
    return (
      <Bar label="Colour of the city">
        {CITY_COLOURS.map((colour) => (
          <Button key={colour} aria-pressed={cityColour.value === colour} onClick={() => (cityColour.value = colour)}>
            <Swatch colour={view.value?.pigments[colour] ?? NO_PIGMENT} /> {colour}
          </Button>
        ))}
      </Bar>
    );
  if (now === "line")
    return (
      <Bar label="Major line">
        <Button kind="primary" disabled={picked.value.length < 2} onClick={() => void finishLine()}>
          End the line of {picked.value.length} {picked.value.length === 1 ? "city" : "cities"}
        </Button>
      </Bar>
    );
  return null;
}

export function App() {
  const at = view.value?.grid;
  return (
    <>
      <Toolbar board={board} />
      <SpaceBar spaces={spaces} open={openPanel.value} onOpen={(id) => showPanel(id)} />
      <Banners steps={board.steps} />
      <main class="middle">
        <Rail />
        <div class="stage-column">
          <Options />
          <Board />
        </div>
        {paneShown.value && (
          <Dock spaces={spaces} open={openPanel.value} onOpen={(id) => showPanel(id)}>
            <Inspector />
          </Dock>
        )}
      </main>
      <Status
        board={board}
        hint={currentTool.value.hint}
        about={`${at ? count(at.columns * at.rows, "hexagon") : ""}, ${count(cities.value.length, "city", "cities")}`}
        onFindings={() => showPanel("checks")}
      />
      <Toasts />
      <Dialogs />
      <ContextMenu />
    </>
  );
}
