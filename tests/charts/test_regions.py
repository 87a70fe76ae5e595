"""Proposed regions: of the size asked, contiguous, near wanted odds."""

from fractions import Fraction

import numpy as np
import pytest

from mapkit.kinds.rail.charts.destinations.chart_targets import WishError
from mapkit.kinds.rail.charts.destinations.regions import RegionPlace, gabriel_neighbours, propose_regions


def grid(columns: int, rows: int) -> list[RegionPlace]:
    return [
        RegionPlace(f"c{x}-{y}", -100 + x, 40 + y * 0.8, Fraction(1 + (x * 3 + y) % 4))
        for x in range(columns)
        for y in range(rows)
    ]


def test_regions_hang_together_and_fit() -> None:
    places = grid(9, 4)  # 90 in all, so thirds can be even
    found = propose_regions(places, count=3, least=8, most=14, seconds=120)
    assert sorted(c for r in found.regions for c in r.cities) == sorted(p.id for p in places)
    where = np.array([((p.lon + 96) * np.cos(np.radians(p.lat)), p.lat) for p in places])
    beside = gabriel_neighbours(np.hypot(*(where[:, None] - where[None]).transpose(2, 0, 1)))
    index = {p.id: i for i, p in enumerate(places)}
    for region in found.regions:
        assert 8 <= len(region.cities) <= 14
        own = {index[c] for c in region.cities}
        todo, seen = [min(own)], set()
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo += beside[at] & own
        assert seen == own
    assert found.proven
    assert found.largest <= 0.501
    assert found.regions == propose_regions(places, count=3, least=8, most=14, seconds=120).regions


def test_twins_stay_together() -> None:
    places = [
        *grid(5, 4),
        RegionPlace("a", -99.5, 41, Fraction(3), "ab"),
        RegionPlace("b", -99.5, 41, Fraction(3), "ab"),
    ]
    found = propose_regions(places, count=2, least=8, most=14, seconds=120)
    assert any({"a", "b"} <= set(r.cities) for r in found.regions)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(WishError, match="20 cities cannot make 3 regions of 8 to 12; 2 to 2 regions would do"):
        propose_regions(grid(5, 4), count=3)
    with pytest.raises(WishError, match="2 shares for 3 regions"):
        propose_regions(grid(8, 4), count=3, shares=[Fraction(1), Fraction(2)])


def test_what_no_division_can_reach_is_proven() -> None:
    """A city of three quarters: with the seven that its region must have beside it, 64/76."""
    places = [RegionPlace(p.id, p.lon, p.lat, Fraction(57 if p.id == "c2-1" else 1)) for p in grid(5, 4)]
    found = propose_regions(places, count=2, least=8, most=14, seconds=120)
    assert found.beyond == pytest.approx(72 * 64 / 76 - 36 - 0.5, abs=0.01)
    assert found.gap == 0
    assert found.proven
    assert found.finished
    assert [len(region.cities) for region in found.regions] == [8, 12]
