// What board.toml says of the board itself: title, credits, licence, units, projection, page, tracing, spacing.
import { fitPage, run } from "../edit";
import { page, rows, table } from "../store";
import { Button, Check, Field, Select, toast } from "../ui";
import { TextArea } from "../ui/TextArea";
import type { JsonValue } from "../wire";
import type { Panel } from "./panel";

const settings = table("settings");
const at = (key: string): JsonValue | undefined => settings.value[key]?.value;
const text = (key: string): string => {
  const value = at(key);
  return typeof value === "string" ? value : "";
};
const number = (key: string): number | null => {
  const value = at(key);
  return typeof value === "number" ? value : null;
};

const PAPERS: readonly (readonly [string, number, number])[] = [
  ["A0", 1189, 841],
  ["A1", 841, 594],
  ["A2", 594, 420],
  ["A3", 420, 297],
  ["A4", 297, 210],
  ["Tabloid", 431.8, 279.4],
  ["Letter", 279.4, 215.9],
  ["Four sheets of A3", 840, 594],
];
const PROJECTIONS: readonly (readonly [string, string, readonly string[]])[] = [
  ["auto", "Chosen to suit the board", []],
  ["albers", "Albers (areas true)", ["lon_0", "lat_0", "lat_1", "lat_2"]],
  ["lambert", "Lambert conformal", ["lon_0", "lat_0", "lat_1", "lat_2"]],
  ["mercator", "Mercator", ["lon_0", "lat_1"]],
  ["transverse-mercator", "Transverse Mercator", ["lon_0", "lat_0"]],
  ["plate-carree", "Plate carrée", ["lon_0", "lat_1"]],
  ["crs", "By its name in EPSG or PROJ", ["crs"]],
];
const MEANING: Readonly<Record<string, string>> = {
  lon_0: "Middle meridian, degrees east",
  lat_0: "Middle parallel, degrees north",
  lat_1: "First standard parallel, degrees north",
  lat_2: "Second standard parallel, degrees north",
  crs: "EPSG:n or a PROJ string",
};

async function set(values: Readonly<Record<string, JsonValue>>, label: string): Promise<boolean> {
  const answer = await run({ kind: "set-settings", values, label });
  return answer.ok;
}

/** Settings of page and projection show when the page is refitted. */
async function setPage(values: Readonly<Record<string, JsonValue>>, label: string): Promise<void> {
  if (await set(values, label)) await fitPage();
}

function Text({ id, label, hint }: { id: string; label: string; hint?: string }) {
  return <Field label={label} value={text(id)} {...(hint ? { hint } : {})} onCommit={(value) => void set({ [id]: value.trim() || null }, `Set ${label.toLowerCase()}`)} />;
}

function Figure(props: { id: string; label: string; usual?: number; hint?: string; min?: number; max?: number; fits?: boolean }) {
  const hint = [props.hint, props.usual === undefined ? "" : `Usually ${props.usual}.`].filter(Boolean).join(" ");
  return (
    <Field
      label={props.label}
      type="number"
      step="any"
      value={number(props.id)}
      {...(hint ? { hint } : {})}
      {...(props.min === undefined ? {} : { min: props.min })}
      {...(props.max === undefined ? {} : { max: props.max })}
      {...(props.usual === undefined ? {} : { placeholder: String(props.usual) })}
      onCommit={(value) => {
        const values = { [props.id]: value === "" ? null : Number(value) };
        const label = `Set ${props.label.toLowerCase()}`;
        void (props.fits ? setPage(values, label) : set(values, label));
      }}
    />
  );
}

function Tick(props: { id: string; label: string }) {
  return (
    <Check
      label={props.label}
      checked={at(props.id) === true}
      onCommit={(on) => void set({ [props.id]: on ? true : null }, props.label)}
    />
  );
}

