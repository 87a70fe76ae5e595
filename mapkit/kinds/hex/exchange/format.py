"""Definition of formats of hexagon boards, and data read from their files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mapkit.core.names import board_stem
from mapkit.document.document import Row
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.hex.model.board import HexBoard


@dataclass(frozen=True)
class ReadHexes:
    """Board data of a file, as rows of its tables.

    Args:
        tables: Table -> rows in order; the settings are a table too. A table that is missing is not in the file.
        notes: What was left out or made up, a sentence each.
    """

    tables: Mapping[str, list[tuple[str, Row]]]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class HexExport:
    """Options of an export.

    Args:
        base_url: The address on the web where its user puts pictures, for formats that name pictures by address.
        variants: Variants that were applied to the board.
    """

    base_url: str | None = None
    variants: Sequence[str] = ()

    def stem(self, board: HexBoard) -> str:
        """Return the beginning of the files' names."""
        return board_stem(board.id, self.variants)


@dataclass(frozen=True)
class HexFormat:
    """Format for writing, and perhaps reading, boards of hexagons.

    Args:
        name: What `--to` calls it.
        title: What people call it, in a few words.
        suffixes: How names of its files end.
        carries: What it can hold, in a phrase.
        loses: What it cannot hold, in a phrase; `nothing` if it holds everything.
        write: Returns the files of a board; the same board gives the same bytes.
        is_one: Whether data of a file, parsed as far as its suffix says, is of this format.
        read: Returns what a file holds.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    carries: str
    loses: str
    write: Callable[[HexBoard, HexExport], ExportedBoard]
    read: Callable[[Path], ReadHexes] | None = field(default=None)
