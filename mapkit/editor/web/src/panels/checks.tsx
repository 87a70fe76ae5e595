import { computed, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { register } from "../actions";
import { board } from "../board";
import { checkAll, query, run, steps } from "../edit";
import { accept, acceptable, unaccept } from "../judging/accepting";
import { boxOf, itemsOf, itemsOfRow } from "../judging/elements";
import { causes, counts, elementsOf, followersOf, gone, isNew, keyOf, kindOf, KINDS, placesOf, reasonOf, type Kind } from "../judging/findings";
import { select } from "../selection";
import { checkedRevision, checking, checks, drawnRevision, findings, revision } from "../store";
import { ActionButton, Button, Empty, Field, toast } from "../ui";
import type { Finding } from "../wire";
import type { Panel } from "./panel";
import type { OfferedFix as Fix } from "../generated";

type Shown = Kind | "all" | "new";
const shownKind = signal<Shown>("all");
const searched = signal("");
const chosen = signal<string | null>(null);
const open = signal<ReadonlySet<string>>(new Set());
const FEW = 6;

const found = computed(() => {
  const words = searched.value.toLowerCase().split(/\s+/).filter(Boolean);
  const order = (finding: Finding): number => KINDS.findIndex((kind) => kind.id === kindOf(finding));
  return causes.value
    .filter((finding) => {
      const kind = kindOf(finding);
      const on = shownKind.value === "all" ? kind !== "accepted" : shownKind.value === "new" ? isNew(finding) : kind === shownKind.value;
      const text = `${finding.code} ${finding.name} ${finding.message}`.toLowerCase();
      return on && words.every((word) => text.includes(word));
    })
    .sort((a, b) => order(a) - order(b) || Number(isNew(b)) - Number(isNew(a)));
});

/** Findings of one check, one after the other. */
const groups = computed(() => {
  const out: { key: string; all: Finding[] }[] = [];
  for (const finding of found.value) {
    const key = `${kindOf(finding)}:${finding.code}`;
    const group = out.find((one) => one.key === key);
    if (group) group.all.push(finding);
    else out.push({ key, all: [finding] });
  }
  return out;
});

function mark(finding: Finding | null): void {
  board.sketch("finding", finding ? placesOf(finding).map((at) => ({ kind: "dot" as const, at, radius: 9, colour: "--board-wrong-soft" })) : []);
}

/** Fly to a finding and mark what it is about. */
export function showFinding(finding: Finding): void {
  chosen.value = keyOf(finding);
  const row = finding["table"];
  const items = typeof row === "string" ? itemsOfRow(row, String(finding["key"])) : elementsOf(finding).flatMap(itemsOf);
  select(items);
  const places = placesOf(finding);
  if (places.length === 1 || (places.length > 0 && items.length === 0)) board.flyTo(boxOf(places));
  else if (items.length > 0) board.flyTo(items);
  mark(finding);
}

function Details({ finding }: { finding: Finding }) {
  const [fixes, setFixes] = useState<readonly Fix[] | null>(null);
  const now = revision.value;
  useEffect(() => {
    const stop = new AbortController();
    const { code, severity } = finding;
    const asked = { code, severity, elements: elementsOf(finding), accepted: reasonOf(finding), data: finding.data };
    query("fixes", asked, stop.signal).then(
      ({ fixes: all }) => setFixes(all.filter((fix) => !/^(un)?accept-/.test(fix.command.kind))),
      () => undefined,
    );
    return () => stop.abort();
  }, [keyOf(finding), now]);
  const reason = reasonOf(finding);
  return (
    <div class="details">
      {reason !== null && (
        <p>
          Accepted: <em>{reason}</em>
        </p>
      )}
      {placesOf(finding).length === 0 && <p class="hint">It has no place on the board.</p>}
      <div class="bar">
        {(fixes ?? []).map((fix) => (
          <Button key={fix.label} kind="primary" onClick={() => void run(fix.command)}>
            {fix.label}
          </Button>
        ))}
        {reason !== null ? (
          <>
            <Button onClick={() => void unaccept(finding)}>No longer accept</Button>
            <Button onClick={() => void accept(finding)}>Change the reason …</Button>
          </>
        ) : (
          acceptable(finding) && <Button onClick={() => void accept(finding)}>Accept …</Button>
        )}
      </div>
      {fixes?.length === 0 && reason === null && <p class="hint">There is no one-click fix; the message says what to do.</p>}
    </div>
  );
}

function One({ finding }: { finding: Finding }) {
  const on = chosen.value === keyOf(finding) || followersOf(finding).some((one) => keyOf(one) === chosen.value);
  const kind = KINDS.find((one) => one.id === kindOf(finding));
  return (
    <li class={`finding is-${kindOf(finding)}`}>
      <button type="button" data-finding={finding.id} aria-expanded={on} onClick={() => showFinding(finding)}>
        <span class="sign" aria-hidden="true">
          {kind?.sign}
        </span>
        <span class="unseen">{kind?.label.replace(/s$/, "")}: </span>
        <span class="what">{finding.message}</span>
        {isNew(finding) && <span class="mark">new</span>}
        <span class="code" title={finding.name}>{finding.code}</span>
      </button>
      {on && <Details finding={finding} />}
      {on && followersOf(finding).length > 0 && (
        <ul class="findings" aria-label="What follows from it">
          {followersOf(finding).map((one) => (
            <One key={keyOf(one)} finding={one} />
          ))}
        </ul>
      )}
      {!on && followersOf(finding).length > 0 && <p class="hint">and {followersOf(finding).length} that follow from it</p>}
    </li>
  );
}

function Running() {
  const [stopping, setStopping] = useState(false);
  const now = checking.value;
  useEffect(() => setStopping(false), [now === null]);
  if (!now) return null;
  return (
    <div class="running" role="status">
      <progress aria-label="All checks" {...(now.of > 0 ? { value: now.done, max: now.of } : {})} />
      <span>
        {now.of > 0 ? `${now.done + 1} of ${now.of}: ` : ""}
        {now.what}
      </span>
      <Button
        disabled={stopping}
        onClick={() => {
          setStopping(true);
          void steps.stopChecks();
        }}
      >
        {stopping ? "Stopping …" : "Stop"}
      </Button>
    </div>
  );
}

function Summary() {
  const bad = Object.entries(checks.value).filter(([, how]) => how === "crashed" || how === "skipped");
  const drawn = drawnRevision.value;
  return (
    <p class="hint">
      Checked while you edit, revision {checkedRevision.value}.{" "}
      {drawn === null
        ? "The drawing is checked when you run all checks."
        : drawn === revision.value
          ? "The drawing is checked too."
          : `The drawing was checked at revision ${drawn}.`}
      {bad.length > 0 ? ` Not run: ${bad.map(([code, how]) => `${code} (${how})`).join(", ")}.` : ""}
      {gone.value > 0 ? ` ${gone.value} ${gone.value === 1 ? "finding" : "findings"} of the last save ${gone.value === 1 ? "is" : "are"} gone.` : ""}
    </p>
  );
}

function Checks() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => () => mark(null), []);
  const fresh = causes.value.filter(isNew).length;
  const kinds: readonly { id: Shown; label: string; n: number }[] = [
    { id: "all", label: "Open", n: causes.value.length - counts.value.accepted },
    ...KINDS.map(({ id, label }) => ({ id, label, n: counts.value[id] })),
    { id: "new", label: "New", n: fresh },
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("button[data-finding]") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
  };
  return (
    <div class="checks" ref={list} onKeyDown={onKeyDown}>
      <div class="bar kinds" role="group" aria-label="Which findings">
        {kinds.map(({ id, label, n }) => (
          <Button key={id} kind="quiet" aria-pressed={shownKind.value === id} onClick={() => (shownKind.value = id)}>
            {label} <span class="n">{n}</span>
          </Button>
        ))}
      </div>
      <div class="bar">
        <Field label="Search the findings" hideLabel type="search" placeholder="Search" value={searched.value} onInput={(text) => (searched.value = text)} />
        <ActionButton id="check-all">Run all checks</ActionButton>
      </div>
      <Running />
      <Summary />
      {groups.value.length === 0 ? (
        <Empty title={findings.value.length === 0 ? "Nothing found" : "None of this kind"}>
          <p>
            {findings.value.length === 0
              ? "Every check that runs while you edit is content. Run all checks looks at the drawing too."
              : "Choose another kind above, or clear the search."}
          </p>
        </Empty>
      ) : (
        groups.value.map(({ key, all }) => {
          const whole = open.value.has(key) || all.length <= FEW + 1;
          return (
            <ul key={key} class="findings" aria-label={`${all[0]?.code ?? ""}, ${all.length}`}>
              {(whole ? all : all.slice(0, FEW)).map((finding) => (
                <One key={keyOf(finding)} finding={finding} />
              ))}
              {!whole && (
                <li>
                  <button type="button" class="link" onClick={() => (open.value = new Set([...open.value, key]))}>
                    {all.length - FEW} more like this ({all[0]?.code})
                  </button>
                </li>
              )}
            </ul>
          );
        })
      )}
    </div>
  );
}

function step(by: number): void {
  const all = found.value;
  if (all.length === 0) return void toast("There are no findings of this kind.");
  const at = all.findIndex((finding) => keyOf(finding) === chosen.value);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  if (!next) return;
  showFinding(next);
  toast(next.message, next.severity === "error" ? "warning" : "info");
}

register(
  {
    id: "check-all",
    label: "Run all checks, also of the drawing",
    group: "Checks",
    keys: ["Alt+Shift+C"],
    enabled: () => checking.value === null,
    needs: "they are running",
    run: () => void checkAll(),
  },
  { id: "check-stop", label: "Stop the checks", group: "Checks", enabled: () => checking.value !== null, needs: "no checks are running", run: () => void steps.stopChecks() },
  { id: "finding-next", label: "Fly to the next finding", group: "Checks", keys: ["F8"], run: () => step(1) },
  { id: "finding-back", label: "Fly to the finding before", group: "Checks", keys: ["Shift+F8"], run: () => step(-1) },
);

export const checksPanel: Panel = {
  id: "checks",
  title: "Checks",
  keys: ["Alt+C"],
  badge: () => counts.value.error + counts.value.warning || null,
  component: Checks,
};
