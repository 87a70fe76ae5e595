import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { CHANGES, heat, heats, NONE, tint } from "../src/board/tint";
import { changeTint, incomeTint, onBoard, useTint } from "../src/playtesting/onBoard";
import { seated } from "../src/playtesting/Setup";
import { canStop, choose, comparison, done, isOver, look, partOf, running, start, stop, study, tests, trouble } from "../src/playtesting/tests";
import { changeText, failureLines, inParts, isApart, listedText, matchesText, number, progressText, shareText, sinceText, valueText, verdict } from "../src/playtesting/words";
import { mileposts, segments } from "../src/store";
import { showBoard } from "./board";
import type { ComparisonComparison as Comparison, FigureDifference, Mean, PlayTestState, Share, Study } from "../src/generated";

const share = (share: number, half: number, of = 100): Share => ({ share, low: share - half, high: share + half, of });
const mean = (mean: number, half = 1): Mean => ({ mean, low: mean - half, high: mean + half, deviation: 1, of: 100 });
const asked: PlayTestState["asked"] = {
  what: "study", variants: [], against: "saved", players: 4, policies: ["balanced"], rules: "board", matches: 1000, until: null, seed: 1, anyway: false,
};
const state = (id: string, of: PlayTestState["job"]["state"], more: Partial<PlayTestState> = {}): PlayTestState => ({
  asked, revision: 7, far: null, stopping: false, early: false, result: "mymap-study.json",
  job: { id, state: of, stage: "", said: [], files: [] },
  ...more,
});
const difference = (figure: string, change: number, half: number, more: Partial<FigureDifference> = {}): FigureDifference => ({
  part: "match", id: "", figure, a: 1, b: 1 + change, difference: change, low: change - half, high: change + half, saving: 2, ...more,
});
const found = (figures: FigureDifference[], more: Partial<Comparison> = {}): Comparison => {
  const played = { board: "mymap", variants: [], preset: "ah", options: [], seed: 1 };
  return { a: played, b: played, policies: [], players: 4, matches: 1000, chance: 0.34, different: false, figures, panel: [], ...more };
};
const railroad = (id: string, income: number): Study["railroads"][number] => ({
  railroad: id, short: id, price: 1, first: share(0.2, 0.1), sell_out: share(0.2, 0.1), end: share(0.2, 0.1), income: mean(income), steps: 1,
});
const studied: Study = {
  board: "mymap", variants: [], preset: "ah", options: [], seed: 1, matches: 1000, players: [], seats: [], rounds: mean(20), sold_out: share(1, 0),
  lead_changes: mean(19), last_doubt: mean(0.7), hopeless: mean(0.2), wealth: [], starts: [], styles: [], panel: [],
  railroads: [railroad("pa", 6000), railroad("bo", 0)], holdings: [],
  segments: [{ id: "pa--albany--boston", times: 12 }, { id: "bo--troy--utica", times: 1 }], cities: [{ id: "albany", times: 4 }, { id: "rensselaer", times: 2 }, { id: "boston", times: 1 }],
};

test("figures come with half of their interval, and what rounds to 0 has no sign", () => {
  assert.equal(shareText(share(0.4423, 0.014)), "44.2 ±1.4");
  assert.equal(shareText(share(0, 1, 0)), "–");
  assert.equal(number(-0.001, 2), "0.00");
  assert.equal(matchesText(1), "1 match");
  assert.equal(changeText(difference("rounds", -0.82, 0.21)), "-0.82 ±0.21");
  assert.equal(changeText(difference("wins", 0.0312, 0.01)), "+3.12 % ±1.00");
  assert.equal(valueText(difference("fees", 0, 0), 12345.6), "12,346");
});

test("results say of which revision they are", () => {
  assert.equal(sinceText({ revision: 7 }, 7), "Of the board as it is now, revision 7.");
  assert.equal(sinceText({ revision: 7 }, 8), "Of revision 7: 1 edit since.");
  assert.equal(sinceText({ revision: 7 }, 10), "Of revision 7: 3 edits since.");
});

