"""A document as the source package that saving it would give, without writing it down."""

import base64
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from mapkit.compile import compile_board
from mapkit.editor.document import Document
from mapkit.editor.saving import all_files
from mapkit.errors import SourceError
from mapkit.model.board import Board
from mapkit.model.source import RailroadRow, Source
from mapkit.output import write_files
from mapkit.sources.cities import FILE as CITIES
from mapkit.sources.config import FILE as CONFIG_FILE
from mapkit.sources.config import parse_config
from mapkit.sources.package import MAPPING, RAILROADS, chart_files, source_of
from mapkit.sources.traced_files import TracedFiles, read_traced


def document_to_source(document: Document, *, board_id: str) -> Source:
    """Return the source package that a document is.

    Files and rows are those that saving it afresh would write. Only traced lines touch the disk, in a folder that is
    gone afterwards, for their readers want files.

    Raises:
        SourceError: The document cannot be built; every problem is told.
        WorkspaceError: A chart is missing that nothing stands in for.
    """
    files = all_files(document)
    texts = {name: text for name, text in files.items() if isinstance(text, str)}
    lines = any(name.startswith("lines/") for name in files)
    if not lines:
        raise SourceError("the board has no lines yet; draw one, for a board needs at least one line")
    for name, what in ((RAILROADS, "railroads"), (CITIES, "cities")):
        if not document.table(what):
            raise SourceError(f"{name}: the board has no {what} yet; add one")
    config = parse_config(texts[CONFIG_FILE])
    charts = {name for name in texts if name.startswith("charts/")}
    used = set(chart_files(charts, config))
    texts = {name: text for name, text in texts.items() if name not in charts or name in used}
    if MAPPING in files:
        texts[MAPPING] = _text(files[MAPPING])
    drawn = {name: row.content for name, row in document.files.items() if name.startswith("lines/") and name != MAPPING}

    def read_drawn(railroads: list[RailroadRow]) -> TracedFiles | None:
        if not drawn:
            return None
        rows = tuple(railroads)
        return _traced(tuple(sorted(drawn.items())), rows, config.tracing.crs, texts.get(MAPPING))

    return source_of(board_id, texts, config=config, read_drawn=read_drawn)


def document_to_board(document: Document, *, board_id: str) -> Board:
    """Return the board that a build would make of a document.

    Raises:
        SourceError: As for `document_to_source`, or the lines, projection or page do not fit together.
        WorkspaceError: As for `document_to_source`.
    """
    return compile_board(document_to_source(document, board_id=board_id))


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", errors="replace")


@lru_cache(maxsize=2)
def _traced(
    drawn: tuple[tuple[str, str], ...], railroads: tuple[RailroadRow, ...], crs: str | None, mapping: str | None
) -> TracedFiles:
    files: Mapping[str, str | bytes] = {name: base64.b64decode(content) for name, content in drawn}
    with tempfile.TemporaryDirectory(prefix="mapkit-lines-") as folder:
        write_files(Path(folder), files)
        return read_traced(Path(folder), sorted(files), railroads=railroads, crs=crs, mapping=mapping)
