"""Drawings whose longitude and latitude are exchanged."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.model.source import PinnedPoint, TracedLine
from mapkit.kinds.rail.sources.exchanged import Exchanged
from mapkit.kinds.rail.tables import City

_Feature = tuple[str, NDArray[np.float64]]


def refuse_swapped(drawn: Iterable[TracedLine | PinnedPoint], cities: Iterable[City]) -> None:
    """Refuse drawings in degrees that lie among the cities only with longitude and latitude swapped.

    Args:
        drawn: Lines and points of all drawings; those in pixels are passed over.
        cities: The cities of the board; without any, nothing is refused.

    Raises:
        SourceError: There are such drawings or features. A drawing is named once, with its first feature; of other
            drawings, each feature.
    """
    files: dict[str, list[_Feature]] = defaultdict(list)
    for one in drawn:
        if not one.pixels:
            points = one.line if isinstance(one, TracedLine) else [(one.x, one.y)]
            files[one.feature.partition("#")[0]].append((one.feature, np.array(points, dtype=np.float64)))
    exchanged = Exchanged(cities)
    wrong = [problem for _, features in sorted(files.items()) for problem in _problems(features, exchanged)]
    if wrong:
        raise SourceError(wrong)


def _problems(features: Sequence[_Feature], exchanged: Exchanged) -> Iterator[str]:
    points = np.concatenate([line for _, line in features])
    lon, lat = np.median(points, axis=0).tolist()
    if exchanged.one(lon, lat):
        yield (
            f"{features[0][0]}: the file lies around lon {lon:.2f}, lat {lat:.2f}, far from every city, but among the "
            "cities if longitude and latitude are swapped; write longitude first"
        )
        return
    found = exchanged.among(points)
    if not found.any():
        return
    start = 0
    for feature, line in features:
        here = np.flatnonzero(found[start : start + len(line)])
        start += len(line)
        if len(here):
            lon, lat = line[here[0]].tolist()
            yield (
                f"{feature}: lon {lon:g}, lat {lat:g} is far from every city, but among the cities if the two are "
                "swapped; swap them"
            )
