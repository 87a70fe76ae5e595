// What to play: players, how they decide, rules, how long, and a seed.
import { effect, signal } from "@preact/signals";
import { CALM, useAnswer } from "../asked";
import { momentOf, moments } from "../compare/versions";
import { counts } from "../judging/findings";
import { showPanel } from "../shell/pane";
import { findings } from "../store";
import { Button, Check, Field, Select } from "../ui";
import { partOf, running, start, stop, tests, trouble, type What } from "./tests";
import { progressText } from "./words";
import type { PlayTestAsked } from "../generated";

export type Wanted = Required<Omit<PlayTestAsked, "what" | "anyway">>;
export const wanted = signal<Wanted>({
  variants: [],
  against: "saved",
  players: 4,
  policies: ["balanced"],
  rules: "board",
  matches: 1000,
  until: null,
  seed: 1,
});
const anyway = signal(false);
/** Whether the author has set anything; until then the fields are those of the newest play-test. */
let touched = false;
export const change = (fields: Partial<Wanted>): void => {
  touched = true;
  wanted.value = { ...wanted.value, ...fields };
};
effect(() => {
  const last = tests.value[0]?.asked;
  if (!last || touched) return;
  const { variants, against, players, policies, rules, matches, until, seed } = last;
  wanted.value = { variants, against, players, policies, rules, matches, until, seed };
});

const MOST = 1_000_000_000;
const SEEDS = Number.MAX_SAFE_INTEGER;
const PRECISION = 0.01;
const SHOWN = 3;
const NUMBERS = ["2", "3", "4", "5", "6"].map((value) => ({ value, label: value }));
const RULES: readonly { value: Wanted["rules"]; label: string }[] = [
  { value: "board", label: "the board's own" },
  { value: "ah", label: "ah" },
  { value: "ici", label: "ici" },
  { value: "ah-faq", label: "ah-faq" },
];
const LENGTHS = [
  { value: "matches", label: "so many matches" },
  { value: "until", label: "until win rates are exact" },
] as const;

/** The policy of each player, for another number of players. */
export const seated = (policies: readonly string[], players: number): string[] =>
  policies.length === 1 ? [...policies] : Array.from({ length: players }, (_, k) => policies[k] ?? policies.at(-1) ?? "balanced");

const whole = (text: string, low: number, high: number): number | null => {
  const n = Number(text.replaceAll(",", ""));
  return text.trim() !== "" && Number.isInteger(n) && n >= low && n <= high ? n : null;
};

function Policies() {
  const { answer, error } = useAnswer("players", {}, { rest: 1000 });
  const { policies, players } = wanted.value;
  const known = answer?.policies ?? [];
  const options = known.filter((one) => one.error === null).map(({ name, own }) => ({ value: name, label: own ? `${name} (yours)` : name }));
  const each = policies.length > 1;
  const about = each ? "" : (known.find(({ name }) => name === policies[0])?.about ?? "");
  const set = (at: number, name: string): void => change({ policies: policies.map((old, k) => (k === at ? name : old)) });
  return (
    <>
      <div class="field-pair">
        {policies.map((name, k) => (
          <Select
            key={k}
            label={each ? `Player ${k + 1}` : "All play as"}
            value={name}
            options={options.some(({ value }) => value === name) ? options : [...options, { value: name, label: name }]}
            onCommit={(value) => set(k, value)}
          />
        ))}
      </div>
      {about && <p class="hint">{about}</p>}
      <Check
        label="Each player as another"
        checked={each}
        onCommit={(on) => change({ policies: on ? Array.from({ length: players }, () => policies[0] ?? "balanced") : policies.slice(0, 1) })}
      />
      {error && <p class="error">{error}</p>}
      {known.map(({ name, error: wrong }) => wrong !== null && <p key={name} class="error">{wrong}</p>)}
      {answer && !answer.compiled && (
        <p class="hint slow">
          Numba is missing here, so matches take some hundred times longer. For speed: pip install &apos;mapkit[play]&apos;, then start the editor again.
        </p>
      )}
    </>
  );
}

