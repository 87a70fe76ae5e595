// What the checks would say of a step, asked before its dialog closes.
import { query } from "./edit";
import { ask } from "./ui/Dialog";
import type { Command } from "./wire";

const SHOWN = 5;

/** Whether a step causes no finding, or is wanted all the same; a step that cannot be done is left to say so itself. */
export async function agreed(command: Command, done: string): Promise<boolean> {
  const findings = await query("findings-of-step", { command }).then((found) => found.findings, () => []);
  if (findings.length === 0) return true;
  const more = findings.length - SHOWN;
  const answer = await ask({
    title: "The checks would complain",
    text: [...findings.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join("\n"),
    buttons: [
      { id: "back", label: "Change it" },
      { id: "done", label: done, kind: "primary" },
    ],
  });
  return answer === "done";
}
