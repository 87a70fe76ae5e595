// Regions: a lasso puts the cities in it into a region.
import { signal } from "@preact/signals";
import type { Tool } from "../board/BoardView";
import { newRegion } from "../draw/common";
import { run } from "../edit";
import { mileposts, regions, revision, rows } from "../store";
import { Button, Select } from "../ui";
import { toast } from "../ui/Toast";
import type { Point } from "../wire";

const brush = signal("");
let path: Point[] = [];
let seen = 0;

const painted = (): string | null => (brush.value in regions.value ? brush.value : (rows("regions")[0]?.key ?? null));

async function paintNew(): Promise<void> {
  const made = await newRegion();
  if (made) brush.value = made;
}

function Card() {
  const all = rows("regions");
  return (
    <>
      {all.length > 0 ? (
        <Select label="Region to paint" value={painted() ?? ""} options={all.map((row) => ({ value: row.key, label: row.name }))} onCommit={(id) => (brush.value = id)} />
      ) : (
        <p>There is no region yet.</p>
      )}
      <Button onClick={() => void paintNew()}>New region …</Button>
      <p class="hint">Draw around cities: they move to this region. A click moves one.</p>
    </>
  );
}

export const paintRegion: Tool = {
  id: "region",
  label: "Regions: paint them with a lasso",
  short: "Regions",
  key: "G",
  hint: "Draw around cities to put them in the chosen region; by keyboard Space, arrows, Space.",
  cursor: "crosshair",
  card: Card,
  down(at) {
    path = [[at.x, at.y]];
    seen = revision.value;
  },
  move(at, board, pressed) {
    if (!pressed || path.length === 0) return;
    path.push([at.x, at.y]);
    const colour = regions.value[painted() ?? ""]?.colour;
    board.sketch("region", [{ kind: "area", path: [...path, path[0]!], ...(colour ? { colour } : {}) }]);
  },
  up(at, board) {
    board.sketch("region", []);
    const region = painted();
    const inside = board.within(path, ["milepost"]);
    path = [];
    if (region === null) return void toast("Add a region first; its button is in the corner of the board.", "error");
    const items = inside.length === 0 && at.item ? [at.item] : inside;
    const found = items.flatMap((item) => [...(mileposts.value[item.id]?.cities ?? [])]);
    if (found.length === 0) return void toast("There is no city in it.");
    void run({ kind: "set-region-of-cities", cities: found, region }, { seen });
  },
  cancel(board) {
    path = [];
    board.sketch("region", []);
  },
};
