import { useEffect } from "preact/hooks";
import { askLooks, looks } from "./looks";

/** A sample of a railroad's line, drawn as the exporter draws it. */
export function Swatch({ colour, pattern, label }: { colour: string; pattern: string; label?: string }) {
  useEffect(askLooks, []);
  const known = looks.value;
  const long = known?.long ?? 11;
  const about = label === undefined ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": label };
  return (
    <svg class="swatch" viewBox={`0 -1.6 ${long} 3.2`} width={long * 5} height={16} fill="none" {...about}>
      {(known?.swatches[pattern] ?? []).map(({ stroke, ...path }, i) => (
        <path key={i} {...path} stroke={stroke === "line" ? colour : "var(--board-casing)"} />
      ))}
    </svg>
  );
}
