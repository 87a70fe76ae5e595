import { signal } from "@preact/signals";
import { run } from "../edit";
import { table } from "../store";
import { Button } from "../ui";

const working = signal(false);
const DRAWINGS = /^lines\/.*\.(fgb|geojson|gml|gpkg|json|kml|kmz|shp|svg|svgz|zip)$/i;

/** Says that lines come from traced files, which the editor shows but does not change, and offers to take them over. */
export function TracedBanner() {
  const files = Object.keys(table("files").value).filter((path) => DRAWINGS.test(path));
  if (files.length === 0) return null;
  return (
    <div class="traced" role="region" aria-label="Traced lines">
      <p>
        Lines of this board come from {files.length === 1 ? files[0] : `${files.length} traced files`}; they are shown, but cannot be changed here. Take them
        over to edit them: they become station lists, in one step that can be undone.
      </p>
      <Button
        kind="primary"
        disabled={working.value}
        onClick={() => {
          working.value = true;
          void run({ kind: "take-over-lines" }).finally(() => (working.value = false));
        }}
      >
        {working.value ? "Taking over …" : "Take over lines"}
      </Button>
    </div>
  );
}
