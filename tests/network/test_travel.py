"""What railroads are worth in travel: by hand on the small board, and against NetworkX."""

from fractions import Fraction
from itertools import combinations

import networkx as nx
import pytest
from conftest import Run

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.travel import holding


def test_fees_of_green_by_hand(tiny: mapkit.Board) -> None:
    """Elm lies on GREEN alone; no other trip needs it, and 5,000 is dearer than any way round.

    From Elm to Fir or Gum, 2 mileposts, staying on GREEN costs a part of a turn and changing a whole bank fee. From Elm
    to Dale, 3 mileposts: Freight changes to the bank's lines (6,141 against 6,409), SuperChief stays (5,952, 6,095).
    """
    chances = {city: float(chance) for city, chance in calculate_city_chances(tiny).items()}
    whole = 1 - sum(c * c for c in chances.values())
    trips = {city: 2 * chances["elm"] * chances[city] / whole for city in ("ash", "dale", "fir", "gum")}
    elm, twins, dale = sum(trips.values()), trips["fir"] + trips["gum"], trips["dale"]
    found = holding(tiny, ["green"])
    freight, _, superchief = found.fees
    assert freight.mean_turn == 7.0972
    assert freight.mileposts == pytest.approx(elm + twins, abs=1e-4)
    assert freight.fees == pytest.approx(5000 * (elm + twins / (7 + 3.5 / 36)), abs=0.01)
    assert superchief.mileposts == pytest.approx(elm + twins + 2 * dale, abs=1e-4)
    assert superchief.fees == pytest.approx(5000 * (elm + (twins + 2 * dale) / 10.5), abs=0.01)
    assert Fraction(found.monopoly_exact) == calculate_city_chances(tiny)["elm"]


def test_owning_everything_leaves_nothing_foreign(tiny: mapkit.Board) -> None:
    found = holding(tiny, [r.id for r in tiny.railroads])
    assert (found.access, found.monopoly, found.foreign_travel, found.foreign_trips) == (100, 100, 0, 0)
    assert found.price == 24000
    # Fir and Gum are twins: every pair but theirs is joined by these railroads alone.
    assert found.shortened_pairs == 9
    assert {pair.without for pair in found.shortens} == {None}


@pytest.mark.parametrize("own", [("red",), ("blue",), ("green", "blue")])
def test_shortened_pairs_are_those_of_networkx(tiny: mapkit.Board, own: tuple[str, ...]) -> None:
    whole, rest = (nx.Graph([(s.a, s.b) for s in tiny.segments if s.railroad not in without]) for without in ((), own))
    expected: dict[tuple[str, str], tuple[int, int | None]] = {}
    for a, b in combinations(tiny.cities, 2):
        far = int(nx.shortest_path_length(whole, a.milepost, b.milepost))
        left: int | None
        try:
            left = int(nx.shortest_path_length(rest, a.milepost, b.milepost))
        except (nx.NetworkXNoPath, nx.NodeNotFound):
            left = 0 if a.milepost == b.milepost else None
        if left != far:
            expected[a.id, b.id] = (far, left)
    found = holding(tiny, own)
    assert {(p.a, p.b): (p.mileposts, p.without) for p in found.shortens} == expected
    assert found.shortened_pairs == len(expected)


def test_foreign_travel_of_the_classic_board(usa: mapkit.Board) -> None:
    small, large = holding(usa, ["pa"]), holding(usa, ["nyc", "pa"])
    assert large.foreign_travel < small.foreign_travel < 100
    assert large.access > small.access
    assert 0 < small.average_haul < 40
    assert small.fees[0].fees < 5000


def test_no_railroad_is_refused(tiny: mapkit.Board, run: Run) -> None:
    with pytest.raises(MapkitError, match="no railroad was given"):
        holding(tiny, [])
    ran = run("report", "usa", "--railroads", "PA,B&O")
    assert ran.code == 0
    assert ran.out.startswith("B&O + PA, $54,000\naccess 28.09 %, monopoly 7.52 %")
