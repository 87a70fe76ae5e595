// What the drawing tools share: which railroad they work on, and small dialogs.
import { run, runAll } from "../edit";
import { errorText } from "../errors";
import { slug } from "../names";
import { currentRailroad } from "../selection";
import { railroads, regions, rows } from "../store";
import { askChoice, askText, Button, Check, Select } from "../ui";
import { toast } from "../ui/Toast";
import { OF_LASSOED, UNKNOWN } from "../colours";
import { newRailroad } from "./newRailroad";

/** The railroad that is drawn; the first one until another is chosen. */
export function drawnRailroad(): string | null {
  const chosen = currentRailroad.value;
  if (chosen !== null && chosen in railroads.value) return chosen;
  return rows("railroads")[0]?.key ?? null;
}

export const railroadColour = (id: string | null): string => (id && railroads.value[id]?.colour) || UNKNOWN;
export const railroadWord = (id: string): string => railroads.value[id]?.short ?? id;

export function RailroadPick({ label = "Railroad" }: { label?: string }) {
  const all = rows("railroads");
  return (
    <>
      {all.length === 0 ? (
        <p>There is no railroad yet.</p>
      ) : (
        <Select
          label={label}
          value={drawnRailroad() ?? ""}
          options={all.map((row) => ({ value: row.key, label: `${row.short} – ${row.name}` }))}
          onCommit={(id) => (currentRailroad.value = id)}
        />
      )}
      <Button onClick={newRailroad}>New railroad …</Button>
    </>
  );
}

export function RailroadChecks({ chosen, onChange, without }: { chosen: readonly string[]; onChange: (ids: string[]) => void; without?: string }) {
  return (
    <fieldset class="marks">
      <legend>Railroads that get the track</legend>
      {rows("railroads")
        .filter((row) => row.key !== without)
        .map((row) => (
          <Check
            key={row.key}
            label={row.short}
            checked={chosen.includes(row.key)}
            onCommit={(on) => onChange(on ? [...chosen, row.key] : chosen.filter((id) => id !== row.key))}
          />
        ))}
    </fieldset>
  );
}

export const askRailroad = (title: string, done: string, without?: string): Promise<string | null> =>
  askChoice(
    title,
    "Railroad",
    rows("railroads")
      .filter((row) => row.key !== without)
      .map((row) => ({ value: row.key, label: `${row.short} – ${row.name}` })),
    done,
    currentRailroad.value !== null && currentRailroad.value in railroads.value && currentRailroad.value !== without ? currentRailroad.value : undefined,
  );

/** Ask for a region, and make the first one if there is none. */
export async function askRegion(title: string, done: string, first?: string): Promise<string | null> {
  const all = rows("regions");
  if (all.length === 0) return newRegion();
  return askChoice(title, "Region", all.map((row) => ({ value: row.key, label: row.name })), done, first);
}


export async function newRegion(): Promise<string | null> {
  const name = await askText("New region", "Name of the region", "", "Add it");
  if (name === null) return null;
  const id = slug(name);
  const short = name.split(/\s+/).map((word) => word[0]?.toUpperCase() ?? "").join("").slice(0, 6) || "R";
  const used = new Set(Object.values(regions.value).map((row) => row.colour.toLowerCase()));
  const colour = OF_LASSOED.find((tint) => !used.has(tint)) ?? OF_LASSOED[used.size % OF_LASSOED.length];
  return (await run({ kind: "add-region", id, name, short, colour })).ok ? id : null;
}

/** Show an error as a toast. */
export function showError(error: unknown): void {
  toast(errorText(error), "error");
}

export { runAll };
