// Two versions of the board on the canvas's place: side by side, or one over the other behind a line that is moved.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { errorText } from "../errors";
import { drawJob, jobPicture, stopJob } from "../exporting/jobs";
import { Button, Check, Select, Slider } from "../ui";
import { camera, Drawn, zoomCamera } from "./Drawn";
import type { DrawnBoard, Version } from "../wire";

export interface Pair {
  before: { name: string; version: Version; drawn: DrawnBoard };
  after: { name: string; version: Version; drawn: DrawnBoard };
}

export const pair = signal<Pair | null>(null);
/** The elements that are lit in both. */
export const lit = signal<readonly string[]>([]);
const way = signal<"side" | "swipe">("side");

/** The exporter's own drawing of a version, once it is made. */
function usePicture(version: Version, wanted: boolean): { url: string | null; said: string } {
  const [state, setState] = useState<{ url: string | null; said: string }>({ url: null, said: "" });
  const key = JSON.stringify(version);
  useEffect(() => {
    setState({ url: null, said: wanted ? "Drawing …" : "" });
    if (!wanted) return undefined;
    let job = "";
    let over = false;
    let shown: string | null = null;
    const give = (): void => {
      if (shown !== null) URL.revokeObjectURL(shown);
    };
    drawJob(version, (id) => {
      job = id;
      if (over) void stopJob(id);
    })
      .then(jobPicture)
      .then(
      (url) => {
        shown = url;
        if (over) give();
        else setState({ url, said: "" });
      },
      (error: unknown) => {
        if (!over) setState({ url: null, said: errorText(error) });
      },
    );
    return () => {
      over = true;
      give();
      if (job) void stopJob(job);
    };
  }, [key, wanted]);
  return state;
}

export function VersionsSheet() {
  const now = pair.value;
  const [at, setAt] = useState(0.5);
  const [real, setReal] = useState(false);
  const one = usePicture(now?.before.version ?? { at: "now", variants: [] }, real && now !== null);
  const two = usePicture(now?.after.version ?? { at: "now", variants: [] }, real && now !== null);
  if (!now) return <p class="hint">Reading both versions …</p>;
  const swiped = way.value === "swipe";
  const said = real ? [...new Set([one.said, two.said])].filter(Boolean).join("; ") : "";
  return (
    <div class="versions">
      <div class="bar">
        <Select
          label="How"
          hideLabel
          value={way.value}
          options={[
            { value: "side", label: "Side by side" },
            { value: "swipe", label: "One over the other" },
          ]}
          onCommit={(value) => (way.value = value === "swipe" ? "swipe" : "side")}
        />
        <Button onClick={() => zoomCamera(1.5, now.after.drawn)}>Zoom in</Button>
        <Button onClick={() => zoomCamera(1 / 1.5, now.after.drawn)}>Zoom out</Button>
        <Button onClick={() => (camera.value = null)}>Whole page</Button>
        <Check label="As it is printed" checked={real} onCommit={setReal} />
        <span role="status" class="hint">
          {said}
        </span>
      </div>
      {swiped && (
        <div class="swipe">
          <Slider label={`From ${now.before.name} to ${now.after.name}`} value={at} step={0.01} onInput={setAt} />
        </div>
      )}
      <div class={`sides${swiped ? " swiped" : ""}`}>
        <div class="side before">
          <Drawn drawn={now.before.drawn} label={`The board: ${now.before.name}`} lit={lit.value} picture={one.url} />
          <span class="name">{now.before.name}</span>
        </div>
        <div class="side after" style={swiped ? { clipPath: `inset(0 0 0 ${at * 100}%)` } : {}}>
          <Drawn drawn={now.after.drawn} label={`The board: ${now.after.name}`} lit={lit.value} picture={two.url} />
          <span class="name">{now.after.name}</span>
        </div>
        {swiped && <div class="seam" style={{ left: `${at * 100}%` }} />}
      </div>
    </div>
  );
}

export const SHEET = { id: "versions", title: "Two versions", component: VersionsSheet };
