"""Announcing, declaring, rover plays and winning, row by row (RB-I, RB-W, RB-V09, RB-V10)."""

import pytest
from positions import ASH, ELM, FIR, GUM, Position, Will, kinds, only

from mapkit.kinds.rail.playing.deciding import count_reuse, ridden_track
from mapkit.kinds.rail.playing.match import _arrive, _end_turn
from mapkit.kinds.rail.playing.moving import _ride_step, move_train
from mapkit.kinds.rail.playing.state import NONE, WINNER
from mapkit.kinds.rail.playing.trips import undeclare
from mapkit.kinds.rail.playing.wealth import announce_cash, can_win, net_worth_of, stays_declared


def declare(position: Position, player: int, start: str, alternate: str, *, at: str, home: str) -> None:
    """Put a declared train on its way home."""
    position.put(player, start, alternate, at=at, home=home)
    position.state.declared[player] = 1


def step(position: Position, player: int, *segment: str, to: str) -> None:
    """Move a train one milepost."""
    number, place = position.segment(*segment), position.place(to)
    _ride_step(position.track, position.state, position.terms, player, number, place)


def announces(position: Position, player: int, *cash: int) -> list[int]:
    """Return what is announced while a player has one sum after another."""
    for amount in cash:
        position.state.cash[player] = amount
        announce_cash(position.track, position.state, position.terms, player)
    return [e.one for e in only(position.noted(), "announces")]


# announcing


@pytest.mark.parametrize(
    ("preset", "noted"),
    [
        ("ah", [150_001, 160_000]),
        ("ici", [150_000]),
        ("ah-faq", [150_001]),
    ],
)
def test_i01_i02_when_and_how_often_cash_is_announced(
    monkeypatch: pytest.MonkeyPatch, preset: str, noted: list[int]
) -> None:
    settings = {"information": {"announce_times": "once"}} if preset == "ici" else {}  # ICI states no number of times
    position = Position(monkeypatch, {"preset": preset, **settings})
    assert announces(position, 0, 149_999, 150_000, 150_001, 120_000, 160_000) == noted


def test_i01_who_is_paid_announces_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.owns(1, "red", "green", "blue")
    position.put(0, "ash", "dale")
    position.state.cash[1] = 149_000
    noted = position.turn(0, 1, 1)
    assert kinds(noted) == ["rolls", "pays-fee", "announces"]
    assert only(noted, "announces")[0][1:3] == (1, 154_000)


def test_i01_who_catches_a_train_announces_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.state.cash[:3] = (120_000, 210_000, 0)
    declare(position, 1, "dale", "elm", at="birch", home="ash")
    position.put(0, "ash", "dale")
    step(position, 0, "red", "ash", "birch", to="birch")
    assert kinds(position.noted()) == ["catches", "announces", "undeclared"]


def test_v10_net_worth_is_told_whenever_cash_is_over_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"net_worth": {"enabled": True}})
    position.owns(0, "red")
    assert announces(position, 0, 50_000, 50_001, 160_000, 50_001) == [60_001, 170_000, 60_001]


# declaring


def test_w01_w02_declaring_takes_enough_cash_at_a_destination(monkeypatch: pytest.MonkeyPatch) -> None:
    for cash, declared in ((199_999, 0), (200_000, 1)):
        position = Position(monkeypatch)
        position.put(0, "ash", home="dale")
        position.state.cash[0] = cash
        noted = position.turn(0, *ELM, 1, 1)
        assert len(only(noted, "declares")) == declared
        assert only(noted, "destination")[0].two == declared
        assert position.state.goal[0] == position.city("elm") or not declared


def test_w02_w28_declaring_is_optional_and_then_the_next_destination_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, Will(declares=False))
    position.put(0, "ash", home="dale")
    position.state.cash[0] = 300_000
    noted = position.turn(0, *FIR, 1, 1)
    assert kinds(noted)[:3] == ["region", "destination", "rolls"]
    position.plays(0, Will())
    assert "declares" not in kinds(position.turn(0, 1, 2)), "not before the next arrival"
    assert kinds(position.turn(0, *ASH, 1, 1))[0] == "declares"


def test_w03_declaring_at_home_wins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash")
    position.state.cash[0] = 200_000
    assert kinds(position.turn(0)) == ["declares"]
    assert position.state.game[WINNER] == 0


