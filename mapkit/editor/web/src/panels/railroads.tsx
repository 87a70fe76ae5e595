// Railroads: their table, colours that can be told apart, and the board as others see it.
import { effect } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { perform } from "../actions";
import { useAnswer } from "../asked";
import { board } from "../board";
import { newRailroad, priceOf } from "../draw/newRailroad";
import { query, run, runAll } from "../edit";
import { errorText } from "../errors";
import { PATTERNS } from "../patterns";
import { currentRailroad, select, type Item } from "../selection";
import { lines, railroads, revision, rows, segments } from "../store";
import { ask, Button, EditTable, Empty, Slider, toast, type EditColumn } from "../ui";
import { triedLooks, type Look } from "../vision/preview";
import { Swatch } from "../vision/Swatch";
import { SightSelect } from "../vision/Vision";
import type { Command, RailroadRow } from "../wire";
import type { Panel } from "./panel";
import { StationList } from "./stationList";
import type { BalanceRow as Share, ColourPair as Pair, ColoursSuggested as Suggested, Reorder } from "../generated";
import { UNKNOWN } from "../colours";

type Keyed = RailroadRow & { readonly key: string };
effect(() => {
  void triedLooks.value;
  board.restyle();
});

const named = (id: string): string => railroads.value[id]?.short ?? id;

