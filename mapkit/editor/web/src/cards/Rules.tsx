// The rules as settings: each with the row of the printed rules that it is from.
import type { JsonValue } from "../generated";
import { Button, Check, Field, Select } from "../ui";
import { asTitle } from "../names";
import { cellText } from "../tabled/document";
import { board, tables, view } from "./store";
import type { RuleView } from "./wire";

const TITLES: Readonly<Record<string, string>> = {
  setup: "Before the first round",
  limits: "What may be held",
  market: "Shares",
  rounds: "Rounds and the end",
  operating: "Operating rounds",
  disputes: "Where the printed rules contradict themselves",
};

const title = (key: string): string => asTitle(key.split(".").at(-1) ?? key);
const valueOf = (rule: RuleView): JsonValue => tables.value["settings"]?.[rule.key]?.["value"] ?? rule.default;
const set = (rule: RuleView, value: JsonValue): void => void board.run({ kind: "set-settings", values: { [rule.key]: value === rule.default ? null : value } });

/** What each value of a list means; the one that holds stands out. */
function Meanings({ rule, now }: { rule: RuleView; now: string }) {
  if (!rule.options.some((one) => one.about)) return null;
  return (
    <dl class="meanings">
      {rule.options.map(({ value, about }) => (
        <div key={value} class={value === now ? "now" : ""}>
          <dt>{value}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  );
}

function Rule({ rule }: { rule: RuleView }) {
  const now = valueOf(rule);
  const own = now !== rule.default;
  const control =
    rule.kind === "check" ? (
      <Check label={title(rule.key)} checked={now === true} onCommit={(on) => set(rule, on)} />
    ) : rule.kind === "choice" ? (
      <Select label={title(rule.key)} value={cellText(now)} options={rule.options.map(({ value }) => ({ value, label: value }))} onCommit={(to) => set(rule, typeof rule.default === "number" ? Number(to) : to)} />
    ) : (
      <Field
        label={title(rule.key)}
        type="number"
        value={cellText(now)}
        {...(rule.low === null ? {} : { min: rule.low })}
        {...(rule.high === null ? {} : { max: rule.high })}
        onCommit={(text) => set(rule, text.trim() === "" ? rule.default : Number(text))}
      />
    );
  return (
    <li class={own ? "rule own" : "rule"}>
      {control}
      <p class="hint">{rule.about}</p>
      <Meanings rule={rule} now={cellText(now)} />
      {own && (
        <Button kind="quiet" onClick={() => set(rule, rule.default)}>
          Back to {cellText(rule.default)}
        </Button>
      )}
    </li>
  );
}

function Head() {
  const text = (key: string): string => cellText(tables.value["settings"]?.[key]?.["value"]);
  const put = (key: string, value: JsonValue): void => void board.run({ kind: "set-settings", values: { [key]: value === "" || value === false ? null : value } });
  return (
    <section class="rule-group" aria-label="The game">
      <h2>The game</h2>
      <ul>
        <li class="rule">
          <Field label="Title" value={text("title")} onCommit={(value) => put("title", value)} />
        </li>
        <li class="rule">
          <Field label="Description" value={text("description")} onCommit={(value) => put("description", value)} />
        </li>
        <li class="rule">
          <Check label="Share values are an example" checked={text("example_track") === "true"} onCommit={(on) => put("example_track", on)} />
          <p class="hint">The track then says so wherever it is printed.</p>
        </li>
      </ul>
    </section>
  );
}

export function Rules() {
  const rules = view.value?.rules ?? [];
  const groups = [...new Set(rules.map((rule) => rule.group))];
  return (
    <section class="rules-space" aria-label="Rules">
      <div class="columns">
      <Head />
      {groups.map((group) => (
        <section key={group} class="rule-group" aria-label={TITLES[group] ?? group}>
          <h2>{TITLES[group] ?? group}</h2>
          <ul>
            {rules
              .filter((rule) => rule.group === group)
              .map((rule) => (
                <Rule key={rule.key} rule={rule} />
              ))}
          </ul>
        </section>
      ))}
      </div>
    </section>
  );
}
