import { h } from "preact";
import { iconOf } from "./icons";

/** The icon of an action; its room if it has none. Its name is said by what it stands in. */
export function Icon({ of }: { of: string }) {
  const icon = iconOf(of);
  if (!icon) return <span class="icon" aria-hidden="true" />;
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {icon.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
