"""Regions of mileposts: the one rule, for tints, counts and spacing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import UnknownNameError
from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.model.board import Board, City, Milepost

Floats = NDArray[np.float64]
_TIE_TOLERANCE: Final = 1e-12
"""Cities are equally near if their distances on the unit sphere differ by no more."""


def region_of(board: Board, milepost: str) -> str:
    """Return the region of a milepost (RB-C07).

    A city milepost belongs to its city's region; of twins in two regions (RB-C06), to that of the first by id. Any
    other belongs to the region of the city nearest to it along the sphere, as gaps of regions are distinguished in
    `[spacing]` (`mapkit.kinds.rail.trace.spacing.regions`); of two equally near, the first by region, then by position.

    Raises:
        UnknownNameError: The board has no such milepost, or no cities.
    """
    region_id = regions_of(board).get(milepost)
    if region_id is None:
        raise UnknownNameError(f"{milepost!r} is not a milepost of the board, or the board has no cities")
    return region_id


def regions_of(board: Board) -> Mapping[str, str]:
    """Return the region id of every milepost by its id; empty on a board without cities."""
    return Regions(board.cities, {m.id: m for m in board.mileposts}).of


class Regions:
    """Region of each milepost, calculated on first use and then updated edit by edit.

    Args:
        cities: The cities.
        mileposts: The mileposts by id.
        before: The regions of an earlier board; only mileposts with a possibly different nearest city are updated.
    """

    def __init__(
        self, cities: Sequence[City], mileposts: Mapping[str, Milepost], before: "Regions | None" = None
    ) -> None:
        self._cities = cities
        self._mileposts = mileposts
        self._state: _RegionState | None = None
        if before is not None and before._state is not None:  # noqa: SLF001 - its own kind
            self._state = before._update_state(cities, mileposts)  # noqa: SLF001

    @property
    def of(self) -> Mapping[str, str]:
        """Region id of each milepost by its id; empty on a board without cities. The same object if nothing changed."""
        if self._state is None:
            self._state = _calculate_regions(self._cities, self._mileposts, _EMPTY_STATE)
        return self._state.of

    def _update_state(self, cities: Sequence[City], mileposts: Mapping[str, Milepost]) -> "_RegionState | None":
        is_unchanged = cities is self._cities and mileposts is self._mileposts
        return (
            self._state if is_unchanged or self._state is None else _calculate_regions(cities, mileposts, self._state)
        )


_CityPosition = tuple[str, float, float]
"""A region, and where a city of it lies, degrees."""


@dataclass(frozen=True)
class _RegionState:
    """Regions of a board with the inputs that they were calculated from.

    Args:
        of: The region of each milepost.
        cities: Where the cities of each region lie.
        mileposts: The mileposts by id.
        slots: The places of mileposts without a city in the arrays.
        free: Places there that none has.
        spots: Where they lie on the unit sphere, shape (n, 3).
        reach: How far their nearest cities are, shape (n,).
    """

    of: Mapping[str, str]
    cities: frozenset[_CityPosition]
    mileposts: Mapping[str, Milepost]
    slots: Mapping[str, int]
    free: tuple[int, ...]
    spots: Floats
    reach: Floats


_EMPTY_STATE: Final = _RegionState({}, frozenset(), {}, {}, (), np.zeros((0, 3)), np.zeros(0))
_NEAR_TOLERANCE: Final = 1e-9
"""Cities that are nearer by less are looked at again, on the unit sphere."""


def _calculate_regions(
    cities: Sequence[City], mileposts: Mapping[str, Milepost], previous: _RegionState
) -> _RegionState:
    """Calculate the regions of a board, reusing those of an earlier board."""
    region_by_city_milepost: dict[str, str] = {}
    for city in sorted(cities, key=lambda c: c.id):
        if city.milepost in mileposts:
            region_by_city_milepost.setdefault(city.milepost, city.region)
    if not region_by_city_milepost:
        return _EMPTY_STATE
    city_positions = frozenset(
        (region, mileposts[milepost_id].lon, mileposts[milepost_id].lat)
        for milepost_id, region in region_by_city_milepost.items()
    )
    moved_mileposts = [
        milepost_id
        for milepost_id, m in mileposts.items()
        if previous.mileposts.get(milepost_id) is not m and milepost_id not in region_by_city_milepost
    ]
    moved_mileposts += [
        milepost_id
        for milepost_id in previous.of.keys() - previous.slots.keys()
        if milepost_id in mileposts and milepost_id not in region_by_city_milepost
    ]  # belonged to a city before
    moved_mileposts = list(dict.fromkeys(moved_mileposts))
    slots, free, spots, reach = _update_arrays(mileposts, region_by_city_milepost, moved_mileposts, previous)
    needs_update = _is_near_any(spots, reach, city_positions ^ previous.cities)
    needs_update[[slots[milepost_id] for milepost_id in moved_mileposts]] = True
    updated_slots = np.flatnonzero(needs_update)
    regions, reach[updated_slots] = _find_nearest_regions(sorted(city_positions), spots[updated_slots])
    names = {slot: milepost_id for milepost_id, slot in slots.items()}
    updated_regions = {names[slot]: region for slot, region in zip(updated_slots.tolist(), regions, strict=True)}
    region_by_milepost = (
        {**region_by_city_milepost, **updated_regions}
        if previous is _EMPTY_STATE
        else {**previous.of, **region_by_city_milepost, **updated_regions}
    )
    if len(region_by_milepost) > len(mileposts):
        region_by_milepost = {
            milepost_id: region for milepost_id, region in region_by_milepost.items() if milepost_id in mileposts
        }
    return _RegionState(
        previous.of if region_by_milepost == previous.of else region_by_milepost,
        city_positions,
        mileposts,
        slots,
        free,
        spots,
        reach,
    )


def _update_arrays(
    mileposts: Mapping[str, Milepost],
    city_mileposts: Collection[str],
    moved_mileposts: Sequence[str],
    previous: _RegionState,
) -> tuple[dict[str, int], tuple[int, ...], Floats, Floats]:
    """Return the arrays of a board and the slot of each milepost; moved mileposts have a slot but no reach yet."""
    slots, spots, reach = dict(previous.slots), previous.spots, previous.reach.copy()
    gone_mileposts = [
        milepost_id for milepost_id in previous.slots if milepost_id not in mileposts or milepost_id in city_mileposts
    ]
    free_slots = [*previous.free, *(slots.pop(milepost_id) for milepost_id in gone_mileposts)]
    reach[free_slots] = -1
    added_mileposts = [milepost_id for milepost_id in moved_mileposts if milepost_id not in slots]
    if len(added_mileposts) > len(free_slots):
        missing_slots = len(added_mileposts) - len(free_slots)
        free_slots = [*range(len(reach) + missing_slots - 1, len(reach) - 1, -1), *free_slots]
        spots = np.concatenate((spots, np.zeros((missing_slots, 3))))
        reach = np.concatenate((reach, np.full(missing_slots, -1.0)))
    slots |= {milepost_id: free_slots.pop() for milepost_id in added_mileposts}
    if moved_mileposts:
        spots = spots.copy() if spots is previous.spots else spots
        spots[[slots[milepost_id] for milepost_id in moved_mileposts]] = _to_unit_sphere(
            [(mileposts[milepost_id].lon, mileposts[milepost_id].lat) for milepost_id in moved_mileposts]
        )
    return slots, tuple(free_slots), spots, reach


def _is_near_any(spots: Floats, reach: Floats, city_positions: Collection[_CityPosition]) -> NDArray[np.bool_]:
    """Return the slots as near to any of some cities as to their nearest city; free slots are not."""
    is_near = np.zeros(len(reach), np.bool_)
    for city in _to_unit_sphere([(lon, lat) for _, lon, lat in city_positions]) if city_positions else ():
        is_near |= np.linalg.norm(spots - city, axis=1) <= reach + _NEAR_TOLERANCE
    return is_near & (reach >= 0)


def _find_nearest_regions(city_positions: Sequence[_CityPosition], spots: Floats) -> tuple[list[str], Floats]:
    """Return the regions of the nearest cities, and their distances; of equally near cities the first counts."""
    if not len(spots):
        return [], np.zeros(0)
    city_index, reach = find_nearest(
        spots, _to_unit_sphere([(lon, lat) for _, lon, lat in city_positions]), tied=_TIE_TOLERANCE
    )
    return [city_positions[i][0] for i in city_index.tolist()], reach


def _to_unit_sphere(degrees: list[tuple[float, float]]) -> Floats:
    """Convert longitudes and latitudes to points on the unit sphere, shape (n, 3)."""
    lon, lat = np.radians(np.array(degrees, dtype=np.float64)).T
    return np.round(np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))), 12)
