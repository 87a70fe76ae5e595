// A draft of a region: which, how many cities and railroads; made by mapkit in a process of its own, put on as one step.
import { useEffect, useRef, useState } from "preact/hooks";
import { send } from "../asked";
import { fitPage } from "../edit";
import { errorText } from "../errors";
import { follow, stopJob } from "../exporting/jobs";
import type { BoardDraft, DraftReady } from "../generated";
import { Button, Dialog, Field, toast } from "../ui";
import type { Job } from "../wire";
import { boxOf, boxText, cornersOf, polygonText } from "./regions";
import { WorldMap } from "./WorldMap";

type Options = Required<BoardDraft>;
const START: Options = { region: "", bbox: "", polygon: "", cities: 36, railroads: null, seed: 1 };
const RAILROADS_A_CITY = 0.33;
/** The railroads that mapkit takes where none are asked for. */
const usual = (cities: number): number => Math.max(2, Math.min(Math.round(cities * RAILROADS_A_CITY), 40, cities - 1));

function Slider(props: { label: string; value: number; min: number; max: number; onValue: (value: number) => void }) {
  return (
    <label class="slider">
      <span>{props.label}</span>
      <input type="range" min={props.min} max={props.max} value={props.value} onInput={(event) => props.onValue(Number(event.currentTarget.value))} />
      <output>{props.value}</output>
    </label>
  );
}

export function DraftDialog({ close }: { close: () => void }) {
  const [ready, setReady] = useState<DraftReady | null>(null);
  const [options, setOptions] = useState<Options>(START);
  const [error, setError] = useState("");
  const [job, setJob] = useState<Job | null>(null);
  const running = useRef("");
  const set = (change: Partial<Options>): void => setOptions((old) => ({ ...old, ...change }));
  useEffect(() => {
    void send("GET /api/drafts", {}).then(
      (found) => {
        setReady(found);
        if (found.before) setOptions({ ...START, ...found.before, seed: found.before.seed + 1 });
      },
      (problem: unknown) => setError(errorText(problem)),
    );
    return () => {
      if (running.current) void stopJob(running.current).catch(() => undefined);
    };
  }, []);
  const make = async (): Promise<void> => {
    setError("");
    try {
      const begun = await send("POST /api/drafts", { body: options });
      running.current = begun.id;
      const done = await follow(begun, setJob);
      if (done.state !== "done") return;
      await send("POST /api/drafts/{id}/take", { id: done.id });
      await fitPage();
      toast(`A draft of ${options.region || (options.polygon ? "the polygon" : "the box")} is on the board. Undo takes it off again.`);
      close();
    } catch (problem) {
      setError(errorText(problem));
    } finally {
      running.current = "";
      setJob(null);
    }
  };
  const refused = ready !== null && !ready.empty && ready.before === null;
  const corners = cornersOf(options.polygon);
  const file = corners === null && ready?.before?.polygon === options.polygon;
  const wrongPolygon = !file && (corners === null || (corners.length > 0 && corners.length < 3));
  const nowhere = options.region.trim() === "" && boxOf(options.bbox) === null && options.polygon.trim() === "";
  const wrongBox = options.bbox.trim() !== "" && boxOf(options.bbox) === null;
  const railroads = options.railroads ?? usual(options.cities);
  return (
    <Dialog
      title={ready?.before ? "Draft the board again" : "Draft a board"}
      onClose={close}
      buttons={
        <>
          {job && <Button onClick={() => void stopJob(running.current).catch(() => undefined)}>Stop</Button>}
          <Button kind="primary" disabled={job !== null || ready === null || refused || nowhere || wrongBox || wrongPolygon} onClick={() => void make()}>
            {job ? "Drafting …" : "Draft it"}
          </Button>
        </>
      }
    >
      <div class="drafting">
        {refused ? (
          <p>This board has things on it that were not drafted, and a draft would replace them. Start the editor without a board to make a new one.</p>
        ) : (
          <>
            <p class="hint">
              {ready?.before
                ? "Cities and railroads that you have changed stay; all else is made anew, as one step that Undo takes back."
                : "Cities, lines, railroads, regions, charts and prices are made up from a list of places and a map of the world, as one step that Undo takes back."}
            </p>
            <Field label="Region" value={options.region} placeholder="Ireland, or IE,GB-NIR" hint="Countries by name or code, or parts of them, with commas." onInput={(region) => set({ region })} />
            {ready && (
              <WorldMap
                box={boxOf(options.bbox)}
                corners={corners ?? []}
                onBox={(box) => set({ bbox: boxText(box) })}
                onCorners={(now) => set({ polygon: polygonText(now) })}
              />
            )}
            <Field
              label="Only this box"
              value={options.bbox}
              placeholder="west,south,east,north"
              hint="Drag over the map, or write degrees; empty for the whole region. West may be more than east, across longitude 180."
              error={wrongBox ? "Write four numbers: west, south, east and north, in degrees." : null}
              onInput={(bbox) => set({ bbox })}
            />
            <Field
              label="Only this polygon"
              value={options.polygon}
              placeholder="lon,lat lon,lat lon,lat"
              hint={file ? "A file of polygons, with which the board was drafted." : "Choose Polygon and click its corners on the map, or write them; empty for none."}
              error={wrongPolygon ? "Write three corners or more, each as longitude,latitude in degrees, with spaces between them." : null}
              onInput={(polygon) => set({ polygon })}
            />
            <Slider label="Cities" value={options.cities} min={3} max={120} onValue={(cities) => set({ cities, railroads: options.railroads === null ? null : Math.min(options.railroads, cities) })} />
            <Slider label="Railroads" value={railroads} min={1} max={Math.min(40, options.cities)} onValue={(value) => set({ railroads: value })} />
            <Slider label="Seed" value={options.seed} min={0} max={Math.max(100, options.seed)} onValue={(seed) => set({ seed })} />
          </>
        )}
        {job && <p role="status">{job.stage || "starting"} …</p>}
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}
