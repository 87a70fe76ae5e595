"""The referee: legal logs pass, and of an illegal log the first illegal step is named."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from conftest import Run
from matches import board_with, log_of, quick
from sampling import examples

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.network.playability import hash_match_board
from mapkit.kinds.rail.playing.log import log_text
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.refereeing.log import MOST_EVENTS, parse_log

LEGAL = examples(400)
MUTATIONS = 1_000


@dataclass(frozen=True)
class Mutation:
    """A log in which the event number `at` is the first illegal one."""

    what: str
    at: int
    events: list[MatchEvent]


Mutator = Callable[[list[MatchEvent], int, random.Random], list[MatchEvent] | None]
"""Gives the events that take the place of one, of which the first is illegal; None if it cannot be done there."""


@cache
def board(auctions: int = 0) -> Board:
    return board_with(quick(options={"opening_auctions": bool(auctions)}, setup={"same_home": "reroll"}))


@cache
def legal(seed: int) -> tuple[MatchHead, tuple[MatchEvent, ...]]:
    head, events = log_of(board(seed % 2), players=2 + seed % 3, policies=("balanced",), seed=seed)
    return head, tuple(events)


def changed(event: MatchEvent, **fields: object) -> list[MatchEvent]:
    return [MatchEvent.model_validate({**event.model_dump(), **fields})]


def other_amount(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    if event.amount is None or event.does == "bids":
        return None
    return changed(event, amount=event.amount + rng.choice((-1_000, -1, 1, 500)))


def other_cash(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.cash is None else changed(event, cash=event.cash + rng.choice((-1_000, 1, 5_000)))


def other_total(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.total is None else changed(event, total=event.total + rng.choice((-1, 1)))


def other_player(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    if event.player is None or event.does in ("first", "wins", "bids", "passes"):
        return None
    return changed(event, player=event.player % 4 + 1)


def one_die_more(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.dice is None else changed(event, dice=(*event.dice, rng.randint(1, 6)))


def seven_pips(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.dice is None else changed(event, dice=(7, *event.dice[1:]))


def other_city(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    if event.city is None:
        return None
    return changed(event, city=rng.choice([c.id for c in board().cities if c.id != event.city]))


def other_region(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    if event.region is None or event.picked:
        return None
    return changed(event, region=next(r.id for r in board().regions if r.id != event.region))


def other_pick(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.picked is None else changed(event, picked=not event.picked)


def other_bonus(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return None if event.bonus is None else changed(event, bonus=not event.bonus)


def other_payee(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return changed(event, other=event.other % 4 + 1) if event.other is not None else None


def other_engine(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    return changed(event, engine="freight") if event.engine is not None else None


def owned_railroad(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    if events[at].does != "buys":
        return None
    last = {e.railroad: e.does for e in events[:at] if e.does in ("buys", "sells-back", "auctioned")}
    owned = sorted(r for r, does in last.items() if r and does != "sells-back")
    return changed(events[at], railroad=rng.choice(owned)) if owned else None


def left_out(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    """Leave out what must happen; what follows is then illegal."""
    may_be_left_out = ("buys", "engine", "bids", "passes", "declares", "swaps-home", "home-taken", "wins", "turn")
    if events[at].does in may_be_left_out or at + 1 >= len(events) or alike(events[at], events[at + 1]):
        return None
    return []


def alike(one: MatchEvent, other: MatchEvent) -> bool:
    return (one.does, one.player, one.railroad) == (other.does, other.player, other.railroad)


def ridden_twice(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    before = events[at - 1]
    if before.does != "rides" or events[at].does != "rides" or caught_before(events, at):
        return None
    start = events[at - 2].milepost if events[at - 2].does == "rides" else None
    back = changed(before, milepost=start) if start else None
    return [*back, events[at]] if back else None


def caught_before(events: list[MatchEvent], at: int) -> bool:
    """Return whether the player may use track again, since he lost declared status."""
    trip = [e.does for e in events[:at] if e.player == events[at].player]
    last = max((k for k, does in enumerate(trip) if does in ("destination", "undeclared")), default=0)
    return bool(trip) and trip[last] == "undeclared"


def leap(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    event = events[at]
    if event.does != "rides" or events[at - 1].does != "rides":
        return None
    here = events[at - 1].milepost
    far = [s for s in board().segments if here not in (s.a, s.b)]
    segment = rng.choice(far)
    return changed(event, segment=segment.id, railroad=segment.railroad, milepost=segment.a)


def bought_out_of_turn(events: list[MatchEvent], at: int, rng: random.Random) -> list[MatchEvent] | None:
    if events[at - 1].does not in ("rolls", "turn", "rides", "pays-bank") or events[at].does == "buys":
        return None
    railroad = rng.choice(board().railroads)
    buys = MatchEvent(does="buys", player=events[at].player, railroad=railroad.id, amount=railroad.price)
    return [buys, events[at]]


def bought_twice(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    before = events[at - 1]
    return [before, events[at]] if before.does in ("buys", "engine") and events[at].does != "established" else None


def declared_poor(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    """Declare before the first trip, with the starting cash."""
    event, before = events[at], events[at - 1]
    first = event.player not in {e.player for e in events[:at] if e.does == "arrives"}
    if event.does != "region" or before.does != "turn" or not first:
        return None
    return [MatchEvent(does="declares", player=event.player), event]


def wins_early(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    if events[at].does == "wins" or at < 8:
        return None
    return [MatchEvent(does="wins", player=events[at].player or 1, amount=200_000)]


def fees_rise_early(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    return [MatchEvent(does="fees-rise"), events[at]] if events[at].does != "fees-rise" else None


def low_bid(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    return changed(events[at], amount=1) if events[at].does == "bids" else None


def turn_of_another(events: list[MatchEvent], at: int, _rng: random.Random) -> list[MatchEvent] | None:
    return [e for e in events[:at] if e.does == "turn"][-1:] if events[at].does == "turn" else None


MUTATORS: Sequence[Mutator] = (
    other_amount,
    other_cash,
    other_total,
    other_player,
    one_die_more,
    seven_pips,
    other_city,
    other_region,
    other_pick,
    other_bonus,
    other_payee,
    other_engine,
    owned_railroad,
    left_out,
    ridden_twice,
    leap,
    bought_out_of_turn,
    bought_twice,
    declared_poor,
    wins_early,
    fees_rise_early,
    low_bid,
    turn_of_another,
)


def mutations(many: int, *, seed: int) -> Iterator[tuple[MatchHead, Mutation]]:
    """Yield seeded mutations, of all sorts in turn."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    made = 0
    while made < many:
        mutator = MUTATORS[made % len(MUTATORS)]
        head, events = legal(rng.randrange(40))
        at = rng.randrange(2, len(events))
        found = mutator(list(events), at, rng)
        if found is not None and found != [events[at]]:
            made += 1
            yield head, Mutation(mutator.__name__, at, [*events[:at], *found, *events[at + 1 :]])


