// The rules of the game, from Python's models: options with what they switch on and exclude, every setting, and the
// rule sheet beside with what changed.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../asked";
import { query, run } from "../edit";
import { cramped } from "../shell/room";
import { hideSheet, sheetShown, showSheet } from "../shell/Sheet";
import { history } from "../store";
import { ask, Button, Check, Empty, Field, FormDialog, openDialog, Select, TextArea, toast } from "../ui";
import type { Answer, JsonValue } from "../wire";
import type { Panel } from "./panel";
import type { EditRules, Group, GroupsSetting, HouseRule, MarkedText as Point, RulesFound, ShownOption as Option, WordsSetting } from "../generated";

type Setting = RulesFound["groups"][number]["settings"][number];
type Changing = Omit<EditRules, "kind">;

const SHEET = { id: "rule-sheet", title: "Rule sheet", component: RuleSheet };
/** What changes are marked against: "saved", "preset", or the number of a step. */
const against = signal("saved");
const wanted = signal(true);

const change = (fields: Changing): Promise<Answer> => run({ kind: "edit-rules", ...fields });

function useRules() {
  void history.value.saved;
  const since = against.value;
  return useAnswer("rules", { against: since === "saved" || since === "preset" ? since : Number(since) });
}

function Ids({ ids, titles }: { ids: readonly string[]; titles: Readonly<Record<string, string>> }) {
  return (
    <span class="rule-ids">
      {ids.map((id) => (
        <abbr key={id} title={titles[id] ?? id}>
          {id}
        </abbr>
      ))}
    </span>
  );
}

/** Switch an option; where it is refused, say why and offer what would make it possible. */
async function toggle(option: Option, all: readonly Option[]): Promise<void> {
  if (option.on) {
    if (option.refused === null) return void (await change({ off: [option.id] }));
    const other = all.filter((o) => !o.on && option.excludes.some((e) => e.id === o.id));
    const taken = await ask({
      title: `${option.id} stays on`,
      text: option.refused,
      buttons: other.slice(0, 4).map((o) => ({ id: o.id, label: `Switch ${o.id} on` })),
    });
    if (taken) await change({ on: [taken] });
    return;
  }
  if (option.refused === null) return void (await change({ on: [option.id] }));
  const off = all.filter((o) => o.on && !o.preset && option.excludes.some((e) => e.id === o.id)).map((o) => o.id);
  const on = option.needs.filter((id) => !all.find((o) => o.id === id)?.on);
  const fields = { off, on: [...on, option.id] };
  const helps = off.length + on.length > 0 && (await possible(fields));
  const also = [...off.map((id) => `${id} off`), ...on.map((id) => `${id} on`)].join(", ");
  const taken = await ask({
    title: `${option.id} does not go with the other rules`,
    text: sentence(option.refused),
    buttons: helps ? [{ id: "both", label: `Switch it on, and ${also}`, kind: "primary" as const }, { id: "", label: "Leave it off" }] : [{ id: "", label: "Leave it off" }],
  });
  if (taken === "both") await change(fields);
}

