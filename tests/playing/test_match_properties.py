"""What holds in every match, whatever the rules and players."""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matches import board_with, log_of, quick
from optional import lacking
from sampling import examples

from mapkit.core.processes.installing import install_command
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent
from mapkit.kinds.rail.playing.policies import SHIPPED, Policy
from mapkit.kinds.rail.refereeing.judging import judge
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.rules import Rules

pytestmark = pytest.mark.slow

POLICIES = st.sampled_from([name for name in SHIPPED if name != "never-declares"])  # whose matches are long


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Draw rules that any two sources of the game could have together."""

    def one(*choices: object) -> object:
        return draw(st.sampled_from(choices))

    preset = str(one("ah", "ici", "ah-faq"))
    base = quick().model_dump(include={"setup": {"same_home"}, "winning": {"cash", "rover_payment"}})
    superchief = one("with-normal-roll", "after-normal-move", "either")
    return Rules.model_validate(
        {
            **base,
            "preset": preset,
            "setup": {
                "same_home": one("allowed", "reroll"),
                "home_swap": draw(st.booleans()),
                "starting_engine": one("freight", "superchief"),
                "starting_cash": one(5_000, 20_000, 40_000),
                "twins_are_one_home": draw(st.booleans()),
            },
            "destinations": {"choose_region_when_in_it": draw(st.booleans())},
            "movement": {"segment_reuse": one("once-per-trip", "unlimited"), "dice": one(1, 2, 3)},
            "bonus": {"superchief_timing": superchief, "freight": "always", "express": "always"},
            "fees": {
                "own": one(0, 1_000),
                "opponent": one(2_000, 5_000),
                "sell_out": one("bank-sold-out", "all-bought-once"),
                "raised_fee_stays": draw(st.booleans()),
                "established_on": one("all-serving", "line-in-use"),
            },
            "auction": {
                "bid_rule": one("at-least-step", "multiple-of-step"),
                "passing": one("may-return", "out"),
                "others_on_it": one("former-fee", "full-fee"),
                "seller_ride": one("free", "own-fee", "bank-fee"),
                "bankrupt_cash": one("to-bank", "kept"),
                "engines_for_sale": draw(st.booleans()),
            },
            "winning": {
                "cash": 60_000,
                "rover_payment": 10_000,
                "same_alternate_loses_turn": draw(st.booleans()),
                "bonus_pending_at_home": one("fees-first", "bonus-first"),
                "reuse_to_alternate": one("segments-of-trip", "segments-heading-home"),
            },
            "options": {"opening_auctions": draw(st.booleans()), "free_upgrade": draw(st.booleans())},
            "purchase": {"per_payoff": one(1, 2), "second_superchief": False},
            "information": {
                "announce_cash": 30_000,
                "announce_when": one("reached", "exceeded"),
                "announce_times": one("once", "whenever"),
            },
            "net_worth": {
                "enabled": draw(st.booleans()),
                "target": dict.fromkeys(("two", "three", "four", "five", "six"), 60_000),
                "announce_cash": 20_000,
                "undeclared_by": one("net-worth", "cash"),
            },
            "two_players": {"third_owner": draw(st.booleans()), "first_gift_after": 1, "gift_every": 1},
            "group_purchase": {
                "enabled": draw(st.booleans()),
                "groups": [{"name": "Coast", "members": ("blue", "green"), "price": 13_000}],
                "single_purchases": draw(st.booleans()),
            },
        }
    )


class Ledger:
    """Cash by what the log says of each payment, kept apart from what the log says of cash."""

    def __init__(self, players: int, cash: int) -> None:
        self.cash = dict.fromkeys(range(1, players + 1), cash)

    def take(self, event: MatchEvent) -> None:
        amount, who, other = event.amount or 0, event.player, event.other
        signs = {
            **dict.fromkeys(("arrives", "sells-back", "sells-engine", "gets-share"), 1),
            **dict.fromkeys(("buys", "engine", "pays-bank"), -1),
        }
        if event.does in signs and who in self.cash:
            self.cash[who] += signs[event.does] * amount
        if event.does == "pays-fee":
            self._pass(amount, who, other)
        elif event.does in ("auctioned", "catches"):
            self._pass(amount, other, who)

    def _pass(self, amount: int, payer: int | None, payee: int | None) -> None:
        if payer in self.cash:
            self.cash[payer] -= amount
        if payee in self.cash:
            self.cash[payee] += amount


def turns(events: list[MatchEvent]) -> Iterator[list[MatchEvent]]:
    starts = [k for k, event in enumerate(events) if event.does == "turn"] + [len(events)]
    for a, b in pairwise(starts):
        yield events[a:b]


def check_money(board: Board, players: int, events: list[MatchEvent]) -> None:
    options = board.rules.options
    ledger = Ledger(players, board.rules.setup.starting_cash + options.extra_starting_cash)
    for event in events:
        ledger.take(event)
        if event.cash is not None and event.player in ledger.cash:
            assert event.cash == ledger.cash[event.player], event
        if event.does != "catches":
            assert min(ledger.cash.values()) >= 0, event


def check_track(board: Board, events: list[MatchEvent]) -> None:
    """No piece is ridden twice in a trip, but by a player who lost declared status (RB-M07, RB-W21)."""
    if board.rules.movement.segment_reuse == "unlimited":
        return
    pieces = {segment.id: segment.pieces for segment in board.segments}
    used: dict[int | None, Counter[str]] = defaultdict(Counter)
    free: set[int | None] = set()
    for event in events:
        if event.does == "destination":
            used[event.player].clear()
            free.discard(event.player)
        elif event.does == "undeclared":
            free.add(event.player)
        elif event.does == "rides":
            used[event.player].update(pieces[event.segment or ""])
            assert event.player in free or max(used[event.player].values()) == 1, event


def check_moves(board: Board, events: list[MatchEvent]) -> None:
    """Each ride begins where the last one ended; a roll is ridden to its end, or to the city (RB-M04, RB-M11)."""
    ends = {segment.id: {segment.a, segment.b} for segment in board.segments}
    milepost = {city.id: city.milepost for city in board.cities}
    at: dict[int | None, str] = {}
    for event in events:
        if event.does in ("home", "swaps-home"):
            at[event.player] = milepost[event.city or ""]
        elif event.does == "rides":
            assert ends[event.segment or ""] == {at[event.player], event.milepost}, event
            at[event.player] = event.milepost or ""
    for turn in turns(events):
        rolled = sum(event.total or 0 for event in turn if event.does in ("rolls", "bonus"))
        ridden = sum(event.does == "rides" for event in turn)
        arrived = any(event.does == "arrives" for event in turn)
        assert ridden <= rolled
        home = {event.player: event.city for event in events if event.does in ("home", "swaps-home")}
        at_home = any(e.does == "rides" and e.milepost == milepost[home[e.player] or ""] for e in turn)
        stayed = any(event.does in ("loses-turn", "wins", "bankrupt") for event in turn)
        assert ridden == rolled or arrived or at_home or stayed, turn


@settings(max_examples=examples(200))
@given(rules(), st.integers(2, 4), st.data(), st.integers(0, 2**64 - 1))
def test_money_track_and_moves_are_right_in_every_match(
    drawn: Rules, players: int, data: st.DataObject, seed: int
) -> None:
    board = board_with(drawn)
    policies = data.draw(st.lists(POLICIES, min_size=players, max_size=players))
    head, events = log_of(board, players=players, policies=policies, seed=seed)
    assert judge(board, head, events, file="x").broken is None
    check_money(board, players, events)
    check_track(board, events)
    check_moves(board, events)
    assert [event.does for event in events].count("wins") == 1
    assert events[-1].does == "wins"


def reword(event: MatchEvent, data: st.DataObject) -> MatchEvent:
    """Return an event in other words: without what may be left out, its white dice in another order."""
    left_out = data.draw(st.sets(st.sampled_from(("cash", "total", "railroad"))))
    fields = {name: None for name in left_out if name != "railroad" or event.does == "rides"}
    if event.does == "bonus":
        fields.pop("total", None)
    return event.model_copy(update={**fields, "dice": event.dice and tuple(sorted(event.dice))})


@settings(max_examples=examples(100))
@given(rules(), st.integers(2, 4), st.data(), st.integers(0, 2**64 - 1))
def test_what_is_legal_is_legal_in_other_words_and_up_to_any_step(
    drawn: Rules, players: int, data: st.DataObject, seed: int
) -> None:
    board = board_with(drawn)
    policies = data.draw(st.lists(POLICIES, min_size=players, max_size=players))
    head, events = log_of(board, players=players, policies=policies, seed=seed)
    reworded = [reword(event, data) for event in events[:40]] + events[40:]
    assert judge(board, head, reworded, file="x").broken is None
    end = data.draw(st.integers(0, len(events)))
    assert judge(board, head, events[:end], file="x").broken is None


@settings(max_examples=examples(200))
@given(rules(), st.integers(2, 4), st.data(), st.integers(0, 2**64 - 1))
def test_a_change_is_refused_with_a_row_and_not_before_it(
    drawn: Rules, players: int, data: st.DataObject, seed: int
) -> None:
    board = board_with(drawn)
    head, events = log_of(board, players=players, policies=["random"] * players, seed=seed)
    at = data.draw(st.integers(0, len(events) - 1))
    other = events[data.draw(st.integers(0, len(events) - 1))]
    who = data.draw(st.none() | st.integers(1, players + 1))
    put = data.draw(
        st.lists(st.sampled_from((events[at], other, other.model_copy(update={"player": who}))), max_size=2)
    )
    changed = [*events[:at], *put, *events[at + data.draw(st.integers(0, 2)) :]]
    broken = judge(board, head, changed, file="x").broken
    if broken is not None:
        assert broken.line >= at + 2
        assert broken.rule in {"", *(row.id for row in book.rows())}


def test_a_policy_does_not_change_the_dice() -> None:
    one, other = (
        log_of(board_with(), policies=("balanced", "naive", policy), seed=5)[1] for policy in ("balanced", "random")
    )

    def rolls(events: list[MatchEvent], player: int) -> list[tuple[int, ...] | None]:
        return [event.dice for event in events if event.does == "rolls" and event.player == player]

    for player in (1, 2, 3):
        a, b = rolls(one, player), rolls(other, player)
        assert a[: len(b)] == b[: len(a)]
    assert len(one) != len(other)


def test_the_same_seed_and_number_give_the_same_match() -> None:
    board = board_with()
    first = log_of(board, seed=3, match=17)
    log_of(board, seed=3, match=18)
    assert log_of(board, seed=3, match=17) == first
    assert log_of(board, seed=4, match=17)[1] != first[1]


def test_a_policy_of_ones_own_changes_what_is_weighed() -> None:
    never = Policy.model_validate({"winning": {"declare": 0}})
    _, events = log_of(board_with(), policies=(never, "balanced", "balanced"), seed=2)
    assert "declares" not in {event.does for event in events if event.player == 1}


@pytest.mark.slow
def test_compiled_matches_are_those_of_plain_python(tmp_path: Path) -> None:
    if find_spec("numba") is None:
        lacking(f"Numba is not installed: {install_command()}")
    board = board_with()
    file = tmp_path / "tiny.json"
    file.write_text(board.model_dump_json(), encoding="utf-8")
    command = ["playtest", str(file), "--matches", "60", "--players", "3", "--json", "--anyway", "--workers", "2"]
    found = []
    for off in ("0", "1"):
        ran = subprocess.run(
            [sys.executable, "-m", "mapkit", *command],
            env=os.environ | {"NUMBA_DISABLE_JIT": off, "NUMBA_OPT": "0"},  # which compiles in half the time
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert ("NUMBA_DISABLE_JIT is set" in ran.stderr) == (off == "1")
        found.append(json.loads(ran.stdout))
    assert found[0] == found[1]
    assert found[0]["matches"] == 60
