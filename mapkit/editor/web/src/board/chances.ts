// How likely each city is the destination of a trip, by the charts as they stand (RB-C14).

/** A cell of a chart by its key, `northeast/odd/7`; of the chart that chooses the region, `regions/odd/7`. */
export type Cells = Readonly<Record<string, { readonly item: string | null }>>;

const REGIONS = "regions";
/** Two dice for each of odd and even. */
const ROLLS = 72;

/** City -> chance, from 0 to 1. Cells that are empty give none. */
export function cityChances(cells: Cells): ReadonlyMap<string, number> {
  const charts = new Map<string, Map<string, number>>();
  for (const [key, { item }] of Object.entries(cells)) {
    const [chart = "", , sum] = key.split("/");
    if (item === null) continue;
    const items = charts.get(chart) ?? new Map<string, number>();
    charts.set(chart, items.set(item, (items.get(item) ?? 0) + (6 - Math.abs(Number(sum) - 7)) / ROLLS));
  }
  const out = new Map<string, number>();
  for (const [region, chance] of charts.get(REGIONS) ?? [])
    for (const [city, share] of charts.get(region) ?? []) out.set(city, (out.get(city) ?? 0) + chance * share);
  return out;
}
