// How the page asks for changes. Panels and tools use these functions and nothing else.
import { batch, computed } from "@preact/signals";
import { h } from "preact";
import { Connection } from "./connection";
import { askJson } from "./entry";
import { answerOf } from "./json";
import { checking, client, hear, onDisk, revision, toRedo, toUndo, unkept, unsaved } from "./store";
import type { Answer, AnswerTo, Asking, Command, QuestionName } from "./wire";
import { Conflicts } from "./ui/Conflicts";
import { ask } from "./ui/Dialog";
import { toast } from "./ui/Toast";

export const connection = new Connection((message) => {
  batch(() => hear(message));
  if (message.type === "notice") toast(message.message, message.level);
  if (message.type === "changed" && message.client === "disk" && message.id === null)
    toast(`${message.label}: taken in. Undo leaves it out again.`);
  if (message.type === "settled" && message.take !== null && message.client !== client.peek()) toast(TAKEN_ELSEWHERE[message.take]);
  if (message.type === "saved" || (message.type === "changed" && unkept.peek()?.what === "step")) unkept.value = null;
  if (message.type === "refused" && message.cause === "disk")
    unkept.value = { what: connection.typeOf(message.id) === "save" ? "save" : "step", why: message.message };
});

/**
 * Do a command. A toast shows a refusal, a dialog a conflict with both values; `ok` says whether it was done.
 * `seen` is the revision on which the gesture began, if it was not this one.
 */
export async function run(command: Command, options: { seen?: number; quiet?: boolean } = {}): Promise<Answer> {
  const seen = options.seen ?? revision.value;
  const answer = await connection.request({ type: "do", command, seen });
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
    return connection.request({ type: "do", command, seen: revision.value, force: true });
  }
  if (!options.quiet) toast(answer.message, "error");
  return answer;
}

/** Do several commands as one step of the history. */
export function runAll(label: string, commands: readonly Command[], options: { seen?: number } = {}): Promise<Answer> {
  const only = commands.length === 1 ? commands[0] : undefined;
  return run(only ?? { kind: "batch", label, commands }, options);
}

/** Ask a read-only question of mapkit/kinds/rail/questions. */
export async function query<Name extends QuestionName>(
  name: Name,
  body: Asking<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>> {
  return answerOf(name, await askJson(`/api/ask/${encodeURIComponent(name)}`, body, signal ? { signal } : {}));
}

async function orToast(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (!got.ok) toast(got.message, "error");
  return got;
}

export async function undo(): Promise<void> {
  const what = toUndo.value;
  if (what === null) return void toast("There is nothing to undo.", "info", undefined, "steps");
  if ((await orToast(connection.request({ type: "undo" }))).ok) toast(`Undone: ${what}`, "info", undefined, "steps");
}
export async function redo(): Promise<void> {
  const what = toRedo.value;
  if (what === null) return void toast("There is nothing to redo.", "info", undefined, "steps");
  if ((await orToast(connection.request({ type: "redo" }))).ok) toast(`Done again: ${what}`, "info", undefined, "steps");
}
export const goTo = (to: number): Promise<Answer> => orToast(connection.request({ type: "goto", to }));
export const fitPage = (): Promise<Answer> => orToast(connection.request({ type: "fit-page" }));
export const checkpoint = (name: string): Promise<Answer> => orToast(connection.request({ type: "checkpoint", name }));
export async function save(): Promise<void> {
  if (!unsaved.value) return void toast("All files are saved already.");
  if ((await orToast(connection.request({ type: "save" }))).ok) toast("Saved to the files of the board.");
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
const settled = computed(() => onDisk.value === null);
const TAKEN = {
  disk: "The board is as the files say; Undo brings yours back.",
  mine: "Yours is kept; Save writes it over the files.",
} as const;
const TAKEN_ELSEWHERE = {
  disk: "Another window has decided: the board is as the files say. Undo brings back what was here.",
  mine: "Another window has decided: what was here is kept, and Save writes it over the files.",
} as const;

/** Let the author choose between the rows in the files and those here. */
export async function settleDisk(): Promise<void> {
  const now = onDisk.value;
  if (!now) return;
  const { files, conflicts } = now;
  const taken = await ask({
    title: "Files of this board were changed by another program",
    text: `${files.join(", ")}: the same rows were changed here and there.`,
    below: () => h(Conflicts, { all: conflicts, theirs: "In the files" }),
    over: settled,
    buttons: [
      { id: "disk", label: "Take what is in the files", kind: "primary" },
      { id: "mine", label: "Keep what is here" },
    ],
  });
  if (taken !== "disk" && taken !== "mine") return;
  if ((await orToast(connection.request({ type: "disk", take: taken }))).ok) toast(TAKEN[taken]);
}

/** Run every check, also those of the drawing, which take longest. */
export async function checkAll(): Promise<void> {
  if (checking.value) return;
  checking.value = { done: 0, of: 0, what: "building the board" };
  if (!(await orToast(connection.request({ type: "check" }))).ok) checking.value = null;
}