function signed(value: number): string {
  return `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}

function Percent({ value, exact, change }: { value: number | undefined; exact: string | undefined; change: number | undefined }) {
  if (value === undefined) return <span class="soft">…</span>;
  return (
    <span title={`${exact ?? ""}${change ? `; ${signed(change)} since the last save` : ""}`}>
      {value.toFixed(2)} %{change ? <small class={change > 0 ? "more" : "less"}> {signed(change)}</small> : null}
    </span>
  );
}

const edit = (id: string, values: object): void => void run({ kind: "edit-railroad", id, ...values });

function columns(shares: ReadonlyMap<string, Share>): EditColumn<Keyed>[] {
  return [
    {
      id: "short",
      title: "Mark",
      about: "Reporting mark, as the board prints it",
      sort: (row) => row.short,
      edit: { kind: "text", value: (row) => row.short, commit: (row, short) => edit(row.key, { short }) },
    },
    {
      id: "pattern",
      title: "Pattern",
      sort: (row) => row.pattern,
      show: (row) => <Swatch colour={row.colour} pattern={row.pattern} />,
      edit: {
        kind: "choice",
        value: (row) => row.pattern,
        options: () => PATTERNS,
        commit: (row, pattern) => edit(row.key, { pattern }),
      },
    },
    {
      id: "colour",
      title: "Colour",
      show: () => null,
      sort: (row) => row.colour,
      edit: { kind: "colour", value: (row) => row.colour, commit: (row, colour) => edit(row.key, { colour }) },
    },
    {
      id: "price",
      title: "Price",
      align: "right",
      sort: (row) => row.price,
      show: (row) => row.price.toLocaleString("en-US"),
      edit: {
        kind: "number",
        value: (row) => String(row.price),
        commit: (row, text) => {
          const price = priceOf(text);
          if (price !== null) edit(row.key, { price });
        },
      },
    },
    {
      id: "service",
      title: "Service",
      about: "Chance that a destination lies on it",
      align: "right",
      sort: (row) => shares.get(row.key)?.service ?? 0,
      show: (row) => {
        const share = shares.get(row.key);
        return <Percent value={share?.service} exact={share?.service_exact} change={share?.change?.service} />;
      },
    },
    {
      id: "monopoly",
      title: "Monopoly",
      about: "Chance that a destination lies on it and on no other",
      align: "right",
      sort: (row) => shares.get(row.key)?.monopoly ?? 0,
      show: (row) => {
        const share = shares.get(row.key);
        return <Percent value={share?.monopoly} exact={share?.monopoly_exact} change={share?.change?.monopoly} />;
      },
    },
    {
      id: "public",
      title: "Public",
      about: "Owned by nobody; every player may ride it",
      sort: (row) => (row.public ? 0 : 1),
      edit: { kind: "check", value: (row) => row.public, commit: (row, on) => edit(row.key, { public: on }) },
    },
    {
      id: "name",
      title: "Name",
      sort: (row) => row.name,
      edit: { kind: "text", value: (row) => row.name, commit: (row, name) => edit(row.key, { name }) },
    },
  ];
}

function itemsOf(railroad: string): Item[] {
  return Object.entries(segments.value).flatMap(([id, s]) => (s.railroad === railroad ? [{ kind: "segment" as const, id }] : []));
}

function show(...ids: string[]): void {
  const items = ids.flatMap(itemsOf);
  if (items.length === 0) return void toast(`${ids.map(named).join(" and ")} has no line yet; draw one first.`);
  select(items);
  board.flyTo(items);
}

function drawFor(id: string): void {
  currentRailroad.value = id;
  perform("tool-line");
}

async function deleteRailroad(row: { key: string; short: string }): Promise<void> {
  const own = Object.values(lines.value).filter((line) => line.railroad === row.key).length;
  if (own > 0) {
    const text = `${own === 1 ? "Its line goes" : `Its ${own} lines go`} with it. Undo brings everything back.`;
    const buttons = [
      { id: "delete", label: "Delete", kind: "danger" as const },
      { id: "keep", label: "Keep it" },
    ];
    if ((await ask({ title: `Delete ${row.short}?`, text, buttons })) !== "delete") return;
  }
  const answer = await run({ kind: "delete-railroad", id: row.key });
  if (answer.ok && currentRailroad.value === row.key) currentRailroad.value = null;
}

function moveRow(table: Reorder["table"], key: string, by: number): void {
  const keys = rows(table).map((row) => row.key);
  const from = keys.indexOf(key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= keys.length) return;
  keys.splice(to, 0, ...keys.splice(from, 1));
  void run({ kind: "reorder", table, keys });
}

function Suggestions() {
  const [found, setFound] = useState<Suggested | null>(null);
  const [near, setNear] = useState(25);
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(true);
  const kept = currentRailroad.value;
  const open = Object.entries(found?.styles ?? {}).filter(([id, look]) => {
    const row = railroads.value[id];
    return row !== undefined && (row.colour !== look.colour || row.pattern !== look.pattern);
  });
  const shown = JSON.stringify(tried ? open : []);
  useEffect(() => {
    triedLooks.value = Object.fromEntries(tried ? open : []);
    return () => {
      triedLooks.value = {};
    };
  }, [shown]);
  const suggest = async (): Promise<void> => {
    setBusy(true);
    try {
      const answer = await query("colour-suggestions", { near });
      setFound(answer);
      if (!answer.command) toast("No colour needs to change.");
    } catch (error) {
      toast(errorText(error), "error");
    }
    setBusy(false);
  };
  const take = (taken: readonly (readonly [string, Look])[]): void => {
    const commands = taken.map(([id, look]): Command => ({ kind: "edit-railroad", id, colour: look.colour, pattern: look.pattern }));
    void runAll(`Take ${taken.length} suggested colours`, commands);
  };
  return (
    <details class="part">
      <summary>Colours that can be told apart</summary>
      <Slider label={`How far a colour may go: ${near}`} value={near} min={0} max={100} step={5} onInput={setNear} />
      <div class="bar">
        <Button onClick={() => void suggest()} disabled={busy}>
          {busy ? "Looking …" : "Suggest colours"}
        </Button>
        {open.length > 0 && (
          <>
            <Button kind="primary" onClick={() => take(open)}>
              Take all {open.length}
            </Button>
            <Button aria-pressed={tried} onClick={() => setTried(!tried)}>
              On the board
            </Button>
            <Button kind="quiet" onClick={() => setFound(null)}>
              Leave them
            </Button>
          </>
        )}
      </div>
      {open.length > 0 && (
        <ul class="suggested" aria-label="Suggested colours">
          {open.map(([id, look]) => {
            const row = railroads.value[id];
            const now = { colour: row?.colour ?? UNKNOWN, pattern: row?.pattern ?? "solid" };
            return (
              <li key={id} class={id === kept ? "current" : ""}>
                <button type="button" class="link" onClick={() => show(id)}>
                  {named(id)}
                </button>
                <Swatch {...now} label={`now ${now.colour} ${now.pattern}`} />
                <span aria-hidden="true">→</span>
                <Swatch colour={look.colour} pattern={look.pattern} label={`suggested ${look.colour} ${look.pattern}`} />
                <Button aria-label={`Take the colour for ${named(id)}`} onClick={() => take([[id, look]])}>
                  Take
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <Alike />
    </details>
  );
}

const SEEN = ["normal", "protan", "deutan", "tritan"] as const;

function Alike() {
  const { answer, error } = useAnswer("colour-distances", {});
  if (error) return <p class="error">{error}</p>;
  if (!answer) return <p class="soft">Comparing colours …</p>;
  const alike = new Set(answer.alike.map(([a, b]) => `${a}|${b}`));
  const pairs = answer.railroads.filter((pair) => alike.has(`${pair.a}|${pair.b}`) || alike.has(`${pair.b}|${pair.a}`));
  const hardest = (pair: Pair): string => `hardest with ${SEEN.find((one) => pair[one] === pair.smallest) ?? "normal"} sight`;
  return (
    <>
      <h4>Too alike</h4>
      {pairs.length === 0 ? (
        <p class="soft">No two railroads that touch look alike (limit {answer.limit}, CIEDE2000).</p>
      ) : (
        <ul class="plain" aria-label="Railroads that look alike">
          {pairs.map((pair) => (
            <li key={`${pair.a}|${pair.b}`}>
              <button type="button" class="link" onClick={() => show(pair.a, pair.b)}>
                {named(pair.a)} and {named(pair.b)}
              </button>
              <span class="soft">{hardest(pair)}</span>
              <span class="figure">{pair.smallest.toFixed(1)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Railroads() {
  const all = rows("railroads") as readonly Keyed[];
  const { answer, error } = useAnswer("balance", {});
  const shares = useMemo(() => new Map((answer?.railroads ?? []).map((share) => [share.railroad, share])), [answer]);
  const table = useMemo(() => columns(shares), [shares]);
  const current = currentRailroad.value;
  const row = current === null ? undefined : all.find((one) => one.key === current);
  void revision.value;
  return (
    <>
      <div class="bar">
        <Button kind="primary" onClick={newRailroad}>
          Add …
        </Button>
        <Button disabled={!row} onClick={() => row && void deleteRailroad(row)}>
          Delete
        </Button>
        <Button disabled={!row} aria-label="Move up" title="Move up (Alt+Up)" onClick={() => row && moveRow("railroads", row.key, -1)}>
          ↑
        </Button>
        <Button disabled={!row} aria-label="Move down" title="Move down (Alt+Down)" onClick={() => row && moveRow("railroads", row.key, 1)}>
          ↓
        </Button>
        <Button disabled={!row} onClick={() => row && show(row.key)}>
          Show on the board
        </Button>
      </div>
      <EditTable
        caption="Railroads"
        rows={all}
        columns={table}
        rowKey={(one) => one.key}
        name={(one) => one.short}
        current={current}
        onCurrent={(key) => (currentRailroad.value = key)}
        onDelete={(one) => void deleteRailroad(one)}
        onMove={(one, by) => moveRow("railroads", one.key, by)}
        menu={(one) => [
          { id: "row-show", label: `Show ${one.short} on the board`, run: () => show(one.key) },
          { id: "row-draw", label: `Draw a line of ${one.short}`, run: () => drawFor(one.key) },
        ]}
        empty={
          <Empty title="No railroads yet">
            <p>Add one, then draw its lines on the board.</p>
          </Empty>
        }
      />
      {row && (
        <p class="soft" role="status">
          Drawing tools work on {row.name}. Enter or a double click changes a cell.
        </p>
      )}
      {row && <StationList key={row.key} railroad={row.key} name={row.name} />}
      {error && <p class="error">{error}</p>}
      <SightSelect />
      <Suggestions />
    </>
  );
}

export { moveRow };
export const railroadsPanel: Panel = { id: "railroads", title: "Railroads", tab: "Table", keys: ["Alt+R"], component: Railroads };
