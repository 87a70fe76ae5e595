// Accepting a finding with a reason, and taking that back.
import { run } from "../edit";
import { judgesAmounts } from "../store";
import { askText } from "../ui";
import type { Finding } from "../wire";
import { reasonOf } from "./findings";

/** Whether the page offers to accept a finding: errors are to be corrected, unless only other amounts speak for them. */
export const acceptable = (finding: Pick<Finding, "code" | "severity">): boolean =>
  !finding.code.startsWith("S") && (finding.severity !== "error" || judgesAmounts(finding.code));

/** Ask why a finding is right as it is, and accept it. */
export async function accept(finding: Pick<Finding, "id">): Promise<void> {
  const reason = await askText("Accept this finding", "Why is it right as it is?", reasonOf(finding) ?? "", "Accept");
  if (reason !== null) await run({ kind: "accept-finding", finding: finding.id, reason });
}

export const unaccept = (finding: Pick<Finding, "id">): Promise<unknown> => run({ kind: "unaccept-finding", finding: finding.id });
