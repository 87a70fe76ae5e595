"""Protocols of formats: a name, descriptions of contents and losses, and functions that write and read boards.

Any installed package can add a format: its entry point of the group `mapkit.exchange` leads to an object with these
attributes (a module or an instance): `[project.entry-points."mapkit.exchange"]`, `name = "package.module:FORMAT"`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from mapkit.core.errors import ExportError
from mapkit.core.findings import CheckReport
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import BOARD_VERSION, BoardVersion

GROUP = "mapkit.exchange"
"""The entry point group."""

RB3Encoding = Literal["utf-8", "windows-1252"]
"""Encoding of names in RB3: the one of Boxcars, the reader in use today, or the one of Rail Baron Player."""


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export that the user or the caller sets.

    Attributes:
        checks: Findings of the checks, if they ran already; otherwise a format that carries findings runs them.
        base_url: Web address of the folder of files, for formats whose files refer to each other by address.
        board_version: Version of the board file, for formats that contain one.
        rb3_encoding: Encoding of RB3 files.
        stem: Stem of file names, such as `usa+quick`; the board's id by default.
    """

    checks: CheckReport | None = None
    base_url: str | None = None
    board_version: BoardVersion = BOARD_VERSION
    rb3_encoding: RB3Encoding = "utf-8"
    stem: str = ""

    def file_stem(self, board: Board) -> str:
        """Return the stem of a board's file names."""
        return self.stem or board.id


def refuse_invented_land(board: Board, title: str) -> None:
    """Raise if a format of positions on the earth cannot hold a board.

    Raises:
        ExportError: The land is invented.
    """
    if board.projection.plane is not None:
        raise ExportError(
            f"{title} holds longitude and latitude, but the land of {board.title} is invented and has none; "
            "export svg, pdf, vassal or another format that shows the page"
        )


@runtime_checkable
class Format(Protocol):
    """Writing format of boards.

    Attributes:
        name: Name for `--to`: lower-case letters, digits, hyphens.
        title: Usual name, in a few words.
        suffixes: Suffixes of file names, the most informative first (`.gpkg`); they select the format on reading.
        carries: Phrase for the contents that it can hold.
        loses: Phrase for the contents that it cannot hold; `nothing` if it holds everything.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def suffixes(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def carries(self) -> str: ...  # noqa: D102

    @property
    def loses(self) -> str: ...  # noqa: D102

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:
        """Return the files; the same board gives the same bytes.

        Raises:
            ExportError: The format cannot hold this board; the message names the part and a cure.
        """
        ...


@runtime_checkable
class ReadingFormat(Format, Protocol):
    """Reading and writing format of boards."""

    def read(self, path: Path) -> Board:
        """Return the board that a file holds.

        Raises:
            SourceError: It is damaged, too large, or no board; the message names the place and a cure.
            WorkspaceError: It is missing or may not be read.
        """
        ...


@runtime_checkable
class EditedFormat(Format, Protocol):
    """Format that other programs edit, even if they drop parts that they do not know."""

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board of an edited file, completed from the board that it was exported from.

        Raises:
            SourceError: It is damaged, too large, or no board; the message names the place and a cure.
            WorkspaceError: It is missing or may not be read.
        """
        ...
