"""The author's own layers of a document."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.problems import Problem, parse_problem
from mapkit.document.document import Setting
from mapkit.evaluate import Reader, tracked
from mapkit.geography.land_plane import LandPlane
from mapkit.geography.own_layers import Layer, OwnLayers, Polygon
from mapkit.kinds.rail.compiler.base_board import BASE, BaseBoard
from mapkit.kinds.rail.compiler.settings import setting
from mapkit.kinds.rail.reading import late
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.tables import RailDocument

LAYERS = "layers"
"""The author's own layers, among what a board says of itself."""


EVERYWHERE: Final[tuple[Polygon, ...]] = (
    (((-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0), (-40.0, -40.0)),),
)
"""Land of an invented land that has none drawn."""
_NOTHING: Final[Mapping[str, Layer]] = {
    "land": EVERYWHERE,
    "lakes": (),
    "rivers": (),
    "borders": (),
}
"""Layers of an invented land without any: land everywhere, and nothing of the earth."""


@dataclass(frozen=True)
class FoundLayers:
    """Layers, and the problems of their files.

    Args:
        layers: None where the board has the base map's.
        problems: What is wrong; such a layer is left out.
    """

    layers: OwnLayers | None = None
    problems: tuple[Problem, ...] = ()


@tracked
def find_layers(db: Reader) -> FoundLayers:
    """Read the author's own layers of a document."""
    document: RailDocument = db.document
    if document.is_of_board:
        row = db.rows("compiled").get(LAYERS)
        base: BaseBoard | None = db.input(BASE)
        if base is not None and row is base.document.table("compiled").get(LAYERS):
            return FoundLayers(base.board.layers)
        return FoundLayers(OwnLayers.model_validate(row.value)) if isinstance(row, Setting) else FoundLayers()
    own = setting(db, "layers")
    named = {name: getattr(own, name) for name in OwnLayers.model_fields}
    files = db.rows("files")
    plane: LandPlane | None = setting(db, "projection").land_plane
    if plane is not None:
        own_files = {name: f"{LAYERS}/{name}.geojson" for name in named}
        named |= {name: path for name, path in own_files.items() if named[name] is None and path in files}
    named = {name: path for name, path in named.items() if path is not None}
    regions = tuple((region.id, region.name) for region in setting(db, "regions"))
    problems: list[Problem] = []
    found: dict[str, Layer] = {} if plane is None else dict(_NOTHING)
    for name, path in named.items():
        file = files.get(path)
        if file is None:
            there = sorted(other for other in document.files if other.startswith("layers/"))
            hint = did_you_mean(path, there) or "; put it there, or take the key out"
            problems.append(
                Problem(
                    "settings",
                    f"layers.{name}",
                    f"layers.{name} names {path!r}, which is not in the package{hint}",
                    file=CONFIG_FILE,
                )
            )
            continue
        try:
            data = base64.b64decode(file.content)
            found[name] = late.read_layer(
                name, data if plane is None else plane.geojson_to_degrees(data), path, regions
            )
        except SourceError as error:
            texts = error.problems if plane is None else map(plane.describe, error.problems)
            problems += [_problem(f"layers.{name}", path, text) for text in texts]
    return FoundLayers(OwnLayers.model_validate(found) if found else None, tuple(problems))


def _problem(key: str, path: str, text: str) -> Problem:
    """Return the problem of a message `file#feature: what`, `file:row: what` or `file: what`."""
    if text.startswith(f"{path}#"):
        return Problem("settings", key, f"feature {text.removeprefix(path)}", file=path)
    return replace(parse_problem(text, table="settings", key=key), file=path)
