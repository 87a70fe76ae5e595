"""Names of scanned mileposts: those of cities and places near where control points put them, else numbers."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from mapkit.core.geodesy import METRES_PER_MILE, geod
from mapkit.core.names import fold
from mapkit.geography.gazetteer import Gazetteer
from mapkit.geography.gazetteer_table import GazetteerPlace
from mapkit.kinds.rail.scanning.symbols import Symbol
from mapkit.kinds.rail.tables import City
from mapkit.kinds.rail.trace.georeferencing.georeference import Georeference
from mapkit.kinds.rail.trace.naming import place_name

_REACH: Final = 4.0
"""How far a place may lie from its symbol, in widths of the symbol."""


def numbered_names(symbols: Sequence[Symbol]) -> list[str]:
    """Return names without places: `Dot 1`, `Square 1` and so on."""
    counts = {"dot": 0, "square": 0}
    out = []
    for symbol in symbols:
        counts[symbol.kind] += 1
        out.append(f"{symbol.kind.title()} {counts[symbol.kind]}")
    return out


def placed_names(
    symbols: Sequence[Symbol], placed: Georeference, cities: Sequence[City], gazetteer: Gazetteer
) -> list[str]:
    """Return the names of symbols in a placed picture.

    Squares take the nearest city of the board, dots the largest place of the gazetteer beside them; each name is given
    once, to the symbol nearest to it. A symbol without a place is numbered.
    """
    names: list[str] = numbered_names(symbols)
    spots = np.array([(s.x, s.y) for s in symbols]).reshape(-1, 2)
    reach = np.array([2 * s.half * _REACH for s in symbols])
    taken = {fold(city.milepost_name) for city in cities} | {fold(city.name) for city in cities}
    if cities:
        pixels = placed.pixels_or_nan(np.array([(city.lon, city.lat) for city in cities]))
        _give_cities(names, symbols, spots, reach, list(zip(cities, pixels, strict=True)))
    given = {i for i, name in enumerate(names) if fold(name) in taken}
    everywhere = placed.lonlat_or_nan(spots)
    miles = reach * placed.report().miles_per_pixel
    for i in range(len(symbols)):
        if i in given or not np.isfinite(everywhere[i]).all():
            continue
        place = _largest_near(gazetteer, everywhere[i], float(miles[i]), taken)
        if place is not None:
            names[i] = place_name(place)
            taken |= {fold(place.full_name), fold(place.name)}
    return names


def _give_cities(
    names: list[str],
    symbols: Sequence[Symbol],
    spots: np.ndarray,
    reach: np.ndarray,
    cities: Sequence[tuple[City, np.ndarray]],
) -> None:
    """Give squares the names of cities, the nearest pairs first."""
    pairs = sorted(
        (float(off), i, city.milepost_name)
        for city, pixel in cities
        for i, off in enumerate(np.hypot(*(spots - pixel).T))
        if symbols[i].kind == "square" and off <= reach[i]
    )
    used: set[int] = set()
    gone: set[str] = set()
    for _, i, name in pairs:
        if i not in used and name not in gone:
            used.add(i)
            gone.add(name)
            names[i] = name


def _largest_near(gazetteer: Gazetteer, at: np.ndarray, miles: float, taken: set[str]) -> GazetteerPlace | None:
    lon, lat = (float(v) for v in at)
    wide = miles / 40  # degrees of longitude at 55 degrees of latitude; the distance decides
    band = (place for place, _ in gazetteer.about((lon, lat), miles))
    near = [p for p in band if abs(p.lon - lon) <= wide and fold(place_name(p)) not in taken]
    if not near:
        return None
    metres = geod().inv([lon] * len(near), [lat] * len(near), [p.lon for p in near], [p.lat for p in near])[2]
    inside = [p for p, off in zip(near, metres, strict=True) if off <= miles * METRES_PER_MILE]
    return max(inside, key=lambda p: (p.population, p), default=None)
