// Railroads as panels show them: their marks, amounts of money, and their track in light on the board.
import { board } from "../board";
import { currentRailroad, select } from "../selection";
import { railroads, table } from "../store";
import { segmentsOf } from "./elements";
import { UNKNOWN } from "../colours";

const settings = table("settings");

const symbol = (): string => {
  const set = settings.value["units.symbol"]?.value;
  return typeof set === "string" ? set : "$";
};
export const money = (n: number): string => `${n < 0 ? "-" : ""}${symbol()}${Math.round(Math.abs(n)).toLocaleString("en")}`;
export const shortOf = (id: string): string => railroads.value[id]?.short ?? id;

export function Chip({ id }: { id: string }) {
  return (
    <span class="chip" style={{ borderColor: railroads.value[id]?.colour ?? UNKNOWN }} title={railroads.value[id]?.name ?? id}>
      {shortOf(id)}
    </span>
  );
}

/** Select the track of railroads, and fly there. */
export function light(ids: readonly string[]): void {
  const items = ids.flatMap(segmentsOf);
  if (ids.length === 1) currentRailroad.value = ids[0] ?? null;
  select(items);
  if (items.length > 0) board.flyTo(items);
}
