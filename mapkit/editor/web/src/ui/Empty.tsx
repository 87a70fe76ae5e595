import type { ComponentChildren } from "preact";

/** What a panel shows when there is nothing: what it is for, and what to do first. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="nothing">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
