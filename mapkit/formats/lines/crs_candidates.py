"""Inference of the kind of coordinates of a file that states no CRS, or a wrong one.

Each candidate places the lines in degrees; the best one has the smallest median distance from the board's cities to
the nearest line. Without cities, the range of the coordinates decides.
"""

import warnings
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core import heavy
from mapkit.core.geodesy import MILES_PER_DEGREE
from mapkit.formats.degrees import LAST_LAT, LAST_LON, TURN

LAT_LON: Final = "latlon"
"""Option for degrees with the latitude first."""
PIXELS: Final = "pixels"
"""Option for coordinates of a picture, which control points place."""
_MIN_METRES, _MAX_METRES = 1e4, 20_037_508.35  # coordinates of Web Mercator
_WGS84: Final = "EPSG:4326"
_UTM_X: Final = (100_000, 900_000)
_UTM_Y: Final = 10_000_000
_MAX_PIXELS: Final = 50_000
_MAX_MILES: Final = 30.0
"""Median distance of a city from the lines, above which a candidate is none."""
_MIN_PLACES: Final = 3
_MAX_CANDIDATES: Final = 400
_MAX_VERTICES: Final = 2000
_COMMON: Final = ("EPSG:3857", "EPSG:5070", "ESRI:102009", "ESRI:102008", "EPSG:3035", "EPSG:3034", "EPSG:2154",
                  "EPSG:27700", "EPSG:3395", "EPSG:54030")  # fmt: skip


class CrsCandidate(NamedTuple):
    """A kind of coordinates that a file may have: the option that names it, its name, and its error in miles."""

    option: str
    title: str
    miles: float | None = None

    def describe(self) -> str:
        """Return the candidate as the end of a sentence."""
        error = "" if self.miles is None else f", half of the cities within {self.miles:.1f} miles of its lines"
        return f"this looks like {self.title}{error}"


def infer_crs(vertices: NDArray[np.float64], places: Sequence[tuple[float, float]] = ()) -> CrsCandidate | None:
    """Return the most likely kind of coordinates, or None.

    Args:
        vertices: All vertices of the lines, as in the file, shape (n, 2).
        places: Cities of the board, `(lon, lat)` in degrees.
    """
    vertices = vertices[np.isfinite(vertices).all(axis=1)]
    if not len(vertices):
        return None
    largest_x, largest_y = np.abs(vertices).max(axis=0).tolist()
    candidates: list[CrsCandidate] = []
    if largest_x <= TURN and largest_y <= LAST_LAT:
        candidates.append(CrsCandidate(_WGS84, "degrees (EPSG:4326)"))
    if largest_x <= LAST_LAT and largest_y <= TURN:
        candidates.append(CrsCandidate(LAT_LON, "degrees with the latitude first"))
    if max(largest_x, largest_y) > LAST_LON and _MIN_METRES < max(largest_x, largest_y) <= _MAX_METRES:
        is_grid = len(places) < _MIN_PLACES and _is_like_utm(vertices)
        grid_title = ", or a grid in metres such as UTM; import it with --into a board, and mapkit names the grid"
        candidates.append(CrsCandidate("EPSG:3857", f"EPSG:3857 (Web Mercator){grid_title if is_grid else ''}"))
    if len(places) >= _MIN_PLACES and max(largest_x, largest_y) > TURN:
        candidates += _list_projected_crs(np.array(places))
    best = _choose_candidate(candidates, vertices, np.array(places)) if len(places) >= _MIN_PLACES else None
    if best is None and len(places) >= _MIN_PLACES and max(largest_x, largest_y) > _MIN_METRES:
        in_metres = [CrsCandidate("EPSG:3857", "EPSG:3857 (Web Mercator)"), *_list_projected_crs(np.array(places))]
        in_feet = map(_convert_to_feet, in_metres)
        best = _choose_candidate([each for each in in_feet if each], vertices, np.array(places))
    if best is None and max(largest_x, largest_y) <= _MAX_PIXELS and max(largest_x, largest_y) > TURN:
        return CrsCandidate(PIXELS, "pixels of a picture, which control points place")
    return best or next(iter(candidates[:1] if len(places) < _MIN_PLACES else ()), None)


