// Regions: a lasso puts the cities in it into a region.
import { signal } from "@preact/signals";
import type { Sketch, Tool } from "../board/BoardView";
import { putInRegion } from "../commands";
import { newRegion } from "../draw/common";
import { inRings } from "../rings";
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

/** The lasso and the cities in it, in the colour that they get. */
function shapes(): Sketch[] {
  const fill = regions.value[painted() ?? ""]?.colour;
  const colour = fill === undefined ? {} : { colour: fill };
  const inside = Object.values(mileposts.value).filter((post) => post.cities.length > 0 && inRings([path], [post.x, post.y]));
  return [
    { kind: "area", path: [...path, path[0]!], ...(fill === undefined ? {} : { fill }) },
    ...inside.map(({ x, y }) => ({ kind: "square" as const, at: [x, y] as Point, ...colour })),
  ];
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
    board.sketch("region", shapes());
  },
  up(at, board) {
    const region = painted();
    const inside = board.within(path, ["milepost"]);
    const items = inside.length === 0 && at.item ? [at.item] : inside;
    const found = items.flatMap((item) => [...(mileposts.value[item.id]?.cities ?? [])]);
    const end = (): void => board.sketch("region", []);
    path = [];
    if (region === null || found.length === 0) {
      end();
      return void (region === null ? toast("Add a region first; its button is with the settings of the tool.", "error") : toast("There is no city in it."));
    }
    // what is drawn stays until the board has the colour itself
    void putInRegion(found, region, { seen }).finally(end);
  },
  cancel(board) {
    path = [];
    board.sketch("region", []);
  },
};
