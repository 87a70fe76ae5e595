// How the page of railroad boards asks for changes. Panels and tools use these functions and nothing else.
import { askJson } from "./entry";
import { answerOf } from "./json";
import { Steps } from "./steps";
import { checking, hear, revision, toRedo, toUndo, unsaved } from "./store";
import type { Answer, AnswerTo, Asking, Command, QuestionName } from "./wire";

export const steps = new Steps({ revision, unsaved, toUndo, toRedo, hear });
export const { connection, run, undo, redo, goTo, fitPage, checkpoint, save } = steps;

/** Do several commands as one step of the history. */
export function runAll(label: string, commands: readonly Command[], options: { seen?: number } = {}): Promise<Answer> {
  const only = commands.length === 1 ? commands[0] : undefined;
  return run(only ?? { kind: "batch", label, commands }, options);
}

/** Ask a read-only question of mapkit/kinds/rail/queries. */
export async function query<Name extends QuestionName>(
  name: Name,
  body: Asking<Name>,
  signal?: AbortSignal,
): Promise<AnswerTo<Name>> {
  return answerOf(name, await askJson(`/api/ask/${encodeURIComponent(name)}`, body, signal ? { signal } : {}));
}

/** Run every check, also those of the drawing, which take longest. */
export async function checkAll(): Promise<void> {
  if (checking.value) return;
  checking.value = { done: 0, of: 0, what: "building the board" };
  if (!(await steps.check()).ok) checking.value = null;
}
