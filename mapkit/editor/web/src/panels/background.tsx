import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { register } from "../actions";
import { board } from "../board";
import {
  addPicture,
  aligned,
  busy,
  chosenPoint,
  controlPoints,
  deletePoint,
  ghosts,
  looks,
  lookOf,
  pictures,
  placed,
  removePicture,
  setLook,
  setLooks,
  takeFiles,
  type Model,
} from "../draw/background";
import { EXAMPLES, readCoordinates, sayDegrees } from "../draw/coordinates";
import { addLineFile, COLOURS, count, lineBusy, lineFiles, lineLook, onPage, removeLineFile, setLineLook } from "../draw/beneath";
import type { KeptLines as LineFile, PictureAbout, PlacedPoint } from "../generated";
import { run } from "../edit";
import { showPanel } from "../shell/pane";
import { ActionButton, Button, Check, Empty, Field, FileButton, Select, Slider, Table, type Column } from "../ui";
import { Dots } from "./dots";
import type { Panel } from "./panel";
import { ByNames } from "./proposedPoints";

const MODELS: { value: Model; label: string }[] = [
  { value: "affine", label: "Straight scan: shift, turn, scale, shear" },
  { value: "projective", label: "Photograph: taken askew" },
  { value: "tps", label: "Bent: through every point (spline)" },
];
const USED: Record<string, string> = {
  page: "No control points yet: the picture fills the page.",
  shift: "One control point: the picture is shifted only. Add another.",
  similar: "Shifted, turned and scaled by two control points. Add more.",
  affine: "Placed by a straight (affine) map.",
  projective: "Placed by a projective map.",
  tps: "Placed by a spline through every point.",
};
const mm = (value: number | null): string => (value === null ? "–" : value.toFixed(2));

function Picture({ about }: { about: PictureAbout }) {
  const { visible, opacity } = lookOf(about.id);
  return (
    <li>
      <h4>{about.name}</h4>
      <p class="hint">
        {about.width} × {about.height} pixels
      </p>
      <Check label={`Show ${about.name}`} checked={visible} onCommit={(on) => setLook(about.id, { visible: on })} />
      <Slider label={`Opacity of ${about.name}: ${Math.round(opacity * 100)} %`} value={opacity} onInput={(value) => setLook(about.id, { opacity: value })} />
      <Button onClick={() => void removePicture(about)}>Remove …</Button>
    </li>
  );
}

function columns(worst: string | null): Column<PlacedPoint>[] {
  return [
    { id: "name", title: "Place", cell: (point) => `${point.key === worst ? "⚠ " : ""}${point.name || "by degrees"}`, sort: (point) => point.name, width: "minmax(5rem, 1fr)" },
    { id: "pixel", title: "Pixel", cell: (point) => `${Math.round(point.x)}, ${Math.round(point.y)}`, width: "5.6rem" },
    { id: "off", title: "Off mm", cell: (point) => mm(point.off), sort: (point) => point.off ?? -1, align: "right", width: "5.3rem" },
    { id: "left", title: "Alone mm", cell: (point) => mm(point.left_out), sort: (point) => point.left_out ?? -1, align: "right", width: "6.4rem" },
  ];
}

/** Whether the fields for a point by its figures are shown. */
const byFigures = signal(false);

const FRAMES = 60;
/** Do something with an element of this work space once it is there. */
function once(selector: string, act: (element: HTMLElement) => void, left = FRAMES): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) act(element);
  else if (left > 0) requestAnimationFrame(() => once(selector, act, left - 1));
}
const A_PICTURE = "Picture to put underneath";
const A_LINE_FILE = "File of lines to put underneath";
/** Ask for the file that a button of this work space asks for. */
const asking = (purpose: string) => () => {
  showPanel("background");
  once(`input[type="file"][aria-label="${purpose}"]`, (input) => input.click());
};

register(
  { id: "picture-add", label: "Add a picture underneath …", group: "Draw", enabled: () => busy.value === "", needs: () => busy.value, run: asking(A_PICTURE) },
  { id: "lines-add", label: "Add lines from a file underneath …", group: "Draw", enabled: () => lineBusy.value === "", needs: () => lineBusy.value, run: asking(A_LINE_FILE) },
  {
    id: "point-add",
    label: "Add a point by figures …",
    group: "Draw",
    enabled: () => aligned() !== null && placed.value !== null,
    needs: "add a picture in the work space Map, Background, first",
    run: () => {
      byFigures.value = true;
      showPanel("background");
      once(".exact input", (input) => input.focus());
    },
  },
);

