// What to play: players, how they decide, rules, how long, and a seed.
import { effect, signal } from "@preact/signals";
import { CALM, useAnswer } from "../asked";
import { momentOf, moments } from "../compare/versions";
import { counts } from "../judging/findings";
import { showPanel } from "../shell/pane";
import { findings } from "../store";
import { Button, Check, Field, Select } from "../ui";
import { canStop, ended, newest, partOf, running, start, stop, tests, trouble, type What } from "./tests";
import { progressText } from "./words";
import type { PlayTestAsked } from "../generated";

const FEW = 1000;
const MANY = 1_000_000;
const MOST = 1_000_000_000;

/** `most` are the matches after which a run ends that is not exact enough by then. */
export type Wanted = Required<Omit<PlayTestAsked, "what" | "anyway">> & { readonly most: number };
export const wanted = signal<Wanted>({
  variants: [],
  against: "saved",
  players: 4,
  policies: ["balanced"],
  rules: "board",
  matches: FEW,
  most: MANY,
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
  const length = until === null ? { matches, most: MANY } : { matches: FEW, most: matches };
  wanted.value = { variants, against, players, policies, rules, until, seed, ...length };
});

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
  { value: "until", label: "to a precision" },
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
      {answer?.slow && <p class="hint slow">Matches are played {answer.slow}. Then start the editor again.</p>}
    </>
  );
}

function Length({ what }: { what: What }) {
  const { matches, most, until, seed } = wanted.value;
  const exact = what === "study" && until !== null;
  return (
    <>
      {what === "study" && (
        <div class="field-pair">
          <Select
            label="Play"
            value={exact ? "until" : "matches"}
            options={LENGTHS}
            onCommit={(value) => change({ until: value === "until" ? PRECISION : null })}
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
          value={exact ? most : matches}
          onCommit={(text) => {
            const n = whole(text, 1, MOST);
            if (n === null) trouble.value = "Give a number of matches from 1 to 1,000,000,000.";
            else change(exact ? { most: n } : { matches: n });
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

function Errors({ what }: { what: What }) {
  const many = counts.value.error;
  // an earlier board may have errors too, which only a run finds
  const other = what === "comparison" && newest(what)?.job.said.some((line) => line.includes("--anyway")) === true;
  if (many === 0 && !other) return null;
  const some = findings.value.filter(({ severity }) => severity === "error").slice(0, SHOWN);
  return (
    <div class="notice" role="note">
      {many > 0 ? (
        <p>
          This board has {many} {many === 1 ? "error" : "errors"}, so matches would not be the game that you mean:
        </p>
      ) : (
        <p>The board that this one is compared with has errors.</p>
      )}
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

/** Begin what is wanted; only a study knows when it is exact enough. */
export function begin(what: What): Promise<boolean> {
  const { most, ...fields } = wanted.value;
  const until = what === "study" ? fields.until : null;
  const matches = until === null ? fields.matches : most;
  return start({ ...fields, what, until, matches, policies: seated(fields.policies, fields.players), anyway: anyway.value });
}

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

const OVER: Readonly<Record<string, string>> = { done: "The play-test is done.", failed: "The play-test failed.", stopped: "The play-test was stopped." };

/** Run, or what runs and Stop. */
export function RunBar({ what }: { what: What }) {
  const now = running.value;
  const same = useSame(what);
  const refused = same || (counts.value.error > 0 && !anyway.value);
  return (
    <>
      <div class="bar">
        {now ? (
          <Button kind="danger" disabled={!canStop(now, Date.now())} onClick={() => void stop(now.job.id)}>
            {now.stopping ? "Stop at once" : "Stop"}
          </Button>
        ) : (
          <Button kind="primary" disabled={refused} onClick={() => void begin(what)}>
            {what === "study" ? "Run" : "Compare"}
          </Button>
        )}
      </div>
      {!now && <Errors what={what} />}
      <p class="unseen" role="status">
        {now ? "The play-test runs." : (ended.value && OVER[ended.value.job.state]) || ""}
      </p>
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
