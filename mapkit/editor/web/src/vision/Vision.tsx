// The canvas as people with another colour vision see it, by the matrices with which mapkit itself judges colours.
import { effect, signal } from "@preact/signals";
import { register } from "../actions";
import { Button, Select } from "../ui";
import { askLooks, looks } from "./looks";
import { matrixText, nextSight, SIGHTS, type Sight } from "./sights";

export const sight = signal<Sight>("normal");

effect(() => {
  document.documentElement.dataset["sight"] = sight.value;
  if (sight.value !== "normal") askLooks();
});

register(
  ...SIGHTS.map(({ value, label }) => ({
    id: `sight-${value}`,
    label: `Colours as seen with: ${label}`,
    group: "View",
    run: () => (sight.value = value),
  })),
  {
    id: "sight",
    label: "Colours as seen by the next kind of eyes",
    group: "View",
    keys: ["Alt+V"],
    run: () => (sight.value = nextSight(sight.value)),
  },
);

/** The filters; they stand in the page once, and editor.css uses them. */
export function SightFilters() {
  const known = looks.value?.visions;
  if (!known) return null;
  // steep, so that all lights but greys are clearly on one side; for greys both halves say the same
  const steep = known.side.map((part) => part * 400).join(" ");
  return (
    <svg class="unseen" aria-hidden="true" width="0" height="0">
      {(["protan", "deutan", "grey"] as const).map((name) => (
        <filter id={`sight-${name}`} key={name} colorInterpolationFilters="linearRGB" x="0" y="0" width="1" height="1">
          <feColorMatrix type="matrix" values={matrixText(known[name])} />
        </filter>
      ))}
      <filter id="sight-tritan" colorInterpolationFilters="linearRGB" x="0" y="0" width="1" height="1">
        <feColorMatrix in="SourceGraphic" type="matrix" values={matrixText(known.tritan[1])} result="reddish" />
        <feColorMatrix in="SourceGraphic" type="matrix" values={`0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${steep} 0 0`} result="side" />
        <feColorMatrix in="SourceGraphic" type="matrix" values={matrixText(known.tritan[0])} result="bluish" />
        <feComposite in="bluish" in2="side" operator="in" result="masked" />
        <feComposite in="masked" in2="reddish" operator="over" />
      </filter>
    </svg>
  );
}

export function SightSelect() {
  return <Select label="Show the board as seen with" value={sight.value} options={SIGHTS} onCommit={(value) => (sight.value = value)} />;
}

/** Says on the canvas that its colours are not the board's. */
export function SightNotice() {
  const now = SIGHTS.find((one) => one.value === sight.value);
  if (!now || now.value === "normal") return null;
  return (
    <div class="sight-notice" role="status">
      <span>{now.label}</span>
      <Button kind="quiet" onClick={() => (sight.value = "normal")}>
        Back to normal
      </Button>
    </div>
  );
}