def test_w04_arriving_home_without_having_declared_wins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "dale", "ash", home="ash")
    position.state.cash[0] = 300_000
    noted = position.turn(0, 1, 2)
    assert kinds(noted) == ["rolls", "arrives", "announces", "pays-bank", "announces"]
    assert position.state.game[WINNER] == NONE


def test_w05_w06_an_alternate_where_the_train_stands_declares_but_loses_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Position(monkeypatch)
    position.put(0, "fir", home="ash")
    position.state.cash[0] = 250_000
    assert kinds(position.turn(0, *GUM)) == ["declares", "region", "destination", "loses-turn"]
    assert position.state.declared[0] == 1
    assert len(only(position.turn(0, 1, 1), "rides")) == 2, "on the way home"
    goes_on = Position(monkeypatch, {"winning": {"same_alternate_loses_turn": False}})
    goes_on.put(0, "fir", home="ash")
    goes_on.state.cash[0] = 250_000
    assert len(only(goes_on.turn(0, *FIR, 1, 1), "rides")) == 2


def test_w07_w09_the_way_home_takes_turns_and_passes_the_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    declare(position, 0, "dale", "elm", at="hill", home="ash")
    position.state.cash[0] = 250_000
    position.state.used[0, :] = 0
    pieces = [p.id for p in position.board.pieces]
    for piece in position.board.segments[position.segment("green", "birch", "hill")].pieces:
        position.state.used[0, pieces.index(piece)] = 1  # so home is reached by Elm
    left = move_train(
        position.track, position.state, position.terms, position.scratch, 0, 1, 0, position.minds
    )  # fmt: skip
    assert (left, position.at(0), position.state.declared[0]) == (NONE, "elm", 1)
    assert only(position.noted(), "arrives") == []
    noted = position.turn(0, 1, 1)
    assert kinds(noted) == ["rolls", "pays-bank", "announces"]
    assert position.state.game[WINNER] == 0
    assert position.cash(0) == 249_000


def test_w08_w12_home_pays_before_the_fee_where_it_is_the_alternate_too(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    declare(position, 0, "dale", "ash", at="cedar", home="ash")
    position.state.cash[0] = 200_000
    noted = position.turn(0, 1, 2)
    assert [(e.does, e.two) for e in only(noted, "arrives")] == [("arrives", 4_500)]
    assert kinds(noted)[:2] == ["rolls", "arrives"]
    assert position.cash(0) == 200_000 + 4_500 - 1_000
    assert position.state.game[WINNER] == 0
    # without the payoff the fee would have been too much
    other = Position(monkeypatch)
    declare(other, 0, "dale", "elm", at="cedar", home="ash")
    other.state.cash[0] = 200_000
    assert "undeclared" in kinds(other.turn(0, 1, 2))
    assert other.state.game[WINNER] == NONE


def test_w08_p03_who_cannot_win_by_it_may_buy_for_that_payoff(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, Will(buys="express"))
    declare(position, 0, "dale", "ash", at="cedar", home="ash")
    position.state.cash[0] = 190_000
    noted = position.turn(0, 1, 2)
    assert kinds(noted) == ["rolls", "arrives", "announces", "engine", "pays-bank", "announces", "undeclared"]
    assert position.state.goal[0] == NONE


@pytest.mark.parametrize(("cash", "wins"), [(205_000, False), (209_999, False), (210_000, True)])
def test_w10_w11_b13_home_with_a_bonus_due_and_fees_pending(
    monkeypatch: pytest.MonkeyPatch,
    cash: int,
    wins: bool,  # noqa: FBT001 - a case
) -> None:
    position = Position(monkeypatch)
    position.owns(1, "red", "green", "blue")
    position.state.game[0] = 1  # the fee is raised
    declare(position, 0, "fir", "dale", at="cedar", home="ash")
    position.state.engine[0], position.state.cash[0] = 1, cash
    noted = position.turn(0, 1, 1) if wins else position.turn(0, 1, 1, 1)
    assert ("undeclared" in kinds(noted)) is not wins
    assert len(only(noted, "bonus")) == (0 if wins else 1)
    assert position.state.game[WINNER] == (0 if wins else NONE)
    assert position.cash(0) == cash - 10_000


def test_w10_the_bonus_first_moves_on_towards_the_alternate(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"winning": {"bonus_pending_at_home": "bonus-first"}})
    declare(position, 0, "fir", "dale", at="cedar", home="ash")
    position.state.engine[0], position.state.cash[0] = 1, 300_000
    noted = position.turn(0, 1, 1, 1)
    assert kinds(noted)[:3] == ["rolls", "undeclared", "bonus"]
    assert position.state.game[WINNER] == NONE


