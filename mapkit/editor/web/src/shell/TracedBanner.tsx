import { computed, signal } from "@preact/signals";
import { register } from "../actions";
import { run } from "../edit";
import { table } from "../store";
import { Button } from "../ui";
import { addToMenu } from "./menus";

const working = signal(false);
const later = signal(false);
const DRAWINGS = /^lines\/.*\.(fgb|geojson|gml|gpkg|json|kml|kmz|shp|svg|svgz|zip)$/i;
const traced = computed(() => Object.keys(table("files").value).filter((path) => DRAWINGS.test(path)));

function takeOver(): void {
  working.value = true;
  void run({ kind: "take-over-lines" }).finally(() => (working.value = false));
}

register({ id: "take-over", label: "Take over traced lines", group: "Draw", enabled: () => traced.value.length > 0 && !working.value, run: takeOver });
addToMenu("Draw", "take-over");

/** Says that lines come from traced files, which the editor shows but does not change, and offers to take them over. */
export function TracedBanner() {
  const files = traced.value;
  if (files.length === 0 || later.value) return null;
  return (
    <div class="banner warning" role="region" aria-label="Traced lines">
      <p>
        <b>Lines of this board come from {files.length === 1 ? files[0] : `${files.length} traced files`}</b>; they are shown, but cannot be changed here.
        Taken over, they become station lists, in one step that can be undone.
      </p>
      <Button kind="primary" disabled={working.value} onClick={takeOver}>
        {working.value ? "Taking over …" : "Take over lines"}
      </Button>
      <Button disabled={working.value} onClick={() => (later.value = true)} aria-label="Dismiss: traced lines">
        Later
      </Button>
    </div>
  );
}
