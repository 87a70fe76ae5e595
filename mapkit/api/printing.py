"""Printouts of boards of every kind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from mapkit.core.errors import PrintError, UnknownNameError
from mapkit.core.names import board_stem
from mapkit.core.progress import Progress, quiet
from mapkit.drawing.theme.files import find_theme
from mapkit.kinds.operations import read_options
from mapkit.kinds.registry import operations_of
from mapkit.operations.options import BoardName, Output, Variants, Workspace
from mapkit.press.job import PrintJob, Printout
from mapkit.press.parts import PrintedParts, check_pdf_path, pale_theme, write_printout
from mapkit.press.profiles import find_profile
from mapkit.press.separation import read_profile


@dataclass(frozen=True)
class Printed:
    """Printed board: the job, the PDF with the contents of its pages, and the files, the PDF first."""

    board: Any
    job: PrintJob
    printout: Printout
    files: tuple[Path, ...]
    variants: Sequence[str] = ()

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        plan, sections = self.printout.plan, self.printout.sections
        return {
            "board": self.board.id,
            "variants": list(self.variants),
            "files": [str(path) for path in self.files],
            "profile": self.job.profile,
            "paper": self.job.paper.lower(),
            "sheet_paper": self.job.for_sheets[0],
            "pages": self.printout.pages,
            "sections": [{"title": one.title, "first": one.first, "pages": one.pages} for one in sections],
            "tiles": None if plan is None else {"columns": plan.columns, "rows": plan.rows, "overlap": plan.overlap},
            "notes": list(self.printout.notes),
        }


def print_board(
    board: Any | BoardName,  # noqa: ANN401 - a board of any kind
    job: PrintJob | None = None,
    *,
    out: Annotated[str | Path | None, Output(metavar="FILE.pdf")] = None,
    parts: PrintedParts | None = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
    **options: object,
) -> Printed:
    """Write a board to print and play, as one PDF.

    Tiles overlap and have crop marks and crosses to lay over each other; an assembly plan shows where they go. Fonts
    are embedded, text can be selected, and the same board gives the same bytes. All files are written or none.

    Args:
        board: A board, or the name or file of one, as for `load`.
        job: Paper, tiles, bleed, scale.
        out: The PDF; BOARD-PAPER.pdf by default, and BOARD-PROFILE.zip of a print order.
        parts: What is printed, and how it looks; everything in the board's own theme by default.
        variants: Variants to apply first.
        workspace: The folder that holds `sources/`; themes are looked for there too.
        progress: Called with the name of each stage as it begins.
        options: Options of the board's kind: `card_size` of card games.

    Raises:
        PrintError: The job does not fit the paper, or a picture cannot be drawn; nothing was written.
        ChoiceError: There is no such theme, language, part or option.
        OutputError: A file could not be written; what was there is unchanged.
        MapkitError: There is no such board, or its files are wrong.
    """
    job, parts = job or PrintJob(), parts or PrintedParts()
    profile = None if job.profile is None else find_profile(job.profile)
    if profile is not None:
        job = profile.complete(job)
        parts = replace(parts, only=parts.only or profile.only, dpi=parts.dpi or profile.dpi)
    named = Path(board).stem if isinstance(board, str | Path) else str(board.id)
    ending = f"{job.profile}.zip" if job.profile else f"{'booklet' if job.booklet else job.paper.lower()}.pdf"
    path = check_pdf_path(job, out or f"{board_stem(named or 'board', variants)}-{ending}")
    if job.cmyk is not None:
        read_profile(job.cmyk)  # before the board is laid out, which takes long
    kind = operations_of(board, workspace)
    chosen = read_options(kind.print_options, options)
    theme = find_theme(parts.theme, folder=Path(workspace or "."))
    loaded = kind.load(board, variants=variants, workspace=workspace, progress=progress)
    loaded = kind.in_language(loaded, parts.language)
    dressed = kind.dress(theme, loaded)
    progress("drawing")
    try:
        pages = kind.pages(loaded, pale_theme(dressed) if parts.low_ink else dressed, job, parts, chosen)
    except UnknownNameError as error:
        if profile is None or parts.only is not profile.only:
            raise
        raise PrintError(
            f"--profile {job.profile}: {loaded.id} has no {parts.only[0]} to print; take another profile"
        ) from error
    job = job if profile is None else profile.fit(job, pages.picture)
    printout, files = write_printout(
        pages.picture, pages.sheets, job, path, title=pages.title, words=pages.words, dpi=parts.dpi, progress=progress
    )
    return Printed(loaded, job, printout, files, getattr(loaded, "variants", variants))