# rover plays


def test_w13_w14_w15_w20_the_first_that_moves_onto_a_declared_train_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.state.cash[:3] = (20_000, 210_000, 20_000)
    declare(position, 1, "dale", "elm", at="birch", home="ash")
    position.put(0, "ash", "dale")
    position.put(2, "ash", "dale")
    noted = position.turn(0, 1, 1)  # through Birch
    assert [(e.player, e.one, e.two) for e in only(noted, "catches")] == [(0, 1, 50_000)]
    assert (position.cash(0), position.cash(1)) == (69_000, 160_000)
    assert (position.state.declared[1], position.state.goal[1]) == (0, position.city("elm"))
    assert only(position.turn(2, 1, 1), "catches") == []
    assert position.cash(1) == 160_000


def test_w14_who_has_less_pays_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"net_worth": {"enabled": True}})
    position.state.cash[:3] = (0, 30_000, 0)
    declare(position, 1, "dale", "elm", at="birch", home="ash")
    position.put(0, "ash", "dale")
    step(position, 0, "red", "ash", "birch", to="birch")
    assert position.state.cash[:2].tolist() == [30_000, 0]


def test_w16_w17_a_declared_train_passes_others_and_who_stands_there_must_leave_and_return(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Position(monkeypatch)
    position.state.cash[:3] = (20_000, 250_000, 20_000)
    declare(position, 1, "dale", "elm", at="cedar", home="ash")
    position.put(0, "ash", "dale", at="birch")
    step(position, 1, "red", "birch", "cedar", to="birch")
    assert only(position.noted(), "catches") == []
    step(position, 0, "red", "birch", "cedar", to="cedar")
    assert only(position.noted(), "catches") == [], "he leaves"
    step(position, 0, "red", "birch", "cedar", to="birch")
    assert len(only(position.noted(), "catches")) == 1


def test_w18_w27_a_detour_is_taken_only_where_the_destination_can_be_reached_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keen = Will(rover=100)
    # from Cedar the declared train at Dale is a step away; Fir is reached over Dale - Fir, or not at all
    for spent, caught in ((False, 1), (True, 0)):
        position = Position(monkeypatch)
        position.plays(0, keen)
        position.state.cash[:3] = (20_000, 250_000, 20_000)
        declare(position, 1, "elm", "elm", at="dale", home="ash")
        position.put(0, "ash", "fir", at="cedar")
        if spent:
            pieces = [p.id for p in position.board.pieces]
            for ids in (("green", "dale", "fir-gum"), ("blue", "cedar", "dale")):
                for piece in position.board.segments[position.segment(*ids)].pieces:
                    position.state.used[0, pieces.index(piece)] = 1
        noted = position.turn(0, 1, 2)
        assert len(only(noted, "catches")) == caught
        assert len(only(noted, "arrives")) == 1 or not spent


def test_w19_several_declared_trains_are_caught_in_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.state.cash[:3] = (20_000, 250_000, 250_000)
    declare(position, 1, "dale", "elm", at="birch", home="ash")
    declare(position, 2, "dale", "elm", at="cedar", home="ash")
    position.put(0, "ash", "dale")
    noted = position.turn(0, 1, 2)
    assert [(e.one, e.two) for e in only(noted, "catches")] == [(1, 50_000), (2, 50_000)]
    assert position.cash(0) == 20_000 + 100_000 + 4_500 - 1_000


@pytest.mark.parametrize(
    ("reuse", "times"), [("segments-of-trip", {"first": 1, "homeward": 1}), ("segments-heading-home", {"homeward": 1})]
)
def test_w21_what_track_the_way_to_the_alternate_may_use_again(
    monkeypatch: pytest.MonkeyPatch, reuse: str, times: dict[str, int]
) -> None:
    position = Position(monkeypatch, {"winning": {"reuse_to_alternate": reuse}})
    declare(position, 0, "fir", "dale", at="cedar", home="ash")
    step(position, 0, "red", "birch", "cedar", to="birch")
    undeclare(position.track, position.state, 0)
    step(position, 0, "green", "birch", "hill", to="hill")
    # ridden while heading home, and ridden after that
    ridden = ridden_track(position.track, position.state, position.terms, 0)
    again = {
        "homeward": count_reuse(ridden, position.segment("red", "birch", "cedar")),
        "first": count_reuse(ridden, position.segment("green", "birch", "hill")),
    }
    assert again == {"first": -1, **times}


def test_w21_track_is_used_again_as_seldom_as_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.state.cash[0] = 100_000
    declare(position, 0, "dale", "dale", at="cedar", home="ash")
    step(position, 0, "red", "birch", "cedar", to="birch")
    undeclare(position.track, position.state, 0)
    noted = position.turn(0, 1, 2)  # back to Dale: two steps over Cedar would use track again, three over Hill do not
    assert only(noted, "rides")[0].one == position.segment("green", "birch", "hill")
    assert len(only(noted, "rides")) == 3


def test_w22_the_trip_to_the_alternate_pays_from_where_it_was_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    declare(position, 0, "dale", "elm", at="hill", home="ash")
    undeclare(position.track, position.state, 0)
    noted = position.turn(0, 1, 1)
    assert [(e.one, e.two) for e in only(noted, "arrives")] == [(position.city("elm"), 5_500)]


def test_w23_caught_at_the_alternate_arrives_at_the_start_of_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.state.cash[1] = 210_000
    declare(position, 1, "dale", "elm", at="elm", home="ash")
    position.put(0, "ash", "dale")
    step(position, 0, "green", "ash", "elm", to="elm")
    assert (position.state.declared[1], position.state.due[1]) == (0, 1)
    noted = position.turn(1, *ASH, 1, 2)
    assert kinds(noted)[:5] == ["arrives", "announces", "region", "destination", "rolls"]
    assert only(noted, "arrives")[0].two == 5_500


# losing declared status, and winning


def test_w24_cash_that_falls_too_low_by_fees_ends_declared_status(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    declare(position, 0, "fir", "elm", at="fir-gum", home="ash")
    position.owns(1, "blue", "green")
    position.state.cash[0] = 204_999
    noted = position.turn(0, 1, 1)
    assert kinds(noted)[-1] == "undeclared"
    assert position.state.goal[0] == position.city("elm")
    at_home = Position(monkeypatch)
    at_home.owns(1, "red", "green", "blue")
    declare(at_home, 0, "dale", "elm", at="birch", home="ash")
    at_home.state.cash[0] = 204_999
    noted = at_home.turn(0, 1, 1)
    assert (kinds(noted)[-1], at_home.state.game[WINNER]) == ("undeclared", NONE)
    assert at_home.state.goal[0] == at_home.city("elm"), "on to the alternate, without a penalty"


def test_w25_declaring_again_after_the_alternate_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "elm", "dale", at="cedar", home="ash")
    position.state.cash[0], position.state.fallback[0] = 250_000, 1
    position.turn(0, 1, 2)
    assert kinds(position.turn(0, *ELM, 1, 1))[0] == "declares"
    assert (position.state.declared[0], position.state.fallback[0]) == (1, 0)


@pytest.mark.parametrize("cash", [200_000, 199_999])
def test_w01_the_winning_cash_is_counted_after_all_fees(monkeypatch: pytest.MonkeyPatch, cash: int) -> None:
    position = Position(monkeypatch)
    declare(position, 0, "dale", "elm", at="ash", home="ash")
    position.state.cash[0] = cash + 1_000
    position.state.bank_due[0] = 1_000
    assert _arrive(position.track, position.state, position.terms, 0, 0, position.minds)
    _end_turn(position.track, position.state, position.terms, 0, position.minds)
    assert position.state.game[WINNER] == (0 if cash == 200_000 else NONE)


def test_v09_net_worth_is_cash_railroads_and_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"net_worth": {"enabled": True}})
    position.owns(0, "red", "blue")
    position.state.engine[0], position.state.cash[0] = 2, 244_000
    assert net_worth_of(position.track, position.state, position.terms, 0) == 244_000 + 16_000 + 40_000
    assert can_win(position.track, position.state, position.terms, 0, 0)
    assert not can_win(position.track, position.state, position.terms, 0, 1)
    assert stays_declared(position.track, position.state, position.terms, 0)
    by_cash = Position(monkeypatch, {"net_worth": {"enabled": True, "undeclared_by": "cash"}})
    by_cash.owns(0, "red", "blue")
    by_cash.state.engine[0] = 2
    stays = []
    for cash in (199_999, 200_000):
        by_cash.state.cash[0] = cash
        stays.append(stays_declared(by_cash.track, by_cash.state, by_cash.terms, 0))
    assert stays == [False, True]
