"""What a format is: a name, what it can and cannot carry, and a function that writes a board in it.

A package of anybody adds a format with an entry point of the group `mapkit.exchange` that leads to an object of this
shape (a module or an instance): `[project.entry-points."mapkit.exchange"]`, `name = "package.module:FORMAT"`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from mapkit.core.findings import CheckReport
from mapkit.exchange.plan import Exported
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.versions import BOARD_VERSION, BoardVersion

GROUP = "mapkit.exchange"
"""The entry point group."""

RB3Encoding = Literal["windows-1252", "utf-8"]
"""Of names in RB3: what the program itself reads, or what some other readers expect."""


@dataclass(frozen=True)
class ExportOptions:
    """What the user or the caller says about an export.

    Attributes:
        checks: What the checks found, if they ran already; a format that carries findings runs them otherwise.
        base_url: Where its user puts the files on the web, for formats whose files point to each other by address.
        folder: Where the files will lie on this machine, if they are written; stated only by such formats, and only
            without `base_url`.
        board_version: The version of the board file that formats write which carry it as such.
        rb3_encoding: Of RB3 files.
        stem: The beginning of names of files, `usa+quick`; the board's id by default.
    """

    checks: CheckReport | None = None
    base_url: str | None = None
    folder: Path | None = None
    board_version: BoardVersion = BOARD_VERSION
    rb3_encoding: RB3Encoding = "windows-1252"
    stem: str = ""

    def file_stem(self, board: Board) -> str:
        """Return the beginning of names of a board's files."""
        return self.stem or board.id


@runtime_checkable
class Format(Protocol):
    """A format that boards can be written in.

    Attributes:
        name: What `--to` calls it: lower-case letters, digits, hyphens.
        title: What people call it, in a few words.
        suffixes: How names of its files end, the most informative first (`.gpkg`); reading goes by them.
        carries: What it can hold, in a phrase.
        loses: What it cannot hold, in a phrase; `nothing` if it holds everything.
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

    def export(self, board: Board, options: ExportOptions) -> Exported:
        """Return the files; the same board gives the same bytes.

        Raises:
            ExportError: The format cannot hold this board; the text says what of it, and what to do.
        """
        ...


@runtime_checkable
class ReadingFormat(Format, Protocol):
    """A format that boards can be read from as well."""

    def read(self, path: Path) -> Board:
        """Return the board that a file holds.

        Raises:
            SourceError: It is damaged, too large, or no board; the text names the place and what to do.
            WorkspaceError: It is missing or may not be read.
        """
        ...


@runtime_checkable
class EditedFormat(Format, Protocol):
    """A format in which other programs edit a board, though they may drop what they do not know of it."""

    def read_edited(self, path: Path, base: Board) -> Board:
        """Return the board that a file holds now; what it lacks is as in the board that it was exported from.

        Raises:
            SourceError: It is damaged, too large, or no board; the text names the place and what to do.
            WorkspaceError: It is missing or may not be read.
        """
        ...