function PageFields() {
  const [width, height] = [number("page.width"), number("page.height")];
  const paper = PAPERS.find(([, w, h]) => (w === width && h === height) || (w === height && h === width));
  const upright = (height ?? 0) > (width ?? 0);
  const stale = page.value.width !== width || page.value.height !== height;
  const take = (name: string, tall: boolean): void => {
    const found = PAPERS.find(([n]) => n === name);
    if (!found) return;
    const [, w, h] = found;
    void setPage({ "page.width": tall ? h : w, "page.height": tall ? w : h }, `Page of ${name}${tall ? ", upright" : ""}`);
  };
  return (
    <fieldset class="boxed">
      <legend>Page</legend>
      <div class="field-pair">
        <Select
          label="Size"
          value={paper?.[0] ?? ""}
          options={[{ value: "", label: "other" }, ...PAPERS.map(([name, w, h]) => ({ value: name, label: `${name}, ${w} × ${h} mm` }))]}
          onCommit={(name) => take(name, upright)}
        />
        <Select
          label="Direction"
          value={upright ? "upright" : "wide"}
          options={[
            { value: "wide", label: "wide" },
            { value: "upright", label: "upright" },
          ]}
          onCommit={(way) => {
            if (width !== null && height !== null && (way === "upright") !== upright)
              void setPage({ "page.width": height, "page.height": width }, `Page ${way}`);
          }}
        />
      </div>
      <div class="field-pair">
        <Figure id="page.width" label="Width, mm" min={51} max={5000} fits />
        <Figure id="page.height" label="Height, mm" min={51} max={5000} fits />
        <Figure id="page.margin" label="Margin, mm" usual={15} min={0} fits />
        <Figure id="page.legend" label="Strip for the legend, mm" usual={0} min={0} fits />
      </div>
      <ExtentField />
      <p class="hint">
        The board is shown on {page.value.width} × {page.value.height} mm.
        {stale ? " The page has another size now." : ""} While you draw nothing else moves; fit the page when the track has grown.
      </p>
      <Button onClick={() => void fitPage().then((done) => done.ok && toast("The page fits the board again."))}>Fit page to the board</Button>
    </fieldset>
  );
}

/** Degrees of the extent: a text of four numbers, for people copy it from a map. */
function ExtentField() {
  const said = at("page.extent");
  return (
    <Field
      label="Shown too: west, south, east, north"
      hint="Degrees, with commas, such as -10.7, 51.3, -5.3, 55.5. Empty: what is on the board alone."
      value={Array.isArray(said) ? said.join(", ") : ""}
      onCommit={(value) => {
        const parts = value.split(/[\s,;]+/).filter(Boolean).map(Number);
        if (parts.length !== 0 && (parts.length !== 4 || parts.some((part) => !Number.isFinite(part)))) {
          toast("The extent has four numbers: west, south, east, north.");
          return;
        }
        void setPage({ "page.extent": parts.length === 0 ? null : parts }, "Set extent");
      }}
    />
  );
}

const SIZES: readonly (readonly [string, string, number])[] = [
  ["city_text", "Names of cities, mm", 6.2],
  ["dot_text", "Names of mileposts at least, mm", 2.3],
  ["dot_text_most", "Names of mileposts at most, mm", 3.8],
  ["region_text", "Names of regions, mm", 11],
  ["initials_text", "Initials of railroads, mm", 2.9],
  ["city_side", "Squares of cities, mm", 4.6],
];
const LANGUAGES: readonly (readonly [string, string])[] = [
  ["en", "English"],
  ["es", "español"],
  ["es-MX", "español (México)"],
  ["pt", "português"],
  ["pt-BR", "português (Brasil)"],
];
const LAYERS = ["land", "lakes", "rivers", "borders", "regions"] as const;

function DrawingFields() {
  return (
    <details>
      <summary>Drawing</summary>
      <Select
        label="Theme"
        value={text("drawing.theme") || "classic"}
        options={["classic", "atlas", "dark", "print", "engraved", "poster", "school", "night"].map((name) => ({ value: name, label: name }))}
        onCommit={(name) => void set({ "drawing.theme": name === "classic" ? null : name }, `Theme ${name}`)}
      />
      <Select
        label="Language of printed words"
        value={text("drawing.language") || "en"}
        options={LANGUAGES.map(([value, label]) => ({ value, label }))}
        onCommit={(tag) => void set({ "drawing.language": tag === "en" ? null : tag }, `Language ${tag}`)}
      />
      <div class="field-pair">
        {SIZES.map(([name, label, usual]) => (
          <Figure key={name} id={`drawing.sizes.${name}`} label={label} usual={usual} min={0.05} max={50} />
        ))}
      </div>
      <p class="hint">Layers of your own, GeoJSON files in the board's folder layers/, take the place of the base map's.</p>
      {LAYERS.map((name) => (
        <Text key={name} id={`layers.${name}`} label={`File of ${name}`} hint={`Such as layers/${name}.geojson.`} />
      ))}
    </details>
  );
}

