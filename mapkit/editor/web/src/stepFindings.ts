// Findings that a step would cause, shown before its dialog closes.
import { query } from "./edit";
import { ask } from "./ui/Dialog";
import type { Command } from "./wire";

const SHOWN = 5;

/** Ask about the findings that a step would cause; true if there are none, or the step is wanted. Impossible steps report themselves. */
export async function confirmFindings(command: Command, done: string): Promise<boolean> {
  const findings = await query("step-findings", { command }).then((found) => found.findings, () => []);
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
