"""Pictures turned into PDF or PNG."""

from pathlib import Path
from typing import Annotated

from mapkit.core.errors import ChoiceError, PrintError, did_you_mean
from mapkit.drawing.picture_files import KINDS, write_picture
from mapkit.formats.files import read_text
from mapkit.operations.options import Argument, Flag, Output


class ConvertedPicture(tuple[Path, tuple[str, ...]]):
    """File that was written, and notes on it."""

    __slots__ = ()

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        return {"file": str(self[0]), "notes": list(self[1])}


def convert_picture(
    file: Annotated[str | Path, Argument("", "FILE.svg")],
    *,
    to: Annotated[str, Flag("-t", "pdf|png|svg")] = "pdf",
    out: Annotated[str | Path | None, Output("-o", "FILE")] = None,
    dpi: Annotated[float, Flag("", "N")] = 300.0,
    fonts: Annotated[str, Flag("", "name|embed|paths")] = "name",
) -> ConvertedPicture:
    """Turn an SVG drawing into PDF, PNG or portable SVG.

    Only the fonts that mapkit ships are used, whatever the machine has. A PDF has exactly the size of the drawing.

    Args:
        file: A drawing, such as build/usa/board.svg.
        to: What to make of it.
        out: Where to; beside the drawing by default.
        dpi: Dots per inch of a PNG.
        fonts: Fonts of an SVG: named, embedded, or as outlines.

    Returns:
        What was written, and what its user should know.

    Raises:
        PrintError: The file is not an SVG or cannot be drawn; or `out` is the file itself.
        WorkspaceError: The file is missing or may not be read.
        SourceError: It is not a UTF-8.
        OutputError: The file could not be written.
    """
    path = Path(file)
    if to not in KINDS:
        raise ChoiceError(f"{to!r} is not a kind of picture{did_you_mean(to, KINDS)}; {', '.join(KINDS)} are")
    target = Path(out) if out is not None else path.with_suffix(f".{to}")
    if target.resolve() == path.resolve():
        raise PrintError(f"{path}: this is the file that is read; name another with --out")
    if target.suffix.lower() != f".{to}":
        raise PrintError(f"{target}: the name of a {to.upper()} ends in .{to}")
    svg = read_text(path, name=str(path))
    notes = write_picture(svg, target, dpi=dpi, fonts=fonts, name=str(path))
    return ConvertedPicture((target, notes))