def _convert_to_feet(candidate: CrsCandidate) -> CrsCandidate | None:
    """Return a projected CRS with its coordinates in feet; None if it has other units than metres."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a PROJ string leaves out, which is less than a mile
        try:
            text = heavy.pyproj.CRS(candidate.option).to_proj4()
        except heavy.pyproj.exceptions.CRSError:
            return None
    if "+units=m " not in text:
        return None
    option = text.replace("+units=m ", "+units=ft ").removesuffix(" +type=crs")
    return CrsCandidate(f'"{option}"', f"{candidate.title} in feet")


def _is_like_utm(vertices: NDArray[np.float64]) -> bool:
    """Return whether all vertices lie in the range of a zone of UTM, in metres."""
    (left, bottom), (right, top) = vertices.min(axis=0).tolist(), vertices.max(axis=0).tolist()
    return bool(left >= _UTM_X[0] and right <= _UTM_X[1] and bottom >= 0 and top <= _UTM_Y)


def _list_projected_crs(places: NDArray[np.float64]) -> list[CrsCandidate]:
    """Return the projected CRS in use at the middle of the places, common ones first."""
    lon, lat = np.median(places, axis=0).tolist()
    infos = heavy.pyproj.database.query_crs_info(
        pj_types=[heavy.pyproj.enums.PJType.PROJECTED_CRS],
        area_of_interest=heavy.pyproj.aoi.AreaOfInterest(lon, lat, lon, lat),
        contains=True,
    )
    title_by_code = {f"{info.auth_name}:{info.code}": info.name for info in infos}
    codes = [*(code for code in _COMMON[1:] if code in title_by_code), *sorted(title_by_code.keys() - {*_COMMON})]
    codes.sort(key=lambda code: (code not in _COMMON, "WGS 84" not in title_by_code[code]))
    return [CrsCandidate(code, f"{code} ({title_by_code[code]})") for code in codes[:_MAX_CANDIDATES]]


def _choose_candidate(
    candidates: Sequence[CrsCandidate], vertices: NDArray[np.float64], places: NDArray[np.float64]
) -> CrsCandidate | None:
    """Return the first candidate of the smallest error, to a tenth of a mile; None if all are far."""
    sample = vertices[:: max(len(vertices) // _MAX_VERTICES, 1)]
    measured = [
        candidate._replace(miles=round(_median_miles(_to_degrees(candidate.option, sample), places), 1))
        for candidate in candidates
    ]
    near = [each for each in measured if each.miles is not None and each.miles <= _MAX_MILES]
    return min(near, key=lambda each: each.miles or 0.0) if near else None


def _to_degrees(option: str, vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    if option == LAT_LON:
        return vertices[:, ::-1]
    if option == _WGS84:
        return vertices
    try:
        transformer = heavy.pyproj.Transformer.from_crs(option.strip('"'), _WGS84, always_xy=True)
        return np.column_stack(transformer.transform(vertices[:, 0], vertices[:, 1]))
    except heavy.pyproj.exceptions.ProjError:
        return np.full_like(vertices, np.inf)


def _median_miles(degrees: NDArray[np.float64], places: NDArray[np.float64]) -> float:
    """Return the median distance from the places to the nearest vertex, on a plane at their middle."""
    degrees = degrees[np.isfinite(degrees).all(axis=1)]
    if not len(degrees):
        return float("inf")
    scale = np.array([np.cos(np.radians(np.median(places[:, 1]))), 1.0])
    offsets = degrees - np.median(places, axis=0)
    offsets[:, 0] -= np.round(offsets[:, 0] / TURN) * TURN
    tree = shapely.STRtree(shapely.points(offsets * scale))
    _, distances = tree.query_nearest(
        shapely.points((places - np.median(places, axis=0)) * scale), all_matches=False, return_distance=True
    )
    return float(np.median(distances)) * MILES_PER_DEGREE
