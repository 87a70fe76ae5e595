"""Computer players: what each weight does, and what a policy's file may say."""

import pytest
from positions import Position

from mapkit.core.arrays import Floats
from mapkit.core.errors import TableError
from mapkit.kinds.rail.playing import policies
from mapkit.kinds.rail.playing.buying import (
    BUYS_EXPRESS,
    NOTHING,
    choose_purchase,
    choose_sale,
    compute_holdings,
    compute_reserve,
    highest_bid,
)
from mapkit.kinds.rail.playing.deciding import WayRequest, clear_bans, find_way, mean_turn
from mapkit.kinds.rail.playing.policies import SHIPPED, WEIGHTS, Policy, parse_policy, shipped_policy

GROUPS = {"ROUTE": "route", "REGION": "region", "BUY": "purchase", "SALE": "sale", "WIN": "winning", "HOME": "home"}


def weighing(patch: pytest.MonkeyPatch, policy: dict[str, object]) -> tuple[Position, Floats]:
    """Return a position of three players, and weights."""
    position = Position(patch)
    for player in range(3):
        position.put(player, "ash")
        position.state.cash[player] = 20_000
    position.minds[0] = Policy.model_validate(policy).weights()
    return position, position.minds[0]


def test_the_places_of_weights_are_those_of_their_names() -> None:
    places = {
        f"{GROUPS[group]}.{name.lower()}": value
        for group, _, name in (constant.partition("_") for constant in vars(policies))
        if group in GROUPS and isinstance(value := getattr(policies, f"{group}_{name}"), int)
    }
    assert places == {weight: place for place, weight in enumerate(WEIGHTS)}


def test_cash_is_kept_for_the_fees_of_a_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: a turn on bank-held track each, then, with nothing of his own, the raised fee into each city and out."""
    position, weights = weighing(monkeypatch, {"purchase": {"reserve": 1}})
    track, state, terms = position.track, position.state, position.terms
    turns = track.mean_steps / mean_turn(terms, 0) + 0.5
    held = compute_holdings(track, state, terms, 0)
    assert compute_reserve(track, state, terms, held, 0, weights) == pytest.approx(1_000 * turns)
    position.sell_out()
    held = compute_holdings(track, state, terms, 0)
    assert compute_reserve(track, state, terms, held, 0, weights) == pytest.approx(1_000 * turns + 2 * 10_000)
    position.owns(0, "green")
    locked = sum(track.chance[position.city(c)] for c in ("ash", "dale", "elm", "fir", "gum"))
    locked -= sum(track.chance[c] for c in range(5) if track.served[position.railroad("green"), c])
    held = compute_holdings(track, state, terms, 0)
    kept = compute_reserve(track, state, terms, held, 0, weights)
    assert kept == pytest.approx(1_000 * turns + 2 * 10_000 * locked)
    assert highest_bid(track, state, terms, 0, position.railroad("red"), weights) <= 20_000 - kept


def test_who_keeps_a_reserve_keeps_what_the_turn_owes(monkeypatch: pytest.MonkeyPatch) -> None:
    for part, bought in ((0, True), (0.001, False)):
        buys = {"price": 1, "express": -1, "superchief": -1, "reserve": part}
        position, weights = weighing(monkeypatch, {"purchase": buys})
        red = position.railroad("red")
        position.owns(1, "blue", "green")
        position.track.price[red] = 19_000
        position.state.fee_due[1] = 5_000
        chosen = choose_purchase(position.track, position.state, position.terms, 0, weights)
        assert chosen == (red if bought else NOTHING)


@pytest.mark.parametrize(
    ("weighs", "buys"),
    [({"express": 100}, BUYS_EXPRESS), ({"express": -1}, NOTHING), ({"express": 100, "buys": 0}, NOTHING)],
)
def test_an_engine_is_bought_for_the_turns_it_saves(
    monkeypatch: pytest.MonkeyPatch, weighs: dict[str, float], buys: int
) -> None:
    position, weights = weighing(monkeypatch, {"purchase": weighs})
    assert choose_purchase(position.track, position.state, position.terms, 0, weights) == buys
    position.state.cash[1] = position.terms.win_cash  # somebody is about to win: nothing pays back any more
    assert choose_purchase(position.track, position.state, position.terms, 0, weights) == NOTHING


def test_patience_waits_for_what_the_next_payoff_could_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    for patience, waits in ((0, False), (0.5, True)):
        buys = {"price": 1, "express": -1, "superchief": -1, "patience": patience}
        position, weights = weighing(monkeypatch, {"purchase": buys})
        red, green = position.railroad("red"), position.railroad("green")
        position.owns(1, "blue")
        position.track.price[red], position.track.price[green] = 10_000, 21_000
        chosen = choose_purchase(position.track, position.state, position.terms, 0, weights)
        assert chosen == (NOTHING if waits else red)


def test_a_railroad_of_use_is_sold_last(monkeypatch: pytest.MonkeyPatch) -> None:
    for use, sold in ((0, "red"), (10, "blue")):
        position, weights = weighing(monkeypatch, {"purchase": {"access": 20}, "sale": {"use": use}})
        position.owns(0, "red", "blue")
        position.track.price[position.railroad("red")] = 3_000  # alone it serves Ash
        position.track.price[position.railroad("blue")] = 4_000
        position.track.served[position.railroad("blue"), position.city("fir")] = 0
        position.track.served[position.railroad("blue"), position.city("gum")] = 0
        chosen = choose_sale(position.track, position.state, position.terms, 0, weights)
        assert chosen == position.railroad(sold)


def test_a_way_without_fees_is_taken_if_the_dice_reach_as_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ash to Dale: three steps on RED, an opponent's, or four or more by way of Elm without it."""
    for policy, mileposts, fee in (("balanced", 12, False), ("balanced", 3, False), ("shortest-way", 12, True)):
        position, _ = weighing(monkeypatch, {})
        weights = position.minds[0]
        weights[:] = shipped_policy(policy).weights()
        position.owns(1, "red")
        clear_bans(position.scratch)
        trip = WayRequest(0, position.place("ash"), position.city("dale"), mileposts)
        length = find_way(position.track, position.state, position.terms, position.scratch, trip, weights)
        by = {int(position.track.railroad[position.track.arm_by[arm]]) for arm in position.scratch.way[:length]}
        assert (position.railroad("red") in by) == fee
        assert (length == 3) == fee


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_policy_says_what_it_does(name: str) -> None:
    assert shipped_policy(name).about


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[route]\nturns = 1\n", "mine.toml: route.turns: unknown key; did you mean 'turn'?"),
        ("[route]\nfees = -1\n", "mine.toml: route.fees: "),
        ("[purchase]\nprice = 'low'\n", "mine.toml: purchase.price: "),
        ("based_on = 'balance'\n", "mine.toml: based_on: no policy 'balance'; did you mean 'balanced'?"),
    ],
)
def test_a_policy_with_a_mistake_is_refused(text: str, says: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_policy("mine", text)
    assert says.split(";", maxsplit=1)[0] in str(caught.value)
