// Findings as the pane shows them: sorted into kinds, with what is new since the last save.
import { computed, effect, signal } from "@preact/signals";
import { query } from "../edit";
import { findings, history, ofFullCheck, ready, table } from "../store";
import type { Finding, Point } from "../wire";

export type Kind = "error" | "warning" | "note" | "accepted";
export const KINDS: readonly { id: Kind; label: string; sign: string }[] = [
  { id: "error", label: "Errors", sign: "✕" },
  { id: "warning", label: "Warnings", sign: "!" },
  { id: "note", label: "Notes", sign: "i" },
  { id: "accepted", label: "Accepted", sign: "✓" },
];

const accepted = table("accepted");

/** The reason for which a finding is accepted, by the document as it is now. */
export const reasonOf = (finding: Pick<Finding, "id">): string | null => accepted.value[finding.id]?.reason ?? null;
export const kindOf = (finding: Finding): Kind => (reasonOf(finding) !== null ? "accepted" : finding.severity);

/** Findings that follow from no other; the others are counted with their cause. */
export const causes = computed(() => {
  const ids = new Set(findings.value.map((finding) => finding.id));
  return findings.value.filter((finding) => finding.follows === null || !ids.has(finding.follows));
});
export const followersOf = (finding: Finding): readonly Finding[] => findings.value.filter((one) => one.follows === finding.id);

export const counts = computed(() => {
  const out: Record<Kind, number> = { error: 0, warning: 0, note: 0, accepted: 0 };
  for (const finding of causes.value) out[kindOf(finding)] += 1;
  return out;
});

/** Ids of the findings that the files had when they were saved last; null until that is known. */
export const before = signal<ReadonlySet<string> | null>(null);
export const isNew = (finding: Finding): boolean => before.value !== null && !ofFullCheck(finding.code) && !before.value.has(finding.id);
export const gone = computed(() => {
  if (before.value === null) return 0;
  const now = new Set(findings.value.map((finding) => finding.id));
  return [...before.value].filter((id) => !now.has(id)).length;
});

let asked = 0;
effect(() => {
  if (!ready.value) return;
  void history.value.saved;
  asked += 1;
  const mine = asked;
  query("finding-ids", { at: "saved" }).then(
    ({ ids }) => {
      if (mine === asked) before.value = new Set(ids);
    },
    () => (before.value = null),
  );
});

export const elementsOf = (finding: Finding): readonly string[] => finding.elements;
export const placesOf = (finding: Finding): readonly Point[] => finding.at;

/** Findings of both ways between two cities have one id; this tells them apart. */
export const keyOf = (finding: Finding): string => `${finding.id} ${finding.message}`;
