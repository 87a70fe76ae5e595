"""Boards of hexagons for tests."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from mapkit.document.changes import apply
from mapkit.kinds.hex.compiler import CompiledHexes
from mapkit.kinds.hex.kind import HEX
from mapkit.kinds.hex.tables import HexDocument


def example_texts() -> dict[str, str]:
    """Return the files of the small example that `mapkit new --kind hex` writes."""
    return {name: data.decode() for name, data in HEX.new_files(example=True).items()}


@cache
def example() -> HexDocument:
    """Return its document."""
    return HEX.document_of(example_texts())


def compiled(document: HexDocument) -> CompiledHexes:
    """Return its board."""
    return HEX.compile(document, board_id="valleys")


def done(document: HexDocument, *commands: Mapping[str, Any]) -> HexDocument:
    """Return a document after commands."""
    for command in commands:
        document = apply(document, HEX.commands.read(command).plan(document).patch)
    return document
