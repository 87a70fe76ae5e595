"""Use fees and establishment, row by row (RB-F, RB-A13, RB-A14)."""

import pytest
from positions import FIR, Position, kinds, only

from mapkit.kinds.rail.playing.fees import (
    fee_on,
    hand_over,
    hand_over_auctioned,
    ride_railroad,
    total_debt,
    update_raised_fee,
)
from mapkit.kinds.rail.playing.money import _sell_back, settle_fees
from mapkit.kinds.rail.playing.state import BANK, NONE, RAISED, new_turn


def take(position: Position, railroad: str, owner: int) -> None:
    """Let a player, or the bank, get a railroad."""
    number = position.railroad(railroad)
    position.state.bought[number] = 1
    hand_over(position.track, position.state, position.terms, number, owner)


def rides(position: Position, player: int, *railroads: str) -> int:
    """Ride railroads in a turn, and return what is owed then."""
    new_turn(position.state)
    for ident in railroads:
        ride_railroad(position.state, position.terms, player, position.railroad(ident))
    return total_debt(position.state, position.terms)


def pays(position: Position, player: int) -> list[tuple[str, int, int]]:
    """Settle the turn, and return what is paid: to the bank, or an amount to a player."""
    before = len(position.noted())
    settle_fees(position.track, position.state, position.terms, player, position.minds)
    paid = only(position.noted()[before:], "pays-bank", "pays-fee")
    return [(e.does, e.one, e.two if e.does == "pays-fee" else BANK) for e in paid]


def test_f01_f19_fees_are_paid_once_for_normal_and_bonus_move_together(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.owns(1, "red", "blue", "green")
    position.put(0, "ash", "dale")
    position.state.engine[0] = 1
    noted = position.turn(0, 2, 2, *FIR, 6)
    assert [(e.does, e.one, e.two) for e in only(noted, "pays-fee", "pays-bank")] == [("pays-fee", 5_000, 1)]
    assert kinds(noted)[-1] == "pays-fee"
    assert position.cash(1) == 25_000


@pytest.mark.parametrize(
    ("preset", "own", "owed_to_bank"), [("ah", ["red"], 1_000), ("ici", ["red"], 0), ("ah-faq", ["red"], 1_000)]
)
def test_f03_v16_the_fee_on_own_railroads(
    monkeypatch: pytest.MonkeyPatch, preset: str, own: list[str], owed_to_bank: int
) -> None:
    position = Position(monkeypatch, {"preset": preset})
    position.owns(0, *own)
    assert rides(position, 0, "red") == owed_to_bank
    free = Position(monkeypatch, {"preset": preset, "fees": {"own": 0}})
    free.owns(0, *own)
    assert rides(free, 0, "red") == 0


def test_f02_f03_f08_bank_held_and_own_railroads_are_one_sum_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.owns(0, "red")
    assert rides(position, 0, "blue", "green", "blue", "red") == 1_000
    assert pays(position, 0) == [("pays-bank", 1_000, BANK)]


@pytest.mark.parametrize(("raised", "fee"), [(0, 5_000), (1, 10_000)])
def test_f04_f05_f08_f10_each_opponent_is_paid_once_however_far_and_on_however_many(
    monkeypatch: pytest.MonkeyPatch, raised: int, fee: int
) -> None:
    position = Position(monkeypatch)
    position.owns(1, "red", "blue")
    position.owns(2, "green")
    position.state.game[RAISED] = raised
    assert rides(position, 0, "red", "red", "blue", "green", "red") == 2 * fee
    assert pays(position, 0) == [("pays-fee", fee, 1), ("pays-fee", fee, 2)]


def test_f06_f07_the_fee_rises_when_the_bank_is_sold_out_and_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    for ident in ("red", "blue"):
        take(position, ident, 1)
    assert position.state.game[RAISED] == 0
    take(position, "green", 2)
    assert position.state.game[RAISED] == 1
    _sell_back(position.track, position.state, position.terms, 2, position.railroad("green"))
    assert position.state.game[RAISED] == 1
    falls = Position(monkeypatch, {"fees": {"raised_fee_stays": False, "sell_out": "bank-sold-out"}})
    for ident in ("red", "blue", "green"):
        take(falls, ident, 1)
    _sell_back(falls.track, falls.state, falls.terms, 1, falls.railroad("green"))
    assert falls.state.game[RAISED] == 0
    assert kinds(falls.noted()) == ["fees-rise", "sells-back", "fees-fall"]


@pytest.mark.parametrize(("trigger", "raised"), [("bank-sold-out", 0), ("all-bought-once", 1)])
def test_f06_a_railroad_sold_back_counts_as_never_bought_or_as_bought_once(
    monkeypatch: pytest.MonkeyPatch, trigger: str, raised: int
) -> None:
    position = Position(monkeypatch, {"fees": {"sell_out": trigger}})
    for ident in ("red", "blue"):
        take(position, ident, 1)
    _sell_back(position.track, position.state, position.terms, 1, position.railroad("red"))
    take(position, "green", 2)
    assert position.state.game[RAISED] == raised


def test_f09_the_owner_at_the_time_of_use_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="cedar")
    rides(position, 0, "blue")
    take(position, "blue", 0)  # bought on arrival
    ride_railroad(position.state, position.terms, 0, position.railroad("blue"))
    assert pays(position, 0) == [("pays-bank", 1_000, BANK)], "used as the bank's, then as the own one"


