// How every page asks for steps of its board, whatever the kind, and what it must say of them until it is over.
import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import { h } from "preact";
import { Connection } from "./connection";
import { noticesOf } from "./dismissed";
import { Conflicts } from "./ui/Conflicts";
import { ask } from "./ui/Dialog";
import { toast } from "./ui/Toast";
import type { Answer, Command, FromServer, OnDisk } from "./wire";

/** What the page knows of its board. */
export interface Known {
  readonly revision: ReadonlySignal<number>;
  readonly unsaved: ReadonlySignal<boolean>;
  /** What Undo and Redo would do; null when there is nothing. */
  readonly toUndo: ReadonlySignal<string | null>;
  readonly toRedo: ReadonlySignal<string | null>;
  /** Takes in what the server says. */
  readonly hear: (message: FromServer) => void;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
const TAKEN = {
  disk: "The board is as the files say; Undo brings yours back.",
  mine: "Yours is kept; Save writes it over the files.",
} as const;
const TAKEN_ELSEWHERE = {
  disk: "Another window has decided: the board is as the files say. Undo brings back what was here.",
  mine: "Another window has decided: what was here is kept, and Save writes it over the files.",
} as const;

export class Steps {
  readonly connection: Connection;
  /** Files that another program changed in the same rows, until that is settled. */
  readonly onDisk = signal<OnDisk | null>(null);
  /** What could not be written to the disk, and why; null again when it was. */
  readonly unkept = signal<{ readonly what: "step" | "save"; readonly why: string } | null>(null);
  /** False if the folder of the board cannot be written to. */
  readonly writable = signal(true);
  readonly notices = signal<readonly string[]>([]);
  private readonly client = signal("");
  private readonly settled = computed(() => this.onDisk.value === null);

  constructor(private readonly known: Known) {
    this.connection = new Connection((message) => this.hear(message));
  }

  /**
   * Do a command. A toast shows a refusal, a dialog a conflict with both values; `ok` says whether it was done.
   * `seen` is the revision on which the gesture began, if it was not this one.
   */
  run = async (command: Command, options: { seen?: number; quiet?: boolean } = {}): Promise<Answer> => {
    const seen = options.seen ?? this.known.revision.value;
    const answer = await this.connection.request({ type: "do", command, seen });
    if (answer.ok) return answer;
    if (answer.conflict.length > 0) {
      const taken = await ask({
        title: "Somebody else changed this",
        text: `${sentence(answer.message)} What do you want to keep?`,
        below: () => h(Conflicts, { all: answer.conflict, theirs: "Theirs" }),
        buttons: [
          { id: "mine", label: "Use mine", kind: "primary" },
          { id: "theirs", label: "Keep theirs" },
        ],
      });
      if (taken !== "mine") return answer;
      return this.connection.request({ type: "do", command, seen: this.known.revision.value, force: true });
    }
    if (!options.quiet) this.tell(answer.message);
    return answer;
  };

  undo = async (): Promise<void> => {
    const what = this.known.toUndo.value;
    if (what === null) return void toast("There is nothing to undo.", "info", undefined, "steps");
    if ((await this.orToast(this.connection.request({ type: "undo" }))).ok) toast(`Undone: ${what}`, "info", undefined, "steps");
  };
  redo = async (): Promise<void> => {
    const what = this.known.toRedo.value;
    if (what === null) return void toast("There is nothing to redo.", "info", undefined, "steps");
    if ((await this.orToast(this.connection.request({ type: "redo" }))).ok) toast(`Done again: ${what}`, "info", undefined, "steps");
  };
  goTo = (to: number): Promise<Answer> => this.orToast(this.connection.request({ type: "goto", to }));
  fitPage = (): Promise<Answer> => this.orToast(this.connection.request({ type: "fit-page" }));
  checkpoint = (name: string): Promise<Answer> => this.orToast(this.connection.request({ type: "checkpoint", name }));
  check = (): Promise<Answer> => this.orToast(this.connection.request({ type: "check" }));
  /** End the checks that run, after the one that is at work. */
  stopChecks = (): Promise<Answer> => this.orToast(this.connection.request({ type: "check", stop: true }));
  save = async (): Promise<void> => {
    if (!this.known.unsaved.value) return void toast("All files are saved already.");
    if ((await this.orToast(this.connection.request({ type: "save" }))).ok) toast("Saved to the files of the board.");
  };

  /** Let the author choose between the rows in the files and those here. */
  settleDisk = async (): Promise<void> => {
    const now = this.onDisk.value;
    if (!now) return;
    const { files, conflicts } = now;
    const taken = await ask({
      title: "Files of this board were changed by another program",
      text: `${files.join(", ")}: the same rows were changed here and there.`,
      below: () => h(Conflicts, { all: conflicts, theirs: "In the files" }),
      over: this.settled,
      buttons: [
        { id: "disk", label: "Take what is in the files", kind: "primary" },
        { id: "mine", label: "Keep what is here" },
      ],
    });
    if (taken !== "disk" && taken !== "mine") return;
    if ((await this.orToast(this.connection.request({ type: "disk", take: taken }))).ok) toast(TAKEN[taken]);
  };

  private async orToast(answer: Promise<Answer>): Promise<Answer> {
    const got = await answer;
    if (!got.ok) this.tell(got.message);
    return got;
  }

  /** Say why something was refused, unless a notice says it already. */
  private tell(message: string): void {
    if (this.unkept.peek()?.why !== message) toast(message, "error");
  }

  private hear(message: FromServer): void {
    batch(() => {
      this.known.hear(message);
      this.note(message);
    });
    if (message.type === "notice") toast(message.message, message.level);
    if (message.type === "changed" && message.client === "disk" && message.id === null)
      toast(`${message.label}: taken in. Undo leaves it out again.`);
    if (message.type === "settled" && message.take !== null && message.client !== this.client.peek()) toast(TAKEN_ELSEWHERE[message.take]);
  }

  private note(message: FromServer): void {
    if (message.type === "hello") {
      this.client.value = message.client;
      this.notices.value = message.notices;
      noticesOf(message.board, message.notices);
      this.writable.value = message.writable;
      this.onDisk.value = message.disk;
      this.unkept.value = null;
    } else if (message.type === "disk") this.onDisk.value = message;
    else if (message.type === "settled" || message.type === "saved") this.onDisk.value = null;
    if (message.type === "saved" || (message.type === "changed" && this.unkept.peek()?.what === "step")) this.unkept.value = null;
    if (message.type === "refused") {
      const saving = this.connection.typeOf(message.id) === "save";
      // while files wait for a decision, their notice says why nothing is saved
      if (message.cause === "disk" || (saving && this.onDisk.peek() === null))
        this.unkept.value = { what: saving ? "save" : "step", why: message.message };
    }
  }
}
