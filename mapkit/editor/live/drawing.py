"""The network of a board with traced lines, traced again only when something that it is made of changed."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mapkit.editor.document import Document
from mapkit.editor.live.railroads import Problem
from mapkit.editor.live.source import document_to_source
from mapkit.errors import MapkitError
from mapkit.model.network import Network
from mapkit.model.source import BoardConfig
from mapkit.sources.import_any import SUFFIXES
from mapkit.trace.network import trace

_MADE_OF = ("files", "cities", "places", "lines", "control_points")


@dataclass(frozen=True)
class Drawing:
    """The network that a build traces; None if it cannot be traced as it is."""

    network: Network | None
    problems: tuple[Problem, ...]
    key: tuple[object, ...] = field(repr=False)


def has_drawing(document: Document) -> bool:
    """Return whether a document has traced lines."""
    return any(path.startswith("lines/") and PurePosixPath(path).suffix.lower() in SUFFIXES for path in document.files)


def read_drawing(
    document: Document, board_id: str, config: BoardConfig, before: Drawing | None = None
) -> Drawing | None:
    """Return the network of a document with traced lines, or None if it has none.

    This takes as long as a build traces; an edit of charts, rules, colours or prices takes the one before.
    """
    if not has_drawing(document):
        return None
    railroads = tuple((key, row.name, row.short, row.public) for key, row in sorted(document.railroads.items()))
    regions = tuple(region.id for region in config.regions)
    key = (
        *(document.table(name) for name in _MADE_OF),
        (railroads, regions, config.tracing, config.spacing, config.gazetteer),
    )
    if before is not None and _same(before.key, key):
        return before
    try:
        return Drawing(trace(document_to_source(document, board_id=board_id)), (), key)
    except MapkitError as error:
        return Drawing(None, (Problem("files", "", str(error)),), key)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return all(a is b for a, b in zip(one[:-1], other[:-1], strict=True)) and one[-1] == other[-1]