def test_f11_f13_f14_f17_a_bank_railroad_bought_under_a_train(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="birch")
    rides(position, 0, "red")
    take(position, "red", 1)
    assert position.kept(0, "red") == 1_000
    for _ in range(3):  # turn after turn
        assert rides(position, 0, "red", "red") == 1_000
        assert pays(position, 0) == [("pays-fee", 1_000, 1)]
    assert rides(position, 0, "red", "blue", "red") == 5_000 + 1_000
    assert position.kept(0, "red") == NONE
    assert rides(position, 0, "red") == 5_000


def test_f11_f18_sell_out_under_a_train(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="birch")
    take(position, "blue", 2)
    position.owns(1, "red")
    rides(position, 0, "red")
    take(position, "green", 2)
    assert position.state.game[RAISED] == 1
    assert position.kept(0, "red") == 5_000
    assert rides(position, 0, "red") == 5_000
    assert pays(position, 0) == [("pays-fee", 5_000, 1)]
    assert rides(position, 0, "red", "blue", "red") == 10_000 + 10_000


def test_f12_established_on_all_railroads_of_the_milepost_until_the_train_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="cedar")
    rides(position, 0, "red")
    for ident in ("red", "blue"):
        take(position, ident, 1)
    assert [position.kept(0, ident) for ident in ("red", "blue", "green")] == [1_000, 1_000, NONE]
    assert rides(position, 0, "blue") == 1_000
    assert [position.kept(0, ident) for ident in ("red", "blue")] == [NONE, 1_000]
    in_use = Position(monkeypatch, {"fees": {"established_on": "line-in-use"}})
    in_use.put(0, "ash", "dale", at="cedar")
    rides(in_use, 0, "red")
    for ident in ("red", "blue"):
        take(in_use, ident, 1)
    assert [in_use.kept(0, ident) for ident in ("red", "blue")] == [1_000, NONE]


def test_f11_a_train_that_stands_elsewhere_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "elm", "dale")
    rides(position, 0, "green")
    take(position, "red", 1)
    assert position.kept(0, "red") == NONE


def test_f15_one_owner_gets_one_fee_the_full_one(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="cedar")
    rides(position, 0, "red")
    position.owns(1, "blue")
    take(position, "red", 1)
    assert rides(position, 0, "red", "blue") == 5_000
    assert pays(position, 0) == [("pays-fee", 5_000, 1)]


def test_f16_two_owners_get_the_old_fee_and_the_full_one(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="cedar")
    rides(position, 0, "red")
    position.owns(2, "blue")
    take(position, "red", 1)
    rides(position, 0, "red", "blue")
    assert pays(position, 0) == [("pays-fee", 1_000, 1), ("pays-fee", 5_000, 2)]


def auctioned(position: Position) -> None:
    number = position.railroad("red")
    hand_over_auctioned(position.track, position.state, position.terms, 0, number, 1)


@pytest.mark.parametrize(("others", "fee"), [("former-fee", 5_000), ("full-fee", 10_000)])
def test_a13_trains_of_others_on_the_railroad_sold(monkeypatch: pytest.MonkeyPatch, others: str, fee: int) -> None:
    position = Position(monkeypatch, {"auction": {"others_on_it": others}})
    position.put(2, "ash", "dale", at="birch")
    position.owns(0, "red")
    rides(position, 2, "red")
    for ident in ("blue", "green"):
        take(position, ident, 1)
    assert position.kept(2, "red") == 5_000
    auctioned(position)
    assert fee_on(position.state, position.terms, 2, position.railroad("red")) == fee


@pytest.mark.parametrize(
    ("ride_of_seller", "own", "now", "later"),
    [
        ("free", 1_000, 0, 0),
        ("own-fee", 1_000, 1_000, 1_000),
        ("own-fee", 0, 0, 0),
        ("bank-fee", 0, 1_000, 1_000),
    ],
)
def test_a14_the_sellers_own_ride_on_the_railroad_sold(
    monkeypatch: pytest.MonkeyPatch, ride_of_seller: str, own: int, now: int, later: int
) -> None:
    position = Position(monkeypatch, {"auction": {"seller_ride": ride_of_seller}, "fees": {"own": own}})
    position.put(0, "ash", "dale", at="birch")
    position.owns(0, "red")
    rides(position, 0, "red")
    auctioned(position)
    assert total_debt(position.state, position.terms) == now
    assert rides(position, 0, "red") == later
    assert rides(position, 0, "blue", "red") == 1_000 + 5_000


def test_f11_a_lower_fee_of_a_new_owner_holds_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="birch")
    position.owns(1, "red")
    rides(position, 0, "red")
    _sell_back(position.track, position.state, position.terms, 1, position.railroad("red"))
    assert position.kept(0, "red") == NONE
    assert rides(position, 0, "red") == 1_000
    update_raised_fee(position.track, position.state, position.terms)
    assert position.state.game[RAISED] == 0
