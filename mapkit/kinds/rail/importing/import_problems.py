"""Report of problems of a failed import against the features of the input files."""

import json
import re
from collections.abc import Mapping

from mapkit.core.errors import SourceError
from mapkit.kinds.rail.importing.drawings import FOLDER

_DRAWING_REFERENCE = re.compile(rf"{FOLDER}/(?P<file>[^/:#\n]+\.\w+)(?:#(?P<number>\d+))?")


def locate_in_drawings(error: SourceError, drawings: Mapping[str, str | bytes]) -> SourceError:
    """Return an error about new drawings as an error about the files that they were read from.

    Args:
        error: The error of placing them: `drawings/map.geojson#3: ...`.
        drawings: The unwritten drawings by name; each feature of GeoJSON has its source.
    """
    sources_by_drawing = {
        drawing_name: _feature_sources(data)
        for drawing_name, data in drawings.items()
        if drawing_name.endswith(".geojson")
    }

    def named(found: re.Match[str]) -> str:
        drawing_name = f"{FOLDER}/{found['file']}"
        if drawing_name not in drawings:
            return found[0]
        feature_sources = sources_by_drawing.get(drawing_name, [])
        if not feature_sources:
            return found[0].removeprefix(f"{FOLDER}/")
        return feature_sources[int(found["number"])] if found["number"] else feature_sources[0].partition("#")[0]

    return type(error)([_DRAWING_REFERENCE.sub(named, problem) for problem in error.problems])


def _feature_sources(data: str | bytes) -> list[str]:
    return [feature["properties"]["source"] for feature in json.loads(data)["features"]]
