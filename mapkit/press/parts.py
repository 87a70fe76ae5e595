"""Selection of parts to print, and output of printouts, for boards of every kind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import PrintError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress
from mapkit.drawing.picture_files import picture_bytes
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.theme.files import OWN
from mapkit.drawing.theme.theme import Theme
from mapkit.drawing.words.language import Words
from mapkit.formats.zipped import zip_bytes
from mapkit.operations.options import Flag, Language
from mapkit.operations.options import Theme as ThemeName
from mapkit.press.bleed import add_bleed
from mapkit.press.job import PrintJob, Printout
from mapkit.press.preflight import preflight
from mapkit.press.printout import print_and_play
from mapkit.press.profiles import find_profile
from mapkit.press.separation import read_profile, separate_colours

_WHITE_FILL: Final = "#ffffff"
_LOW_TINT_FACTOR: Final = 0.35


@dataclass(frozen=True)
class PrintedParts:
    """Selection and appearance of the printed parts of a board.

    Attributes:
        only: `board`, `sheets`, `cards`, on railroad boards `money`, or ids of sheets; everything but money by default.
        theme: `board` for the one that the board's author chose, the name of a theme, or the file of one (`.toml`),
            looked for in the workspace.
        language: As in `Look`.
        low_ink: White ground and pale tints.
        dpi: Write each picture as PNG of so many dots per inch too, beside the PDF.
    """

    only: Annotated[
        Sequence[str],
        Flag("", "board,sheets,cards,money", "Print these only; ids of sheets work too.", reading="commas"),
    ] = ()
    theme: ThemeName = OWN
    language: Language = OWN
    low_ink: Annotated[bool, Flag("", help="White ground, pale tints.")] = False
    dpi: Annotated[float | None, Flag("", "N", "Write board, sheets and cards as PNG too.")] = None


def check_pdf_path(job: PrintJob, out: str | Path) -> Path:
    """Return the path of a PDF, or of the archive of a print order, after checking the job and the name.

    Raises:
        PrintError: As for `PrintJob.check`; or the name does not end in `.pdf`, or `.zip` with a profile.
    """
    job.check()
    pdf_path, ending = Path(out), ".pdf" if job.profile is None else ".zip"
    if pdf_path.suffix.lower() != ending:
        raise PrintError(f"{pdf_path}: the name of the printout ends in {ending}")
    return pdf_path


def write_printout(
    board_svg: str | None,
    sheets: Sequence[Sheet],
    job: PrintJob,
    path: Path,
    *,
    title: str,
    words: Words,
    dpi: float | None,
    progress: Progress,
) -> tuple[Printout, tuple[Path, ...]]:
    """Write a board and its sheets as one PDF, and optionally as PNG, or as the archive of a print order.

    All files are written or none.

    Args:
        board_svg: As for `print_and_play`.
        sheets: Likewise.
        job: Likewise; with a profile of a press, the file is in its inks.
        path: The PDF's.
        title: As for `print_and_play`.
        words: Likewise.
        dpi: Of pictures as PNG; None for none.
        progress: Called with the name of each stage as it begins.

    Returns:
        The printout, and what was written, the PDF first.

    Raises:
        PrintError: As for `print_and_play`; nothing was written.
        OutputError: A file could not be written; what was there is unchanged.
    """
    press_profile = None if job.cmyk is None else read_profile(job.cmyk)
    printout = print_and_play(board_svg, sheets, job, title=title, words=words, progress=progress)
    if press_profile is not None:
        progress("separating colours")
        press_note = f"PDF/X-4 in the inks of {press_profile.title!r}; greys and black are black ink alone"
        printout = replace(
            printout, pdf=separate_colours(printout.pdf, press_profile), notes=(*printout.notes, press_note)
        )
    content_by_name = {path.name: printout.pdf}
    if dpi is not None:
        pictures = [("board", board_svg)] if board_svg is not None else []
        for sheet in sheets:
            bleed = job.bleed if sheet.kind == "card" else 0.0
            pictures.append((sheet.id, add_bleed(sheet.svg, bleed)))
            if job.duplex and sheet.back is not None:
                pictures.append((f"{sheet.id}-back", add_bleed(sheet.back, bleed)))
        for name, svg in pictures:
            progress(f"drawing {name} at {dpi:g} dpi")
            content_by_name[f"{path.stem}-{name}.png"] = picture_bytes(svg, "png", dpi=dpi, name=name)[0]
    if job.profile is not None:
        report = preflight(find_profile(job.profile), job, printout, board_svg, sheets, dpi)
        pdf_bytes = content_by_name.pop(path.name)
        files: dict[str, str | bytes] = {f"{path.stem}.pdf": pdf_bytes, "preflight.txt": report, **content_by_name}
        content_by_name = {path.name: zip_bytes(files)}
    progress("writing")
    write_files(path.parent, content_by_name)
    return printout, tuple(path.parent / name for name in content_by_name)


def pale_theme(theme: Theme) -> Theme:
    """Return a theme that takes little ink: white ground and water, pale tints; lines and text unchanged."""
    return theme.model_copy(
        update={
            "water": _WHITE_FILL,
            "land": _WHITE_FILL,
            "paper": _WHITE_FILL,
            "panel": _WHITE_FILL,
            "coast_glow": _WHITE_FILL,
            "tint_opacity": round(theme.tint_opacity * _LOW_TINT_FACTOR, 3),
        }
    )