function Length({ what }: { what: What }) {
  const { matches, until, seed } = wanted.value;
  const exact = what === "study" && until !== null;
  return (
    <>
      {what === "study" && (
        <div class="field-pair">
          <Select
            label="Play"
            value={exact ? "until" : "matches"}
            options={LENGTHS}
            onCommit={(value) => change(value === "until" ? { until: PRECISION, matches: 1_000_000 } : { until: null, matches: 1000 })}
          />
          {exact && (
            <Field
              label="To within, ± points"
              type="number"
              min={0.01}
              max={50}
              step="any"
              value={Math.round(until * 10_000) / 100}
              onCommit={(text) => {
                const points = Number(text);
                if (points > 0 && points < 100) change({ until: points / 100 });
                else trouble.value = "Give the precision in points above 0 and below 100, such as 0.5.";
              }}
            />
          )}
        </div>
      )}
      <div class="field-pair">
        <Field
          label={exact ? "Matches, at most" : "Matches"}
          type="number"
          min={1}
          max={MOST}
          value={matches}
          onCommit={(text) => {
            const n = whole(text, 1, MOST);
            if (n === null) trouble.value = "Give a number of matches from 1 to 1,000,000,000.";
            else change({ matches: n });
          }}
        />
        <Field
          label="Seed"
          type="number"
          min={0}
          max={SEEDS}
          value={seed}
          onCommit={(text) => {
            const n = whole(text, 0, SEEDS);
            if (n === null) trouble.value = "A seed is a whole number from 0 on.";
            else change({ seed: n });
          }}
        />
      </div>
    </>
  );
}

function Variant({ label }: { label: string }) {
  const { answer } = useAnswer("variants", {}, { follow: false });
  const fits = (answer?.variants ?? []).filter((v) => v.fits && !v.error);
  const [now = ""] = wanted.value.variants;
  if (fits.length === 0 && !now) return null;
  return (
    <Select
      label={label}
      value={now}
      options={[{ value: "", label: "none" }, ...fits.map(({ name }) => ({ value: name, label: name }))]}
      onCommit={(name) => change({ variants: name ? [name] : [] })}
    />
  );
}

function Errors() {
  const many = counts.value.error;
  if (many === 0) return null;
  const some = findings.value.filter(({ severity }) => severity === "error").slice(0, SHOWN);
  return (
    <div class="notice" role="note">
      <p>
        This board has {many} {many === 1 ? "error" : "errors"}, so matches would not be the game that you mean:
      </p>
      <ul>
        {some.map((finding) => (
          <li key={finding.id + finding.message}>{finding.message}</li>
        ))}
      </ul>
      <Button kind="quiet" onClick={() => showPanel("checks", true)}>
        Look at the checks
      </Button>
      <Check label="Play all the same" checked={anyway.value} onCommit={(on) => (anyway.value = on)} />
    </div>
  );
}

/** Begin what is wanted. */
export const begin = (what: What): Promise<boolean> =>
  start({ ...wanted.value, what, policies: seated(wanted.value.policies, wanted.value.players), anyway: anyway.value });

export function Setup({ what }: { what: What }) {
  const { players, rules, against } = wanted.value;
  return (
    <div class="stack setup">
      {what === "comparison" && (
        <Select
          label="Compare the board as it is now with"
          value={String(against)}
          options={moments().map((one) => (one.value === "now" ? { ...one, label: "itself, without the variant" } : one))}
          onCommit={(value) => change({ against: momentOf(value) })}
        />
      )}
      <Variant label={what === "comparison" ? "With a variant on it as it is now" : "With the variant"} />
      <div class="field-pair">
        <Select
          label="Players"
          value={String(players)}
          options={NUMBERS}
          onCommit={(value) => change({ players: Number(value), policies: seated(wanted.value.policies, Number(value)) })}
        />
        <Select label="Rules" value={rules} options={RULES} onCommit={(value) => change({ rules: value })} />
      </div>
      <Policies />
      <Length what={what} />
      <Errors />
    </div>
  );
}

/** Whether two boards mean the same, so that there is nothing to play. */
function useSame(what: What): boolean {
  const { against, variants } = wanted.value;
  const asked = { before: { at: against }, after: { at: "now", variants }, drawn: false } as const;
  const { answer } = useAnswer("compare", what === "comparison" ? asked : null, { rest: CALM });
  return answer?.same ?? false;
}

/** Run, or what runs and Stop. */
export function RunBar({ what }: { what: What }) {
  const now = running.value;
  const same = useSame(what);
  const refused = same || (counts.value.error > 0 && !anyway.value);
  return (
    <>
      <div class="bar">
        {now ? (
          <Button kind="danger" onClick={() => void stop(now.job.id)}>
            {now.stopping ? "Stop at once" : "Stop"}
          </Button>
        ) : (
          <Button kind="primary" disabled={refused} onClick={() => void begin(what)}>
            {what === "study" ? "Run" : "Compare"}
          </Button>
        )}
      </div>
      {now && (
        <div class="running">
          <progress aria-label="Play-test" max={1} {...(partOf(now) === null ? {} : { value: partOf(now) ?? 0 })} />
          <p>
            {now.asked.what === "study" ? "" : "Comparing: "}
            {progressText(now)}
          </p>
        </div>
      )}
      {same && !now && (
        <p class="hint" role="status">
          Both boards mean the same, so play on them cannot differ. Edit something, or choose another moment or a variant below.
        </p>
      )}
      {trouble.value && (
        <p class="error" role="alert">
          {trouble.value}
        </p>
      )}
    </>
  );
}
