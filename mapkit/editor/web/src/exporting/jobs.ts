// Long work that the server does in a process of its own; see mapkit/editor/server/jobs.py.
import { send } from "../asked";
import { download, pictureAt } from "../entry";
import type { Bodies, Job, Version } from "../wire";

const PAUSE = 300;
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const startJob = (body: Bodies["POST /api/jobs"]): Promise<Job> => send("POST /api/jobs", { body });
export const stopJob = (id: string): Promise<Job> => send("DELETE /api/jobs/{id}", { id });

/** Wait until a job is over, reporting what it is at. */
export async function follow(job: Job, report: (job: Job) => void = () => undefined): Promise<Job> {
  let now = job;
  while (now.state === "waiting" || now.state === "running") {
    report(now);
    await wait(PAUSE);
    now = await send("GET /api/jobs/{id}", { id: job.id });
  }
  report(now);
  if (now.state === "failed") throw new Error(now.said.at(-1) ?? "It failed and did not say why.");
  return now;
}

/** The exporter's own drawing of a version, as SVG. */
export async function drawJob(of: Version, begun: (id: string) => void): Promise<Job> {
  const job = await startJob({ what: "draw", of, fonts: "paths" });
  begun(job.id);
  return follow(job);
}

const address = (name: string): string => name.split("/").map(encodeURIComponent).join("/");

const fileOf = (job: Job, name: string): string => `/api/jobs/${job.id}/files/${address(name)}`;

/** The picture that a finished job drew, as an address of this page's own; see `pictureAt`. */
export async function jobPicture(job: Job): Promise<string | null> {
  const [file] = job.files;
  return file ? pictureAt(fileOf(job, file.name)) : null;
}
/** Download a file of a finished job, or all that it made. */
export function downloadJob(job: Job, name = job.files.length === 1 ? job.files[0]?.name : undefined): Promise<void> {
  return download(name === undefined ? `/api/jobs/${job.id}/all.zip` : `${fileOf(job, name)}?download`);
}
