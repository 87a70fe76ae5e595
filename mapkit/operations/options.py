"""Options of operations: marks in the annotations of a function, and types of options that many functions have.

`matches: Annotated[int, Flag("-n", "N")] = 1_000` is the option `--matches, -n N`; its help is the text of `matches`
in the docstring.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

Reading = Literal["as it is", "name", "commas", "settings", "percent"]
"""Form of an option's text: as its type has it, a name rather than a path, a list with commas, `PATH=VALUE`, `0.5%`."""


@dataclass(frozen=True)
class Flag:
    """Mark of an option in the annotation of a parameter.

    Attributes:
        flags: Flags, `-n` beside the one that follows from the parameter's name, or `--set -s` in its place.
        metavar: Name of the value in the help.
        help: Help, if the docstring is not to give it.
        least: Smallest number.
        most: Largest number.
        reading: Form of its text.
        written: Whether the command writes the file or folder.
        parse: Module and name of the function that reads its text, or its texts if it is repeated; its ValueError says
            what is wrong with them.
    """

    flags: str = ""
    metavar: str = ""
    help: str = ""
    least: float | None = None
    most: float | None = None
    reading: Reading = "as it is"
    written: bool = False
    parse: str = ""


@dataclass(frozen=True)
class Argument(Flag):
    """Mark of a parameter that a command line names by its position."""


@dataclass(frozen=True)
class Output(Flag):
    """Mark of a file or folder that is written."""

    flags: str = "-o"
    written: bool = True


class Fields:
    """Mark of a parameter with a class of options as its fields."""

    def __init__(self, names: str = "", *, without: str = "", **defaults: object) -> None:
        """Choose the fields, in order.

        Args:
            names: Names of fields; all by default.
            without: Names of fields that are left out.
            defaults: Defaults of fields in place of the class's own; None for none. A command gives a hidden field this
                value.
        """
        self.names, self.without, self.defaults = names.split(), without.split(), defaults


@dataclass(frozen=True)
class NoOptions:
    """Options of a kind of board that adds none."""


class Hidden:
    """Mark of a parameter that only Python has."""


EITHER = "A board, a board with variants (usa+first-printing), a variant, or a file (board.json, .toml)."
BoardName = Annotated[
    str | Path,
    Argument(
        metavar="BOARD",
        help="A board of the workspace or a shipped one (usa), the folder of a source package, or a board.json.",
        reading="name",
    ),
]
Workspace = Annotated[
    str | Path | None,
    Flag("-w", "FOLDER", "The folder that holds sources/ and build/; the current one by default."),
]
Variants = Annotated[
    Sequence[str],
    Flag(
        "--variant",
        "VARIANT",
        "Apply this variant, or the file of one (.toml); may be repeated, in order.",
    ),
]
Theme = Annotated[
    str,
    Flag("-t", "THEME|FILE", "A theme (mapkit list themes), or a file of one (.toml)."),
]
Language = Annotated[str, Flag("", "TAG", "Words in en, es, es-MX, pt or pt-BR; as board.toml says by default.")]
Brightness = Annotated[int, Flag("", "STEP", "-1 darker, 1 brighter than the theme.", -1, 1)]
Contrast = Annotated[int, Flag("", "STEP", "1 for higher contrast.", 0, 1)]
DotNames = Annotated[bool, Flag("--dot-names/--no-dot-names", help="Names of mileposts that are not cities.")]
Fonts = Annotated[str, Flag("", "name|embed|paths", "How an SVG carries its fonts.")]
PictureDpi = Annotated[float, Flag("", "DPI", "Dots per inch of a PNG.")]
Seed = Annotated[int, Flag("", "N")]
Until = Annotated[
    float | None,
    Flag("", "0.5%", "Stop when the win rates of players and seats are so exact.", reading="percent"),
]
Workers = Annotated[int | None, Flag("", "N", "Processors to use; all by default.", 1, 256)]
Checkpoint = Annotated[str | Path | None, Flag("", "FILE", "Keep the sums there, so that the run can go on later.")]
Resume = Annotated[bool, Flag("", help="Go on from the checkpoint.")]
Settings = Annotated[Mapping[str, object] | None, Flag("--set -s", "PATH=VALUE", reading="settings")]
ManyMileposts = Annotated[bool, Flag("--yes", help="Place more mileposts by rule than boards have (1,000).")]