test("earlier results are told apart", () => {
  assert.equal(listedText(state("a", "done")), "Revision 7, 1,000 matches, 4 players, seed 1");
  const more = { ...asked, until: 0.005, rules: "ici" as const, variants: ["short"], players: 2 };
  assert.equal(listedText(state("a", "done", { asked: more })), "Revision 7, to ±0.50 points, 2 players, rules ici, short, seed 1");
});

test("a run says how far it is", () => {
  const far = { done: 300, end: 1000, left: 65 };
  const one = state("a", "running", { far });
  assert.equal(progressText(one), "300 of 1,000 matches, 1:05 left");
  assert.equal(partOf(one), 0.3);
  assert.equal(progressText({ ...one, far: { ...far, left: 0 } }), "300 of 1,000 matches");
  assert.equal(progressText({ ...one, stopping: true }), "Stopping: what is played is kept …");
  assert.equal(progressText({ ...one, far: null, job: { ...one.job, stage: "checking" } }), "Checking …");
  assert.equal(progressText(state("a", "waiting")), "Waiting for other work to end …");
  assert.equal(partOf(state("a", "running")), null);
});

test("a failure is said without options of the command line", () => {
  assert.deepEqual(failureLines(["mymap: errors found: 1; correct them, or play all the same with --anyway", "Albany: P02"]), [
    "mymap: errors found: 1; correct them, or play all the same", "Albany: P02",
  ]);
  assert.equal(failureLines([]).length, 1);
});

test("it is said plainly whether play differs", () => {
  const nothing = found([difference("rounds", 0, 0), difference("fees", 0, 0)], { chance: 1 });
  assert.equal(verdict(nothing).kind, "same");
  const open = verdict(found([difference("rounds", 0.1, 0.4)]));
  assert.deepEqual([open.kind, open.text], ["open", "Two play-tests of one board differ by as much in 34 % of cases. Four times as many matches halve the intervals."]);
  assert.match(verdict(found([difference("rounds", 0.1, 0.4)], { matches: 5, chance: 1 })).text, /5 matches are too few/);
  const sure = verdict(found([difference("rounds", 0.9, 0.4)], { chance: 1e-9, different: true }));
  assert.deepEqual([sure.kind, sure.title, sure.text], ["different", "Play differs", "Two play-tests of one board differ by as much in less than 0.01 % of cases."]);
});

test("of railroads the clearest differences stand first", () => {
  const of = (id: string, change: number, half: number) => difference("fees", change, half, { part: "railroad", id });
  const { match, railroads } = inParts(found([difference("rounds", 1, 2), of("bo", 5, 10), of("pa", 20, 10), of("erie", 0, 0)]), 2);
  assert.deepEqual([match.length, railroads.map(({ id }) => id)], [1, ["pa", "bo"]]);
  assert.deepEqual(railroads.map(isApart), [true, false]);
});

test("each seat keeps its player when their number changes", () => {
  assert.deepEqual(seated(["balanced"], 5), ["balanced"]);
  assert.deepEqual(seated(["balanced", "naive"], 3), ["balanced", "naive", "naive"]);
  assert.deepEqual(seated(["a", "b", "c"], 2), ["a", "b"]);
});

test("the most is the last colour, and nothing has none", () => {
  for (const colours of [heats(false), heats(true)]) {
    assert.equal(heat(colours, 12, 12), colours.at(-1));
    assert.equal(heat(colours, 1, 12), colours[0]);
    assert.equal(heat(colours, 0, 12), NONE);
    assert.equal(heat(colours, 0, 0), NONE);
  }
});

test("the board has the colours of use, where twins add up, or of income", () => {
  showBoard();
  const posts = { ...mileposts.value, albany: { ...mileposts.value["albany"]!, cities: ["albany", "rensselaer"] }, boston: { ...mileposts.value["boston"]!, cities: ["boston"] } };
  const colours = heats(false);
  const use = useTint(studied, posts, colours);
  assert.deepEqual([use.mileposts["albany"]?.colour, use.mileposts["boston"]?.colour, use.mileposts["york"]], [colours.at(-1), colours[1], undefined]);
  assert.deepEqual(use.segments["pa--albany--boston"], { colour: colours.at(-1), note: "ridden 12.00 times a match" });
  assert.equal(use.segments["bo--troy--utica"]?.colour, colours[0]);
  assert.equal(use.steps.at(-1)?.label, "10 – 12, 5.0 – 6.0");
  const segment = { railroad: "pa", a: "albany", b: "boston", path: [], miles: 1 };
  const income = incomeTint(studied, { one: segment, two: { ...segment, railroad: "bo" } }, colours);
  assert.deepEqual(income.segments, { one: { colour: colours.at(-1), note: "$6,000 a match" }, two: { colour: NONE, note: "$0 a match" } });
  assert.equal(income.steps[0]?.label, "$0 – $1,000");
});