async function possible(fields: Changing): Promise<boolean> {
  const tried = await query("rules-try", { change: { kind: "edit-rules", ...fields } });
  return tried.refused === null;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function OptionRow({ option, all, titles }: { option: Option; all: readonly Option[]; titles: Readonly<Record<string, string>> }) {
  const clash = option.excludes.filter((e) => all.find((o) => o.id === e.id)?.on);
  return (
    <li class={`rule-option${option.changed ? " changed" : ""}`}>
      <Check label={option.title} checked={option.on} onCommit={() => void toggle(option, all)} />
      <details>
        <summary>
          <code>{option.id}</code> <Ids ids={option.rows} titles={titles} />
          {option.preset && <span class="mark quiet">in the preset</span>}
          {option.changed && <span class="mark">changed</span>}
          {!option.on && option.refused && <span class="mark quiet">not with these rules</span>}
        </summary>
        <dl>
          {option.includes.length > 0 && (
            <>
              <dt>Switches on</dt>
              <dd>{option.includes.join(", ")}</dd>
            </>
          )}
          {option.sets.length > 0 && (
            <>
              <dt>Sets</dt>
              <dd>{option.sets.join("; ")}</dd>
            </>
          )}
          {option.needs.length > 0 && (
            <>
              <dt>Needs</dt>
              <dd>{option.needs.join(", ")}</dd>
            </>
          )}
          {option.excludes.length > 0 && (
            <>
              <dt>Not with</dt>
              <dd>
                {option.excludes.map((e) => e.id).join(", ")}
                {clash.length > 0 && !option.on ? ` (${clash.map((e) => e.id).join(", ")} on now)` : ""}
              </dd>
            </>
          )}
          {option.refused && (
            <>
              <dt>{option.on ? "To switch off" : "Why not"}</dt>
              <dd>{sentence(option.refused)}</dd>
            </>
          )}
        </dl>
      </details>
      {option.on && option.amount !== null && (
        <Field
          label={`Amount of ${option.id}`}
          type="number"
          min={1}
          value={option.amount}
          onCommit={(text) => void change({ on: [`${option.id}=${Math.round(Number(text))}`] })}
        />
      )}
    </li>
  );
}

function Groups({ setting }: { setting: GroupsSetting }) {
  const groups = setting.value ?? [];
  const put = (next: readonly Group[]): void => void change({ values: { [setting.path]: next.map(({ name, members, price }) => ({ name, members, price })) } });
  const edit = (at: number, one: Partial<Group>): void => put(groups.map((g, i) => (i === at ? { ...g, ...one } : g)));
  return (
    <div class="rule-groups">
      <p>{setting.matter}</p>
      {groups.map((group, at) => (
        <fieldset class="boxed" key={at}>
          <legend>{group.name}</legend>
          <Field label="Name" value={group.name} onCommit={(name) => edit(at, { name })} />
          <Field label="Price" type="number" min={0} value={group.price} onCommit={(text) => edit(at, { price: Number(text) })} />
          <Field
            label="Railroads, ids with commas"
            value={group.members.join(", ")}
            onCommit={(text) => edit(at, { members: text.split(",").map((id) => id.trim()).filter(Boolean) })}
          />
          <Button onClick={() => put(groups.filter((_, i) => i !== at))}>Remove {group.name}</Button>
        </fieldset>
      ))}
    </div>
  );
}

/** House rules in the author's words. */
function HouseRules({ setting }: { setting: WordsSetting }) {
  const words = setting.value ?? [];
  const put = (next: readonly HouseRule[]): void => void change({ values: { [setting.path]: next.length > 0 ? next.map(({ title, text }) => ({ title, text })) : null } });
  const edit = (at: number, one: Partial<HouseRule>): void => put(words.map((w, i) => (i === at ? { ...w, ...one } : w)));
  const move = (at: number, by: number): void => {
    const next = [...words];
    next.splice(at + by, 0, ...next.splice(at, 1));
    put(next);
  };
  return (
    <section class="rule-groups" aria-label="House rules">
      <h3>House rules</h3>
      <p class="hint">Rules that no setting says, in your own words. They stand on the rule sheet and in the board file; no program plays by them.</p>
      {words.map((rule, at) => (
        <fieldset class="boxed" key={at}>
          <legend>{rule.title}</legend>
          <Field label="Title" value={rule.title} onCommit={(title) => edit(at, { title })} />
          <TextArea label="Text" value={rule.text} rows={4} onCommit={(text) => edit(at, { text })} />
          <div class="bar">
            <Button disabled={at === 0} onClick={() => move(at, -1)}>
              Up
            </Button>
            <Button disabled={at === words.length - 1} onClick={() => move(at, 1)}>
              Down
            </Button>
            <Button onClick={() => put(words.filter((_, i) => i !== at))}>Remove {rule.title}</Button>
          </div>
        </fieldset>
      ))}
      {setting.before !== null && <p class="mark">was {setting.before}</p>}
      <Button onClick={() => addHouseRule(words, put)}>Add a house rule …</Button>
    </section>
  );
}

function addHouseRule(words: readonly HouseRule[], put: (next: readonly HouseRule[]) => void): void {
  let [title, text] = ["", ""];
  openDialog((close) => (
    <FormDialog
      title="New house rule"
      done="Add it"
      onClose={close}
      onDone={() => {
        if (!title.trim() || !text.trim()) return void toast("Type a title and a text first.", "error");
        if (words.some((rule) => rule.title === title.trim())) return void toast(`There is a house rule ${title.trim()} already; choose another title.`, "error");
        put([...words, { title: title.trim(), text: text.trim() }]);
        close();
      }}
    >
      <Field label="Title" value="" autoFocus onInput={(typed) => (title = typed)} />
      <TextArea label="Text" value="" rows={5} onInput={(typed) => (text = typed)} />
    </FormDialog>
  ));
}

function Value({ setting }: { setting: Setting }) {
  const { path, matter } = setting;
  const hint = setting.about;
  const set = (to: JsonValue): void => void change({ values: { [path]: to } });
  if (setting.kind === "flag")
    return (
      <Select
        label={matter}
        hint={hint}
        value={String(setting.value)}
        options={[
          { value: "true", label: setting.words_on },
          { value: "false", label: setting.words_off },
        ]}
        onCommit={(text) => set(text === "true")}
      />
    );
  if (setting.kind === "choice")
    return (
      <Select
        label={matter}
        hint={hint}
        value={String(setting.value)}
        options={setting.choices.map((c) => ({ value: String(c.value), label: c.words }))}
        onCommit={(text) => set(setting.choices.find((c) => String(c.value) === text)?.value ?? null)}
      />
    );
  if (setting.kind === "number")
    return (
      <Field
        label={matter}
        hint={hint}
        type="number"
        value={setting.value}
        {...(typeof setting.low === "number" ? { min: setting.low } : {})}
        {...(typeof setting.high === "number" ? { max: setting.high } : {})}
        onCommit={(text) => set(text === "" ? null : Number(text))}
      />
    );
  if (setting.kind === "table") {
    const cells = setting.value;
    return (
      <fieldset class="boxed rule-table">
        <legend>{matter}</legend>
        {setting.cells.map((cell) => (
          <Field
            key={cell}
            label={`${cell} players`}
            type="number"
            min={0}
            value={cells[cell] ?? null}
            onCommit={(text) => void change({ values: { [`${path}.${cell}`]: text === "" ? null : Number(text) } })}
          />
        ))}
        <p class="hint">{hint}</p>
      </fieldset>
    );
  }
  return setting.kind === "groups" ? <Groups setting={setting} /> : null;
}

function SettingRow({ setting, titles }: { setting: Setting; titles: Readonly<Record<string, string>> }) {
  const own = JSON.stringify(setting.value) !== JSON.stringify(setting.usual);
  const back = (): void => {
    const values = setting.kind === "table" ? Object.fromEntries(setting.cells.map((c) => [`${setting.path}.${c}`, null])) : { [setting.path]: null };
    void change({ values });
  };
  return (
    <li class={setting.before !== null ? "changed" : ""}>
      <Value setting={setting} />
      <p class="rule-note">
        <Ids ids={setting.rows} titles={titles} />
        {setting.disagreement && <span class="mark quiet">{setting.disagreement}</span>}
        {setting.before !== null && <span class="mark">was {setting.before}</span>}
        {setting.open && <span class="mark quiet" title={setting.open}>left open by the printed rules</span>}
        {own && (
          <button type="button" class="link" onClick={back} aria-label={`${setting.matter}: back to the preset's ${setting.usual_words}`}>
            back to {setting.usual_words}
          </button>
        )}
      </p>
    </li>
  );
}

const hits = (needle: string, ...texts: readonly string[]): boolean => {
  const words = needle.toLowerCase().split(/\s+/).filter(Boolean);
  const text = texts.join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
};

function Rules() {
  const { answer, error } = useRules();
  const [needle, setNeedle] = useState("");
  const [onlyOn, setOnlyOn] = useState(false);
  useEffect(() => {
    if (wanted.value && !cramped.value) showSheet(SHEET);
    return () => hideSheet(SHEET.id);
  }, []);
  if (error) return <Empty title="The rules cannot be read"><p>{error}</p></Empty>;
  if (!answer) return <p class="hint">Reading the rules …</p>;
  const options = answer.options.filter(
    (o) => (!onlyOn || o.on || o.changed) && hits(needle, o.id, o.title, o.rows.join(" "), o.sets.join(" ")),
  );
  const shown = sheetShown(SHEET.id);
  const words = answer.groups.flatMap((group) => group.settings).find((s) => s.kind === "words");
  return (
    <>
      {answer.problems.map((text) => (
        <p class="error" key={text}>
          {text}
        </p>
      ))}
      <Select
        label="Preset"
        value={answer.preset}
        options={answer.presets.map((p) => ({ value: p.id, label: p.title }))}
        onCommit={(preset) => void change({ preset })}
      />
      <div class="bar">
        <Button
          aria-pressed={shown}
          onClick={() => {
            wanted.value = !shown;
            if (shown) hideSheet(SHEET.id);
            else showSheet(SHEET);
          }}
        >
          Rule sheet
        </Button>
      </div>
      <p class="hint" role="status">
        {answer.changes.length === 0
          ? "Nothing differs from what is marked against."
          : `${answer.changes.length} ${answer.changes.length === 1 ? "setting differs" : "settings differ"}: ${answer.changes.slice(0, 3).map((c) => `${c.matter}: ${c.a} → ${c.b}`).join("; ")}${answer.changes.length > 3 ? " …" : ""}`}
      </p>
      <Field label="Find an option or setting" type="search" value={needle} placeholder="fee, RB-F03, auction …" onInput={setNeedle} />
      <Check label="Only what is on or changed" checked={onlyOn} onCommit={setOnlyOn} />
      <section>
        <h3>Options</h3>
        <ul class="rule-options">
          {options.map((option) => (
            <OptionRow key={option.id} option={option} all={answer.options} titles={answer.rows} />
          ))}
        </ul>
        {options.length === 0 && <p class="hint">No option fits.</p>}
      </section>
      {words && hits(needle, "house rules own words", ...(words.value ?? []).flatMap(({ title, text }) => [title, text])) && <HouseRules setting={words} />}
      <section>
        <h3>Single settings</h3>
        {answer.groups.map((group) => {
          const settings = group.settings.filter(
            (s) =>
              s.kind !== "words" &&
              (!onlyOn || s.before !== null || JSON.stringify(s.value) !== JSON.stringify(s.usual)) &&
              hits(needle, s.path, s.matter, s.about, s.rows.join(" "), s.disagreement),
          );
          if (settings.length === 0) return null;
          return (
            <details key={group.id} open={needle !== "" || onlyOn}>
              <summary>{group.about}</summary>
              <ul class="rule-settings">
                {settings.map((setting) => (
                  <SettingRow key={setting.path} setting={setting} titles={answer.rows} />
                ))}
              </ul>
            </details>
          );
        })}
      </section>
    </>
  );
}

function Points({ points, numbered }: { points: readonly Point[]; numbered: boolean }) {
  const items = points.map((point, i) => (
    <li key={`${i}${point.mark}`} class={point.mark}>
      {point.mark === "new" ? <ins>{point.text}</ins> : point.mark === "gone" ? <del>{point.text}</del> : point.text}
    </li>
  ));
  return numbered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function RuleSheet() {
  const { answer, error } = useRules();
  if (error) return <p class="error">{error}</p>;
  if (!answer) return <p class="hint">Writing the rule sheet …</p>;
  const { sheet } = answer;
  const steps = history.value.steps.filter((step) => step.checkpoints.length > 0);
  return (
    <div class="rule-sheet">
      <div class="bar">
        <Select
          label="Mark what changed since"
          value={against.value}
          options={[
            { value: "saved", label: "the last save" },
            { value: "preset", label: "the plain preset" },
            { value: "0", label: "the start of the history" },
            ...steps.map((step) => ({ value: String(step.n), label: `checkpoint ${step.checkpoints.join(", ")}` })),
          ]}
          onCommit={(value) => (against.value = value)}
        />
      </div>
      <article tabIndex={0} aria-label="Rule sheet">
        <div class="columns">
        <h3>{sheet.title}</h3>
        <p>
          {sheet.rule_set}
          {sheet.options.length > 0 && " with:"}
        </p>
        {sheet.options.length > 0 && <Points points={sheet.options} numbered={false} />}
        {sheet.sections.map((section) => (
          <section key={section.title}>
            <h4>{section.title}</h4>
            <Points points={section.points} numbered={section.numbered} />
          </section>
        ))}
        {sheet.open.map((note) => (
          <p class="hint" key={note}>{note}</p>
        ))}
        </div>
      </article>
    </div>
  );
}


export const rulesPanel: Panel = { id: "rules", title: "Rules", keys: ["Alt+W"], component: Rules };
