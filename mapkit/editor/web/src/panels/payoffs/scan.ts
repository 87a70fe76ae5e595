// A chart that was read from a PDF or a picture: its cells, which of them are in doubt, and the pages that show them.
import { computed, signal } from "@preact/signals";
import { send } from "../../asked";
import { pictureAt } from "../../entry";
import { follow, stopJob } from "../../exporting/jobs";
import type { ChartScan } from "../../generated";
import type { Job } from "../../wire";
import { anchor, cityAt, keyOf, onGrid } from "./chart";

export type ScannedCell = ChartScan["cells"][number];
export type ScannedPage = ChartScan["pages"][number];

export interface Scan {
  readonly name: string;
  readonly scan: ChartScan;
  /** The cell in the row of one city and the column of another, as `row|column`. */
  readonly cells: ReadonlyMap<string, ScannedCell>;
  /** Addresses of the pages' pictures, by the number of the page. */
  readonly pictures: ReadonlyMap<number, string>;
}

export const KINDS = ".pdf,.png,.jpg,.jpeg,.tif,.tiff,.webp";
const TAKEN = /\.(pdf|png|jpe?g|tiff?|webp)$/i;

/** The scan that lies beside the grid. */
export const scan = signal<Scan | null>(null);
/** Pairs in doubt that the user has settled. */
export const settled = signal<ReadonlySet<string>>(new Set());

/** The file of a paste or a drop that may be a scanned chart. */
export const chartFile = (files: FileList | undefined): File | undefined =>
  [...(files ?? [])].find((file) => TAKEN.test(file.name) || /^(image\/|application\/pdf)/.test(file.type));

/** Read a file in a process of the server, reporting what it is at. */
export async function readScan(file: File, begun: (id: string) => void, report: (stage: string) => void): Promise<Scan> {
  const job = await send("POST /api/chart-scans", { file, query: { name: file.name } });
  begun(job.id);
  const done = await follow(job, (now: Job) => report(now.stage || now.state));
  if (done.state === "stopped") throw new Error("Stopped; nothing was changed.");
  const found = await send("GET /api/chart-scans/{id}", { id: done.id });
  const pictures = await Promise.all(found.pages.map(async (page) => [page.page, await pictureAt(`/api/jobs/${done.id}/files/${page.file}`)] as const));
  return { name: file.name, scan: found, cells: new Map(found.cells.map((cell) => [`${cell.a}|${cell.b}`, cell])), pictures: new Map(pictures) };
}

export const stopReading = (id: string): void => void stopJob(id).catch(() => undefined);

export function showScan(now: Scan | null): void {
  scan.value?.pictures.forEach((address) => URL.revokeObjectURL(address));
  settled.value = new Set();
  scan.value = now;
}

/** The cells in doubt that are not settled, each pair of cities once. */
export const doubts = computed<readonly ScannedCell[]>(() => {
  const pairs = new Map<string, ScannedCell>();
  for (const cell of scan.value?.scan.cells ?? []) {
    const key = keyOf(cell.a, cell.b);
    if (cell.a !== cell.b && cell.doubt && !settled.value.has(key) && !pairs.has(key)) pairs.set(key, cell);
  }
  return [...pairs.values()];
});
export const doubted = computed<ReadonlySet<string>>(() => new Set(doubts.value.map((cell) => keyOf(cell.a, cell.b))));

/** What the scan says of the chosen cell; of a triangle, its only half. */
export const here = computed<ScannedCell | null>(() => {
  const { row, col } = onGrid(anchor.value);
  const [a, b] = [cityAt(row), cityAt(col)];
  const own = scan.value?.cells.get(`${a}|${b}`);
  const other = scan.value?.cells.get(`${b}|${a}`);
  return (own?.doubt ? own : other?.doubt ? other : (own ?? other)) ?? null;
});

export const settle = (cell: ScannedCell): void => void (settled.value = new Set(settled.value).add(keyOf(cell.a, cell.b)));

/** What a candidate amounts to, thousands. */
export const thousands = (text: string, unit: number): number => (Number(text.replace(",", unit > 1 ? "." : "")) * unit) / 1000;

/** All that is not in doubt, as a list that can be pasted. */
export const listed = (of: Scan): string => {
  const open = new Set(of.scan.cells.filter((cell) => cell.doubt).map((cell) => keyOf(cell.a, cell.b)));
  return of.scan.cells
    .filter((cell) => cell.a !== cell.b && cell.value !== null && !open.has(keyOf(cell.a, cell.b)))
    .map((cell) => `${cell.a}\t${cell.b}\t${cell.value}`)
    .join("\n");
};