function Exact() {
  const [x, setX] = useState("");
  const [y, setY] = useState("");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const right = x !== "" && y !== "" && Number.isFinite(Number(x)) && Number.isFinite(Number(y)) && name.trim() !== "";
  const read = readCoordinates(name);
  const add = async (): Promise<void> => {
    if (read !== null && "problem" in read) return setProblem(read.problem);
    const answer = await run({ kind: "put-control-point", x: Number(x), y: Number(y), ...(read ?? { city: name.trim() }) }, { quiet: true });
    if (!answer.ok) return setProblem(answer.message);
    // only what was sent: the user may be typing the next point already
    setX((now) => (now === x ? "" : now));
    setY((now) => (now === y ? "" : now));
    setName((now) => (now === name ? "" : now));
  };
  return (
    <details open={byFigures.value} onToggle={(event) => (byFigures.value = event.currentTarget.open)}>
      <summary>Add a point by figures</summary>
      <form
        class="exact"
        onSubmit={(event) => {
          event.preventDefault();
          if (right) void add();
        }}
      >
        <Field label="Pixel from the left" type="number" step="any" value={x} onInput={setX} />
        <Field label="Pixel from the top" type="number" step="any" value={y} onInput={setY} />
        <Field
          label="City, place or coordinates"
          value={name}
          hint={read !== null && !("problem" in read) ? `Read as ${sayDegrees(read)}.` : `A name, or latitude and longitude, ${EXAMPLES}.`}
          error={problem}
          onInput={(text) => {
            setName(text);
            setProblem(null);
          }}
        />
        <button type="submit" class="button" disabled={!right}>
          Add it
        </button>
      </form>
    </details>
  );
}

function Points() {
  const [now, about] = [placed.value, aligned()];
  if (!about || !now) return null;
  const worst = now.points.find((point) => point.key === now.worst);
  const own = now.points.filter((point) => point.key in controlPoints.value);
  const chosen = chosenPoint.value !== null && chosenPoint.value in controlPoints.value ? chosenPoint.value : null;
  return (
    <section aria-label="Control points">
      <h3>Control points</h3>
      {pictures.value.length > 1 && (
        <Select
          label="They are of"
          value={about.id}
          options={pictures.value.map((one) => ({ value: one.id, label: one.name }))}
          onCommit={(id) => setLooks({ aligned: id })}
        />
      )}
      <Select label="The picture is a" value={looks.value.model} options={MODELS} onCommit={(model) => setLooks({ model: model })} />
      <div class="bar">
        <ActionButton id="tool-control">Set points on the board</ActionButton>
        <Button
          disabled={chosen === null}
          onClick={() => {
            const point = now.points.find((one) => one.key === chosen);
            if (point) board.flyTo({ left: point.page[0], right: point.page[0], top: point.page[1], bottom: point.page[1] });
          }}
        >
          Show
        </Button>
        <Button disabled={chosen === null} onClick={() => chosen !== null && void deletePoint(chosen)}>
          Delete point
        </Button>
      </div>
      <ByNames name={about.name} />
      <div role="status">
        <p>
          {USED[now.used]}
          {now.points.length > 2 && now.rms !== null && ` Points are ${now.rms.toFixed(2)} mm off on the average.`}
        </p>
        {worst && (
          <p>
            The worst is {worst.name || `the point at pixel ${Math.round(worst.x)}, ${Math.round(worst.y)}`}
            {worst.left_out !== null && `: the others put it ${worst.left_out.toFixed(1)} mm away`}.
          </p>
        )}
        {now.problem && <p class="error">{now.problem}</p>}
        {now.warnings.map((text) => (
          <p class="hint" key={text}>
            {text}
          </p>
        ))}
      </div>
      <Table
        caption="Control points and what the map misses them by"
        rows={own}
        rowKey={(point) => point.key}
        columns={columns(now.worst)}
        selected={new Set(chosen === null ? [] : [chosen])}
        onPick={(point) => (chosenPoint.value = point.key)}
        text={(point) => point.name}
        menu={(point) => [
          { id: "row-open", label: "Choose it", keys: "Enter", run: () => (chosenPoint.value = point.key) },
          { id: "row-delete", label: "Delete the control point", run: () => void deletePoint(point.key) },
        ]}
        empty="Click a spot in the picture and then its place, with the tool Align."
      />
      <p class="hint">Off: how far the map misses a point. Alone: how far the other points, without it, put it away.</p>
      <Exact />
    </section>
  );
}

