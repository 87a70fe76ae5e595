// Reading charts from PDFs and pictures in a process of the server.
import { send } from "../asked";
import { follow, stopJob } from "../exporting/jobs";
import type { NameLeftOut } from "../generated";

/** What is to be read: files that are pages of one chart, or those of an earlier job again; and whose names are whose. */
export interface Asked {
  readonly what: "payoffs" | "destinations";
  readonly files: readonly File[];
  /** The job whose files are read again. */
  readonly again: string;
  /** Names in the files, and the ids of what they mean; empty for what is left out. */
  readonly accept: Readonly<Record<string, string>>;
}

/** What every scan says. */
export interface Found {
  readonly left_out: readonly NameLeftOut[];
  readonly notes: readonly string[];
}

/** What the server says of files, with the names that the user gave them in place of its own. */
export function withOwnNames(text: string, files: readonly File[]): string {
  return text.replace(/\bchart(?:-(\d\d))?\.\w+/g, (its, number: string | undefined) => files[Number(number ?? 1) - 1]?.name ?? its);
}

/** Read charts, and return the id of the job; it ends at once when the signal says so. */
export async function readCharts({ files, ...asked }: Asked, stop: AbortSignal, report: (stage: string) => void): Promise<string> {
  const body = new File([...files], files.map((file) => file.name).join(", "));
  const listed = JSON.stringify({ ...asked, files: files.map(({ name, size }) => ({ name, bytes: size })) });
  const job = await send("POST /api/chart-scans", { file: body, query: { asked: listed } });
  const end = (): void => void stopJob(job.id).catch(() => undefined);
  if (stop.aborted) end();
  stop.addEventListener("abort", end);
  try {
    const done = await follow(job, (now) => report(now.stage || now.state));
    if (done.state === "stopped") throw new Error("Stopped; nothing was changed.");
    return done.id;
  } finally {
    stop.removeEventListener("abort", end);
  }
}
