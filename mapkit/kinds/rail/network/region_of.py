"""Which region a milepost belongs to: the one rule, for tints, counts and spacing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import UnknownNameError
from mapkit.core.neighbours import find_nearest
from mapkit.kinds.rail.model.board import Board, City, Milepost

Floats = NDArray[np.float64]
_TIED: Final = 1e-12
"""Cities whose distances on the unit sphere differ by no more are equally near."""


def region_of(board: Board, milepost: str) -> str:
    """Return the region of a milepost (RB-C07).

    A city milepost belongs to its city's region; of twins in two regions (RB-C06), to that of the first by id. Any
    other belongs to the region of the city nearest to it along the sphere, as gaps of regions are distinguished in
    `[spacing]` (`mapkit.kinds.rail.trace.spacing.regions`); of two equally near, the first by region, then by position.

    Raises:
        UnknownNameError: The board has no such milepost, or no cities.
    """
    found = regions_of(board).get(milepost)
    if found is None:
        raise UnknownNameError(f"{milepost!r} is not a milepost of the board, or the board has no cities")
    return found


def regions_of(board: Board) -> Mapping[str, str]:
    """Return milepost id -> region id, for every milepost; empty on a board without cities."""
    return Regions(board.cities, {m.id: m for m in board.mileposts}).of


class Regions:
    """The region of each milepost: calculated when it is first asked for, and then kept up to date edit by edit.

    Args:
        cities: The cities.
        mileposts: The mileposts by id.
        before: The regions of an earlier board; only mileposts whose nearest city may be another are looked at again.
    """

    def __init__(
        self, cities: Sequence[City], mileposts: Mapping[str, Milepost], before: "Regions | None" = None
    ) -> None:
        self._cities = cities
        self._mileposts = mileposts
        self._known: _Known | None = None
        if before is not None and before._known is not None:  # noqa: SLF001 - its own kind
            self._known = before._followed(cities, mileposts)  # noqa: SLF001

    @property
    def of(self) -> Mapping[str, str]:
        """Milepost id -> region id; empty on a board without cities. The same object where nothing changed."""
        if self._known is None:
            self._known = _reckoned(self._cities, self._mileposts, _NOTHING)
        return self._known.of

    def _followed(self, cities: Sequence[City], mileposts: Mapping[str, Milepost]) -> "_Known | None":
        same = cities is self._cities and mileposts is self._mileposts
        return self._known if same or self._known is None else _reckoned(cities, mileposts, self._known)


_Row = tuple[str, float, float]
"""A region, and where a city of it lies, degrees."""


@dataclass(frozen=True)
class _Known:
    """What the regions of a board were calculated from.

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
    cities: frozenset[_Row]
    mileposts: Mapping[str, Milepost]
    slots: Mapping[str, int]
    free: tuple[int, ...]
    spots: Floats
    reach: Floats


_NOTHING: Final = _Known({}, frozenset(), {}, {}, (), np.zeros((0, 3)), np.zeros(0))
_NEAR: Final = 1e-9
"""Cities that are nearer by less are looked at again, on the unit sphere."""


def _reckoned(cities: Sequence[City], mileposts: Mapping[str, Milepost], was: _Known) -> _Known:
    """Return the regions of a board, from those of an earlier one."""
    own: dict[str, str] = {}
    for city in sorted(cities, key=lambda c: c.id):
        if city.milepost in mileposts:
            own.setdefault(city.milepost, city.region)
    if not own:
        return _NOTHING
    rows = frozenset((region, mileposts[key].lon, mileposts[key].lat) for key, region in own.items())
    moved = [key for key, m in mileposts.items() if was.mileposts.get(key) is not m and key not in own]
    moved += [key for key in was.of.keys() - was.slots.keys() if key in mileposts and key not in own]  # were a city's
    moved = list(dict.fromkeys(moved))
    slots, free, spots, reach = _arrays(mileposts, own, moved, was)
    again = _near_any(spots, reach, rows ^ was.cities)
    again[[slots[key] for key in moved]] = True
    at = np.flatnonzero(again)
    regions, reach[at] = _nearest(sorted(rows), spots[at])
    names = {slot: key for key, slot in slots.items()}
    found = {names[slot]: region for slot, region in zip(at.tolist(), regions, strict=True)}
    of = {**own, **found} if was is _NOTHING else {**was.of, **own, **found}
    if len(of) > len(mileposts):
        of = {key: region for key, region in of.items() if key in mileposts}
    return _Known(was.of if of == was.of else of, rows, mileposts, slots, free, spots, reach)


def _arrays(
    mileposts: Mapping[str, Milepost], own: Collection[str], moved: Sequence[str], was: _Known
) -> tuple[dict[str, int], tuple[int, ...], Floats, Floats]:
    """Return the arrays of a board and who has which place in them; those who moved have a place, but no reach yet."""
    slots, spots, reach = dict(was.slots), was.spots, was.reach.copy()
    gone = [key for key in was.slots if key not in mileposts or key in own]
    free = [*was.free, *(slots.pop(key) for key in gone)]
    reach[free] = -1
    came = [key for key in moved if key not in slots]
    if len(came) > len(free):
        more = len(came) - len(free)
        free = [*range(len(reach) + more - 1, len(reach) - 1, -1), *free]
        spots = np.concatenate((spots, np.zeros((more, 3))))
        reach = np.concatenate((reach, np.full(more, -1.0)))
    slots |= {key: free.pop() for key in came}
    if moved:
        spots = spots.copy() if spots is was.spots else spots
        spots[[slots[key] for key in moved]] = _in_space([(mileposts[key].lon, mileposts[key].lat) for key in moved])
    return slots, tuple(free), spots, reach


def _near_any(spots: Floats, reach: Floats, rows: Collection[_Row]) -> NDArray[np.bool_]:
    """Return who is as near to any of some cities as to its nearest; a place that none has is not."""
    near = np.zeros(len(reach), np.bool_)
    for city in _in_space([(lon, lat) for _, lon, lat in rows]) if rows else ():
        near |= np.linalg.norm(spots - city, axis=1) <= reach + _NEAR
    return near & (reach >= 0)


def _nearest(rows: Sequence[_Row], spots: Floats) -> tuple[list[str], Floats]:
    """Return the regions of the nearest cities, and how far they are; of equally near ones the first counts."""
    if not len(spots):
        return [], np.zeros(0)
    city, reach = find_nearest(spots, _in_space([(lon, lat) for _, lon, lat in rows]), tied=_TIED)
    return [rows[i][0] for i in city.tolist()], reach


def _in_space(degrees: list[tuple[float, float]]) -> Floats:
    """Return points on the unit sphere, shape (n, 3), of longitudes and latitudes."""
    lon, lat = np.radians(np.array(degrees, dtype=np.float64)).T
    return np.round(np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat))), 12)
