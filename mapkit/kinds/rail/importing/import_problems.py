"""Problems of drawings that were not written in the end, by the features that their author has."""

import json
import re
from collections.abc import Mapping

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.importing.drawings import FOLDER

_DRAWING = re.compile(rf"{FOLDER}/(?P<file>[^/:#\n]+\.\w+)(?:#(?P<number>\d+))?")


def locate_in_drawings(error: SourceError, drawings: Mapping[str, str | bytes]) -> SourceError:
    """Return an error about new drawings as one about the files that they were read from.

    Args:
        error: What placing them said: `drawings/map.geojson#3: ...`.
        drawings: Those that would have been written, by their names; each feature of GeoJSON says its source.
    """
    sources = {name: _sources(data) for name, data in drawings.items() if name.endswith(".geojson")}

    def named(found: re.Match[str]) -> str:
        name = f"{FOLDER}/{found['file']}"
        if name not in drawings:
            return found[0]
        given = sources.get(name, [])
        if not given:
            return found[0].removeprefix(f"{FOLDER}/")
        return given[int(found["number"])] if found["number"] else given[0].partition("#")[0]

    return type(error)([_DRAWING.sub(named, problem) for problem in error.problems])


def _sources(data: str | bytes) -> list[str]:
    return [feature["properties"]["source"] for feature in json.loads(data)["features"]]
