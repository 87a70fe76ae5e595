"""Long-run odds: the chain solved exactly, held against its own definition and figures of the classic board."""

from fractions import Fraction

import numpy as np
import pytest

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.network.chain import POLICIES, Policy, solve_chain_odds
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances


def own(policy: Policy) -> tuple[str, ...]:
    return ("red",) if policy == "network" else ()


@pytest.mark.parametrize("policy", POLICIES)
def test_shares_add_to_one(tiny: mapkit.Board, policy: Policy) -> None:
    found = solve_chain_odds(tiny, policy, railroads=own(policy))
    assert sum(map(Fraction, found.regions.values())) == 1
    assert sum(map(Fraction, found.cities.values())) == 1


def test_two_regions_at_random_are_solved_by_hand(tiny: mapkit.Board) -> None:
    """With w for West: from West it is rolled with w and then left with 1/2, so p = p w/2 + (1 - p)(w + (1 - w)/2)."""
    found = solve_chain_odds(tiny, "random")
    w = Fraction(_west(tiny), 72)
    stay = w / 2
    come = w + (1 - w) / 2
    assert Fraction(found.regions["west"]) == come / (1 - stay + come)
    p = Fraction(found.regions["west"])
    assert Fraction(found.chosen) == p * w + (1 - p) * (1 - w)


def _west(board: mapkit.Board) -> int:
    chart = board.destinations["regions"]
    return sum(
        6 - abs(int(total) - 7)
        for column in (chart.odd, chart.even)
        for total, region in column.items()
        if region == "west"
    )


def test_without_the_rule_the_long_run_is_the_chart(tiny: mapkit.Board) -> None:
    rules = tiny.rules.model_copy(
        update={"destinations": tiny.rules.destinations.model_copy(update={"choose_region_when_in_it": False})}
    )
    found = solve_chain_odds(tiny.model_copy(update={"rules": rules}), "payoff")
    assert {c: Fraction(v) for c, v in found.cities.items()} == calculate_city_chances(tiny)
    assert found.chosen == "0/1"


def test_the_classic_board(usa: mapkit.Board) -> None:
    """At random 882899/4647779 of all rolls give the Northeast: fewer than 15/72, as those in it move on."""
    chances = calculate_city_chances(usa)
    assert chances["san-francisco"] + chances["oakland"] == Fraction(228, 5184)
    found = solve_chain_odds(usa, "random")
    assert found.regions["northeast"] == "882899/4647779"
    shares = np.array([float(Fraction(v)) for v in found.regions.values()])
    rolled = {region.id: Fraction(0) for region in usa.regions}
    for total, region in (*usa.destinations["regions"].odd.items(), *usa.destinations["regions"].even.items()):
        assert region is not None
        rolled[region] += Fraction(6 - abs(int(total) - 7), 72)
    w = np.array([float(rolled[region.id]) for region in usa.regions])
    step = np.tile(w, (len(w), 1))
    for i in range(len(w)):
        step[i, i] = 0
        step[i] += w[i] / len(w)
    assert np.allclose(shares @ step, shares, atol=1e-12)


def test_policies_do_what_they_say(usa: mapkit.Board) -> None:
    by = {p: solve_chain_odds(usa, p, railroads=("pa",) if p == "network" else ()) for p in POLICIES}
    assert by["payoff"].payoff == max(f.payoff for f in by.values())
    assert by["nearest"].mileposts == min(f.mileposts for f in by.values())
    assert Fraction(by["network"].regions["northeast"]) > Fraction(by["random"].regions["northeast"])
    turns = {t.engine: t for t in by["random"].turns}
    assert turns["freight"].turns_per_trip > turns["express"].turns_per_trip > turns["superchief"].turns_per_trip


def test_network_needs_railroads_and_full_charts(tiny: mapkit.Board) -> None:
    with pytest.raises(MapkitError, match="needs the player's railroads"):
        solve_chain_odds(tiny, "network")
    west = tiny.destinations["west"]
    holed = west.model_copy(update={"odd": {**west.odd, "7": None}})
    with pytest.raises(MapkitError, match="the chart of west fills 66 of 72"):
        solve_chain_odds(tiny.model_copy(update={"destinations": {**tiny.destinations, "west": holed}}), "random")
