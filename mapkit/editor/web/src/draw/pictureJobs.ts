// Work of the server on a picture underneath: its dots and squares, or its names; editing goes on meanwhile.
import { signal } from "@preact/signals";
import { send } from "../asked";
import { errorText } from "../errors";
import { follow, stopJob } from "../exporting/jobs";
import type { PictureAbout, Replies } from "../generated";

type Begin = "POST /api/picture-dots/{id}" | "POST /api/picture-places/{id}";
type Result = "GET /api/picture-dots/{id}" | "GET /api/picture-places/{id}";

export class PictureJob<At extends Result> {
  /** What it is at; empty if it is not at work. */
  readonly stage = signal("");
  readonly error = signal("");
  readonly stopped = signal(false);
  private id = "";
  /** Set by `stop`, also while the server is only asked for the job. */
  private stopping = false;

  constructor(
    private readonly begin: Begin,
    private readonly result: At,
  ) {}

  /** Read a picture; null if that was stopped or failed. */
  async run(about: PictureAbout): Promise<Replies[At] | null> {
    if (this.stage.value) return null;
    this.stage.value = "beginning";
    this.error.value = "";
    this.stopped.value = false;
    this.stopping = false;
    try {
      const job = await send(this.begin, { id: about.id });
      this.id = job.id;
      this.endIfWanted();
      const done = await follow(job, (now) => (this.stage.value = now.stage || "reading the picture"));
      if (done.state === "stopped") {
        this.stopped.value = true;
        return null;
      }
      // each address that is given here takes the id of a job
      return await send(this.result, { id: done.id } as Parameters<typeof send<At>>[1]);
    } catch (error) {
      // the server knows the picture by a name of its own
      this.error.value = errorText(error).replace(/^picture\.png\b/, about.name);
      return null;
    } finally {
      this.stage.value = "";
      this.id = "";
    }
  }

  /** Stop; a job that the server is only asked for ends as soon as it answers. */
  stop(): void {
    this.stopping = true;
    this.endIfWanted();
  }

  private endIfWanted(): void {
    if (this.stopping && this.id) void stopJob(this.id).catch(() => undefined);
  }
}