@pytest.mark.slow
def test_legal_logs_pass() -> None:
    judged = [judge(board(), *legal(seed), file="x") for seed in range(LEGAL)]
    assert [j.broken for j in judged if j.broken] == []
    assert {len(j.players) for j in judged} == {2, 3, 4}
    assert [j.winner for j in judged] == [legal(seed)[1][-1].player for seed in range(LEGAL)]


@pytest.mark.slow
def test_each_mutation_is_named_at_its_first_illegal_step() -> None:
    wrong = []
    sorts: Counter[str] = Counter()
    for head, mutation in mutations(MUTATIONS, seed=1):
        sorts[mutation.what] += 1
        broken = judge(board(), head, mutation.events, file="x").broken
        line = mutation.at + 2
        if broken is None or broken.line != line:
            wrong.append((mutation.what, line, broken, mutation.events[mutation.at]))
    assert wrong == []
    assert min(sorts.values()) >= MUTATIONS // len(MUTATORS)


def lines(*, at: int = 0, **fields: object) -> list[str]:
    """Return a log as lines, some fields of one of which are others."""
    head, events = legal(1)
    out = log_text(head, events).splitlines()
    return [*out[:at], json.dumps({**json.loads(out[at]), **fields}), *out[at + 1 :]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: it is empty; the first line of a log says what was played on"),
        ("{}", "x:1: board is missing; add it"),
        ("\n".join(lines(version=2)), "x:1: version is 2: write 1"),
        ("\n".join(lines(at=3, does="jumps")), "x:4: does is 'jumps': write 'rolls-first', "),
        ("\n".join(lines(at=3, color=2)), "x:4: color is 2: this key is unknown; remove it"),
        ("\n".join([*lines()[:2], "["]), "x:3: not valid JSON: "),
        (f"{lines()[0]}\n{'x' * 200_001}", "x:2: the line has 200,001 characters; write one event a line"),
        ("[" * 100_000, "x:1: nested too deep"),
        ("\n" * (MOST_EVENTS + 1), "x: it has 500,001 lines; a log may have 500,000"),
    ],
)
def test_what_is_no_log_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        parse_log(text, file="x")


