"""The report on a board as a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mapkit.core.errors import OutputError
from mapkit.core.findings import CheckReport
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.workspace import open_workspace
from mapkit.drawing.words.language import OWN
from mapkit.kinds.rail.api.boards import check
from mapkit.kinds.rail.api.loading import load_given
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network.report import Report, report
from mapkit.kinds.rail.render.report_page import render_report_page
from mapkit.kinds.rail.render.words import in_language


@dataclass(frozen=True)
class ReportPage:
    """Result of `report_page`: the board, its findings and report, and the path of the file."""

    board: Board
    checks: CheckReport
    report: Report
    path: Path

    def as_json(self) -> dict[str, object]:
        """Return the summary that `--json` prints."""
        counts = Counter(finding.severity.value for finding in self.checks.findings)
        head = {"board": self.board.id, "variants": list(self.board.variants), "file": str(self.path)}
        return {**head, "bytes": self.path.stat().st_size, "findings": dict(sorted(counts.items()))}


def report_page(
    board: Board | str | Path,
    *,
    out: str | Path,
    variants: Sequence[str] = (),
    language: str = OWN,
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> ReportPage:
    """Write the report on a board as one HTML page, with the drawn board, its charts and its findings.

    Args:
        board: A board, or the name or file of one, as for `load`.
        out: The file; its name ends in `.html` or `.htm`.
        variants: As for `load`.
        language: As in `Look`; findings are English in every language.
        workspace: As for `load`; `out` is taken from the current folder.
        progress: Called with the name of each stage as it begins.

    Raises:
        ChoiceError: mapkit does not print in that language.
        OutputError: The name is not valid for a page, or the file cannot be written; what was there is unchanged.
        SourceError: As for `load`; likewise VariantError, UnknownNameError and WorkspaceError.
    """
    path = Path(out)
    if path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path}: the page is HTML; give a name that ends in .html")
    loaded = load_given(board, variants, workspace, progress)
    loaded = in_language(loaded, language)
    progress("checking")
    checks = check(loaded)
    progress("reporting")
    summary = report(loaded)
    progress("drawing")
    space = open_workspace(workspace)
    is_package = not isinstance(board, Board) and not space.is_board_file(str(board))
    folder = space.board_folder(str(board)) if is_package else None
    page = render_report_page(loaded, summary, checks, folder=folder)
    progress("writing")
    write_files(path.parent, {path.name: page})
    return ReportPage(loaded, checks, summary, path)
