// The cards as pictures: a click chooses the row of a card; while comparing, only what is not as it was saved.
import { useEffect, useRef } from "preact/hooks";
import { Empty, Select } from "../ui";
import { cellText } from "../tabled/document";
import { currentSpace, goToRow, TITLES } from "./spaces";
import { before, changedRows, isCurrent, look, pairs, pictures, trouble, urlOf, view } from "./store";
import type { ChangedRow, Pair, Pictured } from "./wire";

const options = (values: readonly string[]): { value: string; label: string }[] => values.map((value) => ({ value, label: value }));

export function LookBar() {
  const at = look.value;
  return (
    <div class="bar look" role="group" aria-label="How cards look">
      <Select label="Theme" value={at.theme} options={options(view.value?.themes ?? [at.theme])} onCommit={(theme) => (look.value = { ...at, theme })} />
      <Select label="Size" value={at.size} options={options(view.value?.sizes ?? [at.size])} onCommit={(size) => (look.value = { ...at, size })} />
      <Select label="Language" value={at.language} options={options(view.value?.languages ?? [at.language])} onCommit={(language) => (look.value = { ...at, language })} />
    </div>
  );
}

function Card({ one }: { one: Pictured }) {
  const button = useRef<HTMLButtonElement>(null);
  const on = isCurrent(one.rows);
  useEffect(() => {
    if (on && !one.wide) button.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [on]);
  const name = one.count > 1 ? `${one.title}, ${one.count} of them` : one.title;
  const picture = (
    <>
      <img src={urlOf(one.svg)} alt="" />
      <span class="caption">
        {one.title}
        {one.count > 1 && <b> × {one.count}</b>}
      </span>
    </>
  );
  const first = one.wide ? undefined : one.rows.at(-1);
  if (!first)
    return (
      <figure class={`card-picture ${one.sort}`} aria-label={name}>
        {picture}
      </figure>
    );
  return (
    <button ref={button} type="button" class={`card-picture ${one.sort}`} aria-pressed={on} aria-label={name} onClick={() => goToRow(first[0], first[1])}>
      {picture}
    </button>
  );
}

function Side({ one, said }: { one: Pictured | null; said: string }) {
  if (!one) return <span class="card-picture none">{said}</span>;
  return (
    <span class={`card-picture ${one.sort}`}>
      <img src={urlOf(one.svg)} alt={`${one.title}, ${said}`} />
      <span class="caption">
        {said}
        {one.count > 1 && ` × ${one.count}`}
      </span>
    </span>
  );
}

function ChangedPair({ pair }: { pair: Pair }) {
  const name = !pair.before ? `${pair.title}: new` : !pair.after ? `${pair.title}: gone` : pair.title;
  return (
    <li class="pair">
      <h3>{name}</h3>
      <div>
        <Side one={pair.before} said={pair.before ? "saved" : "not there yet"} />
        <span aria-hidden="true">→</span>
        <Side one={pair.after} said={pair.after ? "now" : "removed"} />
      </div>
    </li>
  );
}

function saidOf({ before: was, after: now }: ChangedRow): string {
  if (!was) return "new";
  if (!now) return "removed";
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter((name) => cellText(was[name]) !== cellText(now[name]));
  return names.map((name) => (name === "rank" ? "moved" : `${name.replaceAll("_", " ")} ${cellText(was[name]) || "empty"} → ${cellText(now[name]) || "empty"}`)).join("; ");
}

/** What is not as it was saved: rows, and cards before and after. */
export function Comparison() {
  const [rows, cards] = [changedRows.value, pairs.value];
  if (rows.length === 0 && cards.length === 0)
    return (
      <Empty title="Nothing has changed">
        <p>The game is as it was saved. What you change from now on stands here, as rows and as cards before and after.</p>
      </Empty>
    );
  return (
    <div class="comparison">
      <section aria-label="Changed rows">
        <h2>Changed rows</h2>
        <ul class="plain">
          {rows.map((one) => (
            <li key={`${one.table} ${one.key}`}>
              <button type="button" class="link" disabled={!one.after} onClick={() => goToRow(one.table, one.key)}>
                {TITLES[one.table] ?? one.table}: {one.key}
              </button>
              <span>{saidOf(one)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Changed cards">
        <h2>Changed cards</h2>
        {cards.length === 0 && <p class="hint">No card looks different.</p>}
        <ul>
          {cards.map((pair) => (
            <ChangedPair key={pair.id} pair={pair} />
          ))}
        </ul>
      </section>
    </div>
  );
}

export function Gallery() {
  const { sorts } = currentSpace.value;
  const shown = pictures.value.filter((one) => sorts.includes(one.sort));
  return (
    <section class="gallery" aria-label="Cards">
      <LookBar />
      {trouble.value && <p role="alert">{trouble.value}</p>}
      {before.value ? (
        <Comparison />
      ) : shown.length === 0 ? (
        <Empty title="No cards yet">
          <p>Each row of the tables becomes a card here as soon as it is complete.</p>
        </Empty>
      ) : (
        <div class="cards">
          {shown.map((one) => (
            <Card key={one.id} one={one} />
          ))}
        </div>
      )}
    </section>
  );
}