function FileOfLines({ about }: { about: LineFile }) {
  const { visible, opacity, colour } = lineLook(about.id);
  return (
    <li>
      <h4>{about.name}</h4>
      <p class="hint">
        {count(about)}.{visible && onPage(about.id) === 0 && " None of them lies on this page."}
        {about.notes.length > 0 && " Some were repaired or left out:"}
      </p>
      {about.notes.length > 0 && (
        <details>
          <summary>What was repaired or left out in {about.name}</summary>
          <ul>
            {about.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      <Check label={`Show ${about.name}`} checked={visible} onCommit={(on) => setLineLook(about.id, { visible: on })} />
      <Slider
        label={`How strong ${about.name} is: ${Math.round(opacity * 100)} %`}
        value={opacity}
        min={0.05}
        onInput={(value) => setLineLook(about.id, { opacity: value })}
      />
      <Select
        label={`Colour of ${about.name}`}
        value={colour}
        options={COLOURS.map((name) => ({ value: name, label: name }))}
        onCommit={(name) => setLineLook(about.id, { colour: name })}
      />
      <Button onClick={() => void removeLineFile(about)}>Remove …</Button>
    </li>
  );
}

function LinesOfFiles() {
  return (
    <section class="drop" aria-label="Lines of files">
      <h3>Lines of files</h3>
      {lineFiles.value.length === 0 && (
        <Empty title="Public rail lines underneath">
          <p>Add a file of lines, or let it fall on the board: GeoJSON, KML, KMZ, GML, GeoPackage, FlatGeobuf, or a Shapefile as a zip. It stays on this machine, and what you draw snaps to its lines.</p>
          <p>
            Public rail lines can be had from Natural Earth (its railroads; public domain) and from OpenStreetMap (an extract with its railways; ODbL, which asks you to credit its contributors).
          </p>
        </Empty>
      )}
      <FileButton
        disabled={lineBusy.value !== ""}
        purpose={A_LINE_FILE}
        accept=".geojson,.json,.kml,.kmz,.gml,.gpkg,.fgb,.zip"
        onFiles={([file]) => file && void addLineFile(file)}
      >
        Add lines from a file …
      </FileButton>
      <p role="status">{lineBusy.value}</p>
      <ul class="layers">
        {lineFiles.value.map((about) => (
          <FileOfLines about={about} key={about.id} />
        ))}
      </ul>
    </section>
  );
}

function Background() {
  return (
    <>
      <section
        class="drop"
        aria-label="Pictures"
        onDrop={(event) => {
          event.preventDefault();
          event.stopPropagation();
          takeFiles(event.dataTransfer?.files);
        }}
      >
        {pictures.value.length === 0 && (
          <Empty title="Your own picture underneath">
            <p>Choose a scan of a board or any map, or let the file fall here or on the board: PNG, JPEG, TIFF or WebP. It stays on this machine.</p>
          </Empty>
        )}
        <FileButton
          kind="primary"
          disabled={busy.value !== ""}
          purpose={A_PICTURE}
          accept="image/png,image/jpeg,image/tiff,image/webp"
          onFiles={([file]) => file && void addPicture(file)}
        >
          Add a picture …
        </FileButton>
        <p role="status">{busy.value}</p>
        <ul class="layers">
          {pictures.value.map((about) => (
            <Picture about={about} key={about.id} />
          ))}
        </ul>
      </section>
      <Points />
      <Dots />
      <LinesOfFiles />
      <section aria-label="Earlier version">
        <h3>Earlier version as a ghost</h3>
        <Select label="Show the board" value={looks.value.ghost} options={ghosts()} onCommit={(ghost) => setLooks({ ghost })} />
      </section>
    </>
  );
}

export const backgroundPanel: Panel = { id: "background", title: "Background", keys: ["Alt+U"], component: Background };