def test_a_log_that_ends_early_is_legal_but_not_over() -> None:
    head, events = legal(1)
    found = judge(board(), head, events[:50], file="x")
    assert (found.broken, found.winner, found.events) == (None, None, 50)


def test_players_that_the_rules_do_not_know_are_refused() -> None:
    head, events = legal(1)
    few = head.model_copy(update={"players": ("a", "b"), "rules": quick(setup={"min_players": 3})})
    broken = judge(board(), few, events, file="x").broken
    assert broken is not None
    assert (broken.line, broken.rule) == (1, "RB-C20")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the board as a file, and a log."""
    folder = tmp_path_factory.mktemp("game")
    (folder / "board.json").write_text(board(1).model_dump_json(), encoding="utf-8")
    (folder / "good.jsonl").write_text("\n".join(lines()), encoding="utf-8")
    return folder


@pytest.fixture
def in_game(game: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder, which is the current one."""
    monkeypatch.chdir(game)
    return game


@pytest.mark.usefixtures("in_game")
def test_the_command_says_that_all_is_legal(run: Run) -> None:
    done = run("referee", "good.jsonl", "--board", "board.json")
    _, events = legal(1)
    turns = sum(e.does == "turn" for e in events)
    assert done.code == 0
    assert (
        done.out
        == f"good.jsonl: {len(events)} events, {turns} turns on tiny: all legal; player {events[-1].player} wins\n"
    )


def test_the_command_names_line_and_rule_of_the_first_illegal_step(run: Run, in_game: Path) -> None:
    at = next(k for k, line in enumerate(lines()) if '"arrives"' in line)
    amount = json.loads(lines()[at])["amount"]
    (in_game / "bad.jsonl").write_text("\n".join(lines(at=at, amount=amount + 500)), encoding="utf-8")
    done = run("referee", "bad.jsonl", "--board", "board.json")
    assert done.code == 1
    assert done.out.startswith(f"bad.jsonl:{at + 1}: ")
    assert done.out.endswith(f" pays {amount:,}, not {amount + 500:,}\n")
    named = run("referee", "bad.jsonl", "--board", "board.json", "--verbose")
    assert named.out == done.out.replace("\n", " (RB-P01)\n")
    shown = json.loads(run("referee", "bad.jsonl", "--board", "board.json", "--json").out)
    assert (shown["broken"]["line"], shown["broken"]["rule"], shown["winner"]) == (at + 1, "RB-P01", None)


def test_a_board_that_has_changed_is_refused(run: Run, in_game: Path) -> None:
    railroad = board().railroads[0]
    dearer = railroad.model_copy(update={"price": railroad.price + 500})
    other = board(1).model_copy(update={"railroads": (dearer, *board().railroads[1:])})
    (in_game / "dearer.json").write_text(other.model_dump_json(), encoding="utf-8")
    done = run("referee", "good.jsonl", "--board", "dearer.json")
    assert done.code == 1
    assert "good.jsonl:1: tiny is not as it was in the match: its track, cities, prices or charts have" in done.err
    (in_game / "other.json").write_text(other.model_copy(update={"id": "other"}).model_dump_json(), encoding="utf-8")
    elsewhere = run("referee", "good.jsonl", "--board", "other.json")
    assert "good.jsonl:1: the match was played on tiny, not other; give its board (--board)" in elsewhere.err


def test_a_board_on_which_nobody_can_play_is_refused(run: Run, in_game: Path) -> None:
    column = {**board(1).destinations["west"].odd, "2": None}
    charts = {**board(1).destinations, "west": board(1).destinations["west"].model_copy(update={"odd": column})}
    other = board(1).model_copy(update={"destinations": charts})
    (in_game / "gaps.json").write_text(other.model_dump_json(), encoding="utf-8")
    (in_game / "gaps.jsonl").write_text("\n".join(lines(board_hash=hash_match_board(other))), encoding="utf-8")
    done = run("referee", "gaps.jsonl", "--board", "gaps.json")
    assert done.code == 1
    assert "tiny: this board cannot be played on\ndestination chart west: odd 2 is empty; fill it in" in done.err
