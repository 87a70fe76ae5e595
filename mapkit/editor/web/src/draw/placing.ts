// Placing the drawings of a board again: what it would move, add and remove is shown first; then it is one step.
import { computed, signal } from "@preact/signals";
import { register } from "../actions";
import { query, run } from "../edit";
import { errorText } from "../errors";
import { addToMenu } from "../shell/menus";
import { table } from "../store";
import { ask, toast } from "../ui";
import type { PlacingReport as Report } from "../generated";

const SHOWN = 8;
const DRAWINGS = /^drawings\/.*\.(fgb|geojson|gml|gpkg|json|kml|kmz|shp|svg|svgz|zip)$/i;
const drawings = computed(() => Object.keys(table("files").value).filter((path) => DRAWINGS.test(path)));
const working = signal(false);

function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return [`${what}: ${names.slice(0, SHOWN).join(", ")}${more}.`];
}

function summary(report: Report): string {
  return [
    ...listed("Mileposts that move", report.moved.map((one) => `${one.name} (${one.miles.toFixed(1)} miles)`)),
    ...listed("New mileposts", report.added),
    ...listed("Mileposts that go", report.removed),
    ...listed("Lines that change", report.lines_changed),
    ...listed("New lines", report.lines_added),
    ...listed("Lines that go", report.lines_removed),
    "What you changed on drawn lines is replaced by the drawing; lines of your own stay. It is one step that can be undone.",
  ].join("\n");
}

async function placeAgain(): Promise<void> {
  working.value = true;
  try {
    const found = await query("place-drawings-preview", {});
    if (!found.changes) return void toast("The drawings give the lines that the board has; nothing would change.");
    const answer = await ask({
      title: "Place the drawings again?",
      text: summary(found.report),
      buttons: [
        { id: "cancel", label: "Leave it" },
        { id: "place", label: "Place again", kind: "primary" },
      ],
    });
    if (answer === "place") await run(found.command);
  } catch (error) {
    toast(errorText(error), "warning");
  } finally {
    working.value = false;
  }
}

register({
  id: "place-drawings",
  label: "Place drawings again …",
  group: "Draw",
  enabled: () => drawings.value.length > 0 && !working.value,
  run: () => void placeAgain(),
});
addToMenu("Draw", "place-drawings");
