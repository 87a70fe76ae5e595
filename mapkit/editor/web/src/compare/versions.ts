// Versions of the board, as mapkit/kinds/rail/queries/versions.py has them, and what is being compared.
import { signal } from "@preact/signals";
import { history } from "../store";
import type { Version } from "../wire";

export const NOW: Version = { at: "now", variants: [] };
export const before = signal<Version>({ at: "saved", variants: [] });
export const after = signal<Version>(NOW);

/** What people call a version. */
export function versionName(version: Version): string {
  const base =
    version.at === "now" ? "As it is now" : version.at === "saved" ? "As saved" : stepName(version.at);
  return version.variants.length > 0 ? `${base} with ${version.variants.join(", ")}` : base;
}

function stepName(n: number): string {
  const step = [...history.value.steps, ...history.value.other].find((s) => s.n === n);
  if (n === 0) return "At the start";
  const name = step?.checkpoints[0];
  return name ? `Checkpoint ${name}` : `After “${step?.label ?? String(n)}”`;
}

export interface Choice {
  value: string;
  label: string;
}

/** Moments to choose from, the newest steps first. */
export function moments(): Choice[] {
  const steps = [...history.value.steps, ...history.value.other];
  const marked = steps.filter((step) => step.checkpoints.length > 0 && step.n > 0);
  const others = steps.filter((step) => step.checkpoints.length === 0 && step.n > 0).sort((a, b) => b.n - a.n);
  return [
    { value: "now", label: "As it is now" },
    { value: "saved", label: "As saved" },
    ...marked.map((step) => ({ value: String(step.n), label: `Checkpoint ${step.checkpoints.join(", ")}` })),
    ...others.slice(0, 200).map((step) => ({ value: String(step.n), label: `After ${step.n}: ${step.label}` })),
    { value: "0", label: "At the start" },
  ];
}

export const momentOf = (value: string): Version["at"] => (value === "now" || value === "saved" ? value : Number(value));
