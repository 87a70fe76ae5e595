"""Names of scanned mileposts: of cities and places near their georeferenced positions, else numbers."""

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

_NAME_REACH: Final = 4.0
"""Greatest distance of a place from its symbol, in widths of the symbol."""


def make_numbered_names(symbols: Sequence[Symbol]) -> list[str]:
    """Return names without places: `Dot 1`, `Square 1` and so on."""
    kind_counts = {"dot": 0, "square": 0}
    symbol_names = []
    for symbol in symbols:
        kind_counts[symbol.kind] += 1
        symbol_names.append(f"{symbol.kind.title()} {kind_counts[symbol.kind]}")
    return symbol_names


def find_placed_names(
    symbols: Sequence[Symbol], placed: Georeference, cities: Sequence[City], gazetteer: Gazetteer
) -> list[str]:
    """Return the names of symbols in a placed picture.

    Squares take the nearest city of the board, dots the largest place of the gazetteer beside them; each name is given
    once, to the symbol nearest to it. A symbol without a place is numbered.
    """
    symbol_names: list[str] = make_numbered_names(symbols)
    symbol_xy = np.array([(s.x, s.y) for s in symbols]).reshape(-1, 2)
    reach_px = np.array([2 * s.half * _NAME_REACH for s in symbols])
    taken_names = {fold(city.milepost_name) for city in cities} | {fold(city.name) for city in cities}
    if cities:
        city_pixels = placed.pixels_or_nan(np.array([(city.lon, city.lat) for city in cities]))
        _give_cities(symbol_names, symbols, symbol_xy, reach_px, list(zip(cities, city_pixels, strict=True)))
    named_symbols = {i for i, name in enumerate(symbol_names) if fold(name) in taken_names}
    symbol_lonlat = placed.lonlat_or_nan(symbol_xy)
    reach_mi = reach_px * placed.report().miles_per_pixel
    for i in range(len(symbols)):
        if i in named_symbols or not np.isfinite(symbol_lonlat[i]).all():
            continue
        place = _find_largest_near(gazetteer, symbol_lonlat[i], float(reach_mi[i]), taken_names)
        if place is not None:
            symbol_names[i] = place.printed_name
            taken_names |= {fold(place.full_name), fold(place.name)}
    return symbol_names


def _give_cities(
    names: list[str],
    symbols: Sequence[Symbol],
    spots: np.ndarray,
    reach: np.ndarray,
    cities: Sequence[tuple[City, np.ndarray]],
) -> None:
    """Give squares the names of cities, the nearest pairs first."""
    ranked_pairs = sorted(
        (float(distance_px), i, city.milepost_name)
        for city, pixel in cities
        for i, distance_px in enumerate(np.hypot(*(spots - pixel).T))
        if symbols[i].kind == "square" and distance_px <= reach[i]
    )
    used_symbols: set[int] = set()
    used_names: set[str] = set()
    for _, i, name in ranked_pairs:
        if i not in used_symbols and name not in used_names:
            used_symbols.add(i)
            used_names.add(name)
            names[i] = name


def _find_largest_near(gazetteer: Gazetteer, at: np.ndarray, miles: float, taken: set[str]) -> GazetteerPlace | None:
    lon, lat = (float(v) for v in at)
    band_degrees = miles / 40  # degrees of longitude at 55 degrees of latitude; the distance decides
    band_places = (place for place, _ in gazetteer.about((lon, lat), miles))
    free_places = [p for p in band_places if abs(p.lon - lon) <= band_degrees and fold(p.printed_name) not in taken]
    if not free_places:
        return None
    distances_m = geod().inv(
        [lon] * len(free_places), [lat] * len(free_places), [p.lon for p in free_places], [p.lat for p in free_places]
    )[2]
    places_in_reach = [
        p for p, distance_m in zip(free_places, distances_m, strict=True) if distance_m <= miles * METRES_PER_MILE
    ]
    return max(places_in_reach, key=lambda p: (p.population, p), default=None)
