"""Drawing a board in a theme, and the colours of its railroads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from mapkit.core.csvtext import csv_text
from mapkit.core.errors import UnknownNameError, did_you_mean
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.document.plain_tables import cell_text
from mapkit.drawing.theme.files import OWN, find_theme
from mapkit.kinds.rail.api.loading import load_given
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.colours.distances import ColourReport, report_colour_distances
from mapkit.kinds.rail.render.colours.solver import SolvedColours, solve_colours
from mapkit.operations.options import BoardName, Flag, Output, Variants, Workspace
from mapkit.operations.options import Theme as ThemeName


@dataclass(frozen=True)
class Colours:
    """How far apart the colours of a board's railroads are."""

    board: Board
    report: ColourReport

    def as_json(self) -> ColourReport:
        """Return the result as `--json` prints it."""
        return self.report


@dataclass(frozen=True)
class Recoloured:
    """Result of `recolour`: the board and its colours before and after, and the styles of all railroads."""

    before: Colours
    after: Colours
    solved: SolvedColours

    def as_json(self) -> dict[str, object]:
        """Return both reports and the styles of railroads."""
        styles = {ident: style.model_dump() for ident, style in self.solved.styles.items()}
        reports = {"before": self.before.report.model_dump(), "after": self.after.report.model_dump()}
        return {**reports, "styles": styles}


def judge_colours(
    board: BoardName,
    *,
    theme: ThemeName = OWN,
    solve: bool = False,
    keep: Annotated[Sequence[str], Flag("", "PA,NYC,...", reading="commas")] = (),
    near: Annotated[float, Flag("", "DISTANCE", "", 0, 200)] = 22,
    out: Annotated[str | Path | None, Output("-o", "FILE.csv")] = None,
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> Colours | Recoloured:
    """Judge the colours of railroads, or find better ones.

    Prints CIEDE2000 differences under normal sight and as people without red, green or blue cones see them,
    and the difference of lightness that a grey copy leaves. Railroads nearer than 10 must have different patterns.

    Args:
        board: As for `load`.
        solve: Find colours and patterns that are far apart and near the liveries.
        keep: Railroads that keep their colour and pattern.
        near: How far a colour may move (CIEDE2000); 100 for anywhere.
        out: Write the solved railroads.csv there.

    Raises:
        MapkitError: As for `colours` and `recolour`.
    """
    given: dict[str, Any] = {"theme": theme, "variants": variants, "workspace": workspace, "progress": progress}
    return recolour(board, keep=keep, near=near, out=out, **given) if solve else colours(board, **given)


def colours(
    board: Board | str | Path,
    *,
    theme: str = OWN,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Colours:
    """Measure how far apart the colours of railroads that touch are, for people with any colour vision.

    Args:
        board: A board, or the name or file of one, as for `load`.
        theme: As in `Look`.
        variants: As for `load`.
        workspace: As for `draw`.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant or theme.
        MapkitError: As for `load`.
    """
    look = find_theme(theme, folder=Path(workspace or "."))
    loaded = load_given(board, variants, workspace, progress)
    progress("measuring")
    return Colours(loaded, report_colour_distances(loaded, apply_board_sizes(look, loaded)))


def recolour(
    board: Board | str | Path,
    *,
    theme: str = OWN,
    keep: Iterable[str] = (),
    near: float = 22,
    out: str | Path | None = None,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> Recoloured:
    """Find colours and patterns of railroads that are far apart, and near the liveries.

    Args:
        board: A board, or the name or file of one, as for `load`.
        theme: As in `Look`.
        keep: Railroads that keep their colour and pattern, by id or reporting mark.
        near: How far a colour may move (CIEDE2000); 100 for anywhere.
        out: Where to write the solved `railroads.csv`; nowhere by default.
        variants: As for `load`.
        workspace: As for `draw`.
        progress: Called with the name of each stage as it begins.

    Raises:
        UnknownNameError: There is no such board, variant, theme or railroad.
        OutputError: The table cannot be written.
        MapkitError: As for `load`.
    """
    look = find_theme(theme, folder=Path(workspace or "."))
    before = colours(board, theme=theme, variants=variants, workspace=workspace, progress=progress)
    progress("solving")
    solved = solve_colours(before.board, keep=_railroads(before.board, keep), near=near)
    after = restyled(before.board, solved)
    if out is not None:
        write_files(Path(out).parent, {Path(out).name: railroads_csv(after)})
    return Recoloured(before, Colours(after, report_colour_distances(after, apply_board_sizes(look, after))), solved)


def _railroads(board: Board, given: Iterable[str]) -> frozenset[str]:
    """Return the ids of railroads given by id or reporting mark.

    Raises:
        UnknownNameError: One is unknown.
    """
    known = {r.id: r.id for r in board.railroads} | {r.short.casefold(): r.id for r in board.railroads}
    ids = set()
    for name in given:
        if name.casefold() not in known:
            marks = [r.short for r in board.railroads]
            raise UnknownNameError(f"{name!r} is not a railroad of {board.title}{did_you_mean(name, marks)}")
        ids.add(known[name.casefold()])
    return frozenset(ids)


def restyled(board: Board, solved: SolvedColours) -> Board:
    """Return a board with solved styles."""
    changed = tuple(r.model_copy(update={"style": solved.styles[r.id]}) for r in board.railroads)
    return board.model_copy(update={"railroads": changed})


def railroads_csv(board: Board) -> str:
    """Return a board's railroads in the form of the source package's `railroads.csv`."""
    rows = [
        (r.id, r.name, r.short, r.price, cell_text(r.public), r.style.colour, r.style.pattern) for r in board.railroads
    ]
    return csv_text([("id", "name", "short", "price", "public", "colour", "pattern"), *rows])
