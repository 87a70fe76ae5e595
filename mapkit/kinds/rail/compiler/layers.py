"""The author's own layers of a document."""

import base64
from dataclasses import dataclass, field, replace
from typing import get_args

from mapkit.core.errors import SourceError, did_you_mean
from mapkit.core.problems import Problem, problem_of
from mapkit.document.document import File, Setting
from mapkit.geography.own_layers import OwnLayers
from mapkit.kinds.rail.model.source import BoardConfig
from mapkit.kinds.rail.sources.config import FILE as CONFIG_FILE
from mapkit.kinds.rail.sources.layers import Layer, LayerName, read_layer
from mapkit.kinds.rail.tables import RailDocument

LAYERS = "layers"
"""The author's own layers, among what a board says of itself."""


@dataclass(frozen=True)
class FoundLayers:
    """The layers, what is wrong with their files, and what they were read from.

    Args:
        layers: None where the board has the base map's.
        problems: What is wrong; such a layer is left out.
        made_of: The files and regions, or what a board without sources says.
    """

    layers: OwnLayers | None = None
    problems: tuple[Problem, ...] = ()
    made_of: tuple[object, ...] = field(default=(), repr=False)


def find_layers(document: RailDocument, config: BoardConfig, before: FoundLayers | None = None) -> FoundLayers:
    """Read the author's own layers of a document.

    Args:
        document: The document.
        config: Its settings.
        before: What an earlier document had; the same object where nothing of it changed.
    """
    if document.is_of_board:
        row = document.table("compiled").get(LAYERS)
        if row is None:
            return FoundLayers()
        if before is not None and before.made_of and before.made_of[0] is row:
            return before
        return FoundLayers(OwnLayers.model_validate(row.value if isinstance(row, Setting) else None), (), (row,))
    named = {name: getattr(config.layers, name) for name in get_args(LayerName)}
    named = {name: path for name, path in named.items() if path is not None}
    if not named:
        return FoundLayers()
    regions = tuple((region.id, region.name) for region in config.regions)
    files = {path: document.files.get(path) for path in named.values()}
    made_of = (named, regions, {path: file and file.sha256 for path, file in files.items()})
    if before is not None and before.made_of == made_of:
        return before
    problems: list[Problem] = []
    found: dict[str, Layer] = {}
    for name, path in named.items():
        file = files[path]
        if file is None:
            problems.append(Problem("settings", f"layers.{name}", _missing(name, path, document), file=CONFIG_FILE))
            continue
        try:
            found[name] = _layer(name, path, file, regions)
        except SourceError as error:
            problems += [_problem(f"layers.{name}", path, text) for text in error.problems]
    return FoundLayers(OwnLayers.model_validate(found) if found else None, tuple(problems), made_of)


def layers_of_board(layers: OwnLayers | None, document: RailDocument) -> FoundLayers:
    """Return the layers of a board as found in its document (`document_of_board`)."""
    return FoundLayers(layers, (), (document.table("compiled").get(LAYERS),)) if layers is not None else FoundLayers()


def _layer(name: LayerName, path: str, file: File, regions: tuple[tuple[str, str], ...]) -> Layer:
    return read_layer(name, base64.b64decode(file.content), path, regions)


def _missing(name: str, path: str, document: RailDocument) -> str:
    there = sorted(other for other in document.files if other.startswith("layers/"))
    hint = did_you_mean(path, there) or "; put it there, or take the key out"
    return f"layers.{name} names {path!r}, which is not in the package{hint}"


def _problem(key: str, path: str, text: str) -> Problem:
    """Return a problem of a message `file#feature: what`, `file:row: what` or `file: what`."""
    if text.startswith(f"{path}#"):
        return Problem("settings", key, f"feature {text.removeprefix(path)}", file=path)
    return replace(problem_of(text, table="settings", key=key), file=path)
