"""Comparing payoff charts."""

from collections.abc import Sequence
from pathlib import Path

from mapkit.core.errors import MapkitError
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.payoffs.reading import read_several
from mapkit.kinds.rail.charts.payoffs.board_readings import chart_of_board, is_computed
from mapkit.kinds.rail.charts.payoffs.chart_comparison import (
    FixedGeometry,
    Geometry,
    PayoffDiff,
    diff_charts,
    make_names_unique,
)
from mapkit.kinds.rail.charts.payoffs.diagnosed_geometry import DiagnosedGeometry
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.sources.payoffs.file_content import ReadOptions


def diff_payoffs(
    charts: Sequence[str | Path],
    *,
    board: str | Path | None = None,
    workspace: str | Path | None = None,
    options: ReadOptions | None = None,
    geometry: Geometry | str | Path | None = None,
    sd: float | None = None,
    step: float = 0.5,
) -> PayoffDiff:
    """Return where payoff charts disagree, how they vote, which have a common source, and what geometry supports.

    Args:
        charts: Files or boards, as for `read_payoffs`, two or more.
        board: As for `read_payoffs`. What its own chart has, unless computed, is the print, which joins no charts.
        workspace: As for `load`.
        options: What the user says of all files.
        geometry: A model of what pairs of cities should pay: `"board"` for the model that judges a chart by the
            board's track and the amounts on which most charts agree (`board` must be given), the file of a chart,
            such as a computed one, or a function. `"auto"` is `"board"` if a board is given that has track.
        sd: Where `geometry` is a chart: how far off it is as a rule, thousands; inferred from the amounts by default.
        step: The grid of the amounts, thousands.

    Raises:
        MapkitError: There are fewer than two charts, or they have no cities in common.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
    """
    if geometry == "auto":
        geometry = "board" if board is not None and has_track(board, workspace=workspace) else None
    held = [] if geometry is None or callable(geometry) or geometry == "board" else [geometry]
    read = read_several([*charts, *held], board=board, workspace=workspace, options=options)
    loaded = None if board is None else load(board, workspace=workspace)
    model: Geometry | None = geometry if callable(geometry) else None
    if geometry == "board":
        if loaded is None:
            raise MapkitError("the geometry of a board needs the board; name it with --board, such as --board usa")
        model = DiagnosedGeometry(board_distances(loaded, [city.id for city in loaded.cities]), step=step)
    elif held:
        model = FixedGeometry(read.pop().chart, sd)
    own = None if loaded is None or is_computed(loaded) else chart_of_board(loaded, name=str(board))
    return diff_charts(make_names_unique([found.chart for found in read]), geometry=model, own=own)


def has_track(board: str | Path, *, workspace: str | Path | None = None) -> bool:
    """Return whether a board, given as for `load`, has lines that distances can be measured along."""
    space = open_workspace(workspace)
    if str(board).endswith(".json"):
        return bool(load(board, workspace=workspace).segments)
    return any((space.board_folder(str(board)) / "lines").glob("*"))