test("the board has the colours of what changed, where that is told apart", () => {
  const segment = { railroad: "pa", a: "albany", b: "boston", path: [], miles: 1 };
  const track = { one: segment, two: { ...segment, railroad: "bo" }, three: { ...segment, railroad: "erie" }, four: { ...segment, railroad: "new" } };
  const of = (id: string, change: number, half: number) => difference("fees", change, half, { part: "railroad", id });
  const change = changeTint(found([of("pa", -800, 100), of("bo", 300, 100), of("erie", 50, 100)]), track);
  assert.deepEqual(Object.values(change.segments).map(({ colour }) => colour), [CHANGES[0], CHANGES[2], NONE, NONE]);
  assert.deepEqual(Object.values(change.segments).map(({ note }) => note), ["-$800 a match", "+$300 a match", "no change told apart", "only on one of the boards"]);
  assert.equal(change.steps[3]?.label, "+$400 – +$800");
  assert.deepEqual(changeTint(found([of("pa", 50, 100)]), track).steps, []);
});

const replies: { at: string; reply: unknown }[] = [];
const seen: string[] = [];
beforeEach(() => {
  replies.length = seen.length = 0;
  tests.value = [];
  globalThis.fetch = ((address: string, init: RequestInit = {}) => {
    const at = `${init.method ?? "GET"} ${address}`;
    seen.push(at);
    const next = replies.findIndex((one) => one.at === at);
    const [given] = next < 0 ? [] : replies.splice(next, 1);
    return Promise.resolve(new Response(JSON.stringify(given?.reply ?? { message: "no" }), { status: given ? 200 : 400 }));
  }) as typeof fetch;
});

test("a play-test is begun, followed, stopped, and its figures fetched once", async () => {
  await look();
  replies.push({ at: "POST /api/playtests", reply: state("a", "running") });
  assert.equal(await start({ what: "study" }), true);
  assert.equal(running.value?.job.id, "a");
  replies.push({ at: "DELETE /api/playtests/a", reply: state("a", "running", { stopping: true }) });
  replies.push({ at: "GET /api/playtests", reply: { tests: [state("a", "done")] } });
  replies.push({ at: "GET /api/playtests/a/study", reply: studied });
  assert.equal(canStop(state("a", "running"), Date.now()), true);
  await stop("a");
  assert.equal(canStop(state("a", "running", { stopping: true }), Date.now()), false);
  assert.equal(canStop(state("a", "running", { stopping: true }), Date.now() + 4000), true);
  assert.equal(running.value, null);
  assert.equal(study.value?.figures.matches, 1000);
  assert.equal(comparison.value, null);
  replies.push({ at: "GET /api/playtests", reply: { tests: [state("b", "failed"), state("a", "done")] } });
  await look();
  assert.deepEqual(done("study").map(({ job }) => job.id), ["a"]);
  assert.equal(study.value.test.job.id, "a");
  assert.equal(seen.filter((at) => at.endsWith("/study")).length, 1);
  // an earlier one is shown again
  replies.push({ at: "GET /api/playtests", reply: { tests: [state("c", "done"), state("a", "done")] } });
  replies.push({ at: "GET /api/playtests/c/study", reply: { ...studied, matches: 50 } });
  await choose("study", "c");
  assert.equal(study.value.figures.matches, 50);
  onBoard.value = "income";
  segments.value = {};
  assert.equal(tint.value?.title, "Fees that a railroad earns in a match");
  onBoard.value = "off";
  assert.equal(tint.value, null);
});

test("what is refused is said", async () => {
  assert.equal(await start({}), false);
  assert.equal(trouble.value, "no");
  assert.deepEqual(tests.value.map(isOver), []);
});
