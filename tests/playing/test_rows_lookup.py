"""Setting up and rolling cities, row by row (RB-S, RB-D)."""

import pytest
from positions import ASH, DALE, ELM, FIR, GUM, Position, Will, kinds, only

import mapkit
from mapkit.kinds.rail.model.board import REGIONS, SUMS
from mapkit.kinds.rail.playing.match import _roll_for_first, _roll_home_city
from mapkit.kinds.rail.playing.state import NONE
from mapkit.kinds.rail.playing.trips import look_up


def home(position: Position, player: int, *pips: int) -> str:
    position.will_roll(*pips)
    _roll_home_city(position.track, position.state, position.terms, player)
    return position.board.cities[int(position.state.home[player])].id


def test_s04_the_highest_roll_begins_and_ties_roll_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ah = Position(monkeypatch)
    ah.will_roll(1, 1, 6, 5, 5, 6, 1, 2, 3, 4, 2, 2)
    assert _roll_for_first(ah.state, ah.terms) == 1
    assert [event.one for event in only(ah.noted(), "rolls-first")] == [2, 11, 11, 3, 7, 4]
    ici = Position(monkeypatch, {"preset": "ici"})
    ici.will_roll(1, 1, 1, 6, 6, 5, 6, 6, 6)
    assert _roll_for_first(ici.state, ici.terms) == 2
    stands = Position(monkeypatch, {"setup": {"reroll_ties": False}})
    stands.will_roll(1, 1, 6, 5, 5, 6)
    assert _roll_for_first(stands.state, stands.terms) == 1


def test_s01_s02_v12_cash_and_engine_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Position(monkeypatch).state.cash.tolist() == [20_000, 20_000, 20_000, 0]
    assert Position(monkeypatch).state.engine.tolist() == [0, 0, 0]
    rich = Position(monkeypatch, {"options": {"extra_starting_cash": 20_000}})
    assert rich.cash(0) == 40_000


def test_s06_s13_a_home_is_rolled_region_first_and_no_region_is_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"destinations": {"choose_region_when_in_it": True}})
    assert home(position, 0, *FIR) == "fir"
    assert position.at(0) == "fir-gum"
    assert [(e.does, e.two) for e in only(position.noted(), "region")] == [("region", 0)]


def test_s07_s08_a_home_that_is_taken_is_rolled_again_and_twins_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ah = Position(monkeypatch)
    assert home(ah, 0, *FIR) == "fir"
    assert home(ah, 1, *FIR, *GUM, *ASH) == "ash"
    assert [e.one for e in only(ah.noted(), "home-taken")] == [ah.city("fir"), ah.city("gum")]
    apart = Position(monkeypatch, {"setup": {"twins_are_one_home": False}})
    assert [home(apart, 0, *FIR), home(apart, 1, *GUM)] == ["fir", "gum"]
    ici = Position(monkeypatch, {"preset": "ici"})
    assert [home(ici, 0, *FIR), home(ici, 1, *FIR)] == ["fir", "fir"]


def test_s10_d07_the_first_destination_is_rolled_when_the_first_trip_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    for player, pips in enumerate((ASH, ELM, DALE)):
        home(position, player, *pips)
    assert position.state.goal.tolist() == [NONE, NONE, NONE]
    noted = position.turn(0, *DALE, 1, 1)
    assert kinds(noted) == ["region", "destination", "rolls", "pays-bank"]
    assert position.state.goal[0] == position.city("dale")


def test_s11_s12_home_and_first_destination_are_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch, {"preset": "ici", "options": {"opening_auctions": True}})
    position.plays(0, Will(swaps=True))
    home(position, 0, *ASH)
    position.owns(1, "red", "green")
    position.state.kept_fee[0, position.railroad("red")] = 1_000
    noted = position.turn(0, *DALE, 1, 1)
    assert kinds(noted)[:3] == ["region", "destination", "swaps-home"]
    assert position.state.home[0] == position.state.city[0] == position.city("dale")
    assert position.state.goal[0] == position.city("ash")
    # established on each railroad that serves the new home: the opponent's cost what the bank's do
    assert [(e.one, e.two) for e in only(noted, "established")] == [
        (position.railroad("green"), 1_000),
        (position.railroad("red"), 1_000),
    ]
    again = position.turn(0, 1, 1) + position.turn(0, *ELM, 1, 2)
    assert "swaps-home" not in kinds(again), "once, before the first roll"


def test_s11_no_exchange_where_the_rules_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.plays(0, Will(swaps=True))
    home(position, 0, *ASH)
    assert "swaps-home" not in kinds(position.turn(0, *DALE, 1, 2))


def test_d01_d02_odd_or_even_picks_the_column_and_the_sum_the_row(
    monkeypatch: pytest.MonkeyPatch, usa: mapkit.Board
) -> None:
    position = Position(monkeypatch)
    position.will_roll(3, 3, 4, 6, 3, 5)
    column, row = look_up(position.state, 0)
    assert (("odd", "even")[column], SUMS[row]) == ("odd", "7")
    region = usa.destinations[REGIONS].odd["7"]
    assert region == "north-central"
    column, row = look_up(position.state, 0)
    assert (("odd", "even")[column], SUMS[row]) == ("even", "8")
    assert usa.destinations[region].even["8"] == "chicago"


def test_d04_d05_who_rolls_his_own_region_picks_one_before_the_city(monkeypatch: pytest.MonkeyPatch) -> None:
    picks = Position(monkeypatch, {"destinations": {"choose_region_when_in_it": True}})
    picks.put(0, "ash")
    picks.plays(0, Will(region=1))
    noted = picks.turn(0, 1, 1, 1, 1, 1, 1, 1, 1)  # west is rolled, east is picked, then its chart gives Dale
    assert [(e.one, e.two) for e in only(noted, "region")] == [(1, 1)]
    assert only(noted, "destination")[0].one == picks.city("dale")
    other = Position(monkeypatch, {"destinations": {"choose_region_when_in_it": True}})
    other.put(0, "ash")
    assert [(e.one, e.two) for e in only(other.turn(0, *DALE, 1, 1), "region")] == [(1, 0)]


def test_d06_c06_a_city_where_the_train_stands_or_its_twin_loses_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "fir")
    assert kinds(position.turn(0, *FIR)) == ["region", "destination", "loses-turn"]
    assert kinds(position.turn(0, *GUM)) == ["region", "destination", "loses-turn"]
    assert position.state.goal[0] == NONE
    assert kinds(position.turn(0, *DALE, 1, 2))[-2:] == ["arrives", "pays-bank"]


def test_d06_the_rest_of_the_turn_is_lost_when_it_is_rolled_for_a_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(monkeypatch)
    position.put(0, "ash", "dale", at="cedar")
    position.state.engine[0] = 1
    noted = position.turn(0, 2, 2, *DALE)
    assert kinds(noted) == ["rolls", "arrives", "region", "destination", "loses-turn", "pays-bank"]