function ProjectionFields() {
  const name = text("projection.name") || "auto";
  const found = PROJECTIONS.find(([id]) => id === name);
  return (
    <fieldset class="boxed">
      <legend>Projection</legend>
      <Select
        label="Kind"
        value={name}
        options={PROJECTIONS.map(([id, label]) => ({ value: id, label }))}
        onCommit={(id) => {
          const keep = PROJECTIONS.find(([one]) => one === id)?.[2] ?? [];
          const values: Record<string, JsonValue> = { "projection.name": id };
          for (const key of Object.keys(settings.value))
            if (key.startsWith("projection.") && key !== "projection.name" && !keep.includes(key.slice(11))) values[key] = null;
          if (id === "crs") values["projection.crs"] = text("projection.crs") || "EPSG:3857";
          if ((id === "albers" || id === "lambert") && !number("projection.lat_1"))
            Object.assign(values, { "projection.lat_1": around(-0.25), "projection.lat_2": around(0.25), "projection.lat_0": around(0) });
          void setPage(values, `Projection ${id}`);
        }}
      />
      <div class="field-pair">
        {(found?.[2] ?? []).map((key) =>
          key === "crs" ? (
            <Field
              key={key}
              label={MEANING[key] ?? key}
              value={text("projection.crs")}
              onCommit={(value) => void setPage({ "projection.crs": value.trim() || null }, `Projection ${value.trim()}`)}
            />
          ) : (
            <Figure key={key} id={`projection.${key}`} label={MEANING[key] ?? key} min={-180} max={180} fits />
          ),
        )}
      </div>
    </fieldset>
  );
}

/** A parallel through the board: 0 the middle, 0.5 the northern edge. */
function around(part: number): number {
  const lats = rows("cities").map((city) => city.lat);
  if (lats.length === 0) return part === 0 ? 40 : 40 + 20 * part;
  const [low, high] = [Math.min(...lats), Math.max(...lats)];
  const parallel = (low + high) / 2 + part * Math.max(high - low, 2);
  return Math.round(parallel * 10) / 10;
}

const list = (key: string): readonly string[] => (Array.isArray(at(key)) ? (at(key) as string[]) : []);

function BoardSettings() {
  const credits = list("credits").join("\n");
  const countries = list("gazetteer.countries").join(", ");
  return (
    <>
      <Text id="title" label="Title" />
      <TextArea
        label="Credits, a line each"
        value={credits}
        onCommit={(value) => void set({ credits: value.split("\n").map((line) => line.trim()).filter(Boolean) }, "Set credits")}
      />
      <Text id="licence" label="Licence" hint="What others may do with the board, such as CC-BY-4.0." />
      <fieldset class="boxed">
        <legend>Units</legend>
        <div class="field-pair">
          <Text id="units.currency" label="Currency" hint="Three letters. Usually USD." />
          <Text id="units.symbol" label="Sign" hint="Usually $." />
          <Figure id="units.payoff" label="A unit of the payoff chart" usual={1000} min={1} />
        </div>
      </fieldset>
      <PageFields />
      <ProjectionFields />
      <DrawingFields />
      <details>
        <summary>Places and drawn lines</summary>
        <Field
          label="Countries whose places are known by name"
          hint="Two letters each, with commas: US, CA."
          value={countries}
          onCommit={(value) =>
            void set(
              { "gazetteer.countries": value.split(/[\s,]+/).map((code) => code.trim().toUpperCase()).filter(Boolean) },
              "Set countries",
            )
          }
        />
        <Figure id="tracing.snap_mi" label="Drawn lines join within, miles" usual={1} min={0} max={50} />
        <Select
          label="How control points place a drawing"
          value={text("tracing.georeference") || "affine"}
          options={[
            { value: "affine", label: "affine: shifted, turned, scaled, sheared" },
            { value: "projective", label: "projective: a photograph at an angle" },
            { value: "tps", label: "thin plate: bent, every point exact" },
          ]}
          onCommit={(value) => void set({ "tracing.georeference": value }, `Georeference ${value}`)}
        />
        <Tick id="spacing.at_junctions" label="Mileposts where drawn lines of one railroad join" />
        <Tick id="spacing.at_crossings" label="Mileposts where different railroads cross, meet or part" />
        <Figure id="spacing.gap_mi" label="Mileposts by rule, every so many miles" min={0.01} />
        <Figure id="spacing.public_gap_mi" label="On public railroads every so many miles" min={0.01} />
        <Figure id="spacing.reach_mi" label="A place gives its name within, miles" usual={5} min={0} max={100} />
      </details>
    </>
  );
}

export const boardPanel: Panel = { id: "board", title: "Board", keys: ["Alt+O"], component: BoardSettings };
