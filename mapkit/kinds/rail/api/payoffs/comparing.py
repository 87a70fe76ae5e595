"""Comparing payoff charts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from mapkit.core.errors import ChoiceError
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.api.payoffs.reading import ChartBoard, read_several
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
from mapkit.operations.options import Argument, Fields, Flag, Workspace

_LARGEST_SD: Final = 1000
"""Of a chart that amounts are held against, thousands."""


def diff_payoffs(
    charts: Annotated[
        Sequence[str | Path],
        Argument("", "CHART...", "Two or more: files as for payoffs read, or boards.", reading="name"),
    ],
    *,
    board: ChartBoard = None,
    geometry: Annotated[
        Geometry | str | Path | None,
        Flag(
            "--geometry -g --expected -e",
            "auto|board|none|CHART",
            "What amounts are held against: the model of payoffs check on the board's track (so by default if the "
            "board has track), nothing, or a chart, such as a computed one.",
            reading="name",
        ),
    ] = "auto",
    sd: Annotated[
        float | None, Flag("", "X", "The typical error of that CHART, thousands; inferred if not given.")
    ] = None,
    step: Annotated[float, Flag("", "THOUSANDS", "The grid of the amounts, thousands.", 0.01, 10)] = 0.5,
    options: Annotated[ReadOptions | None, Fields("unit decimal accept accept_ocr names")] = None,
    workspace: Workspace = None,
) -> PayoffDiff:
    """Compare payoff charts: every cell in which they disagree, with votes.

    Charts with more errors in common than chance gives have a common source; such a family has one vote. The board's
    own chart counts as the print, and its readings join no charts. Says which reading the geometry supports, if the
    difference exceeds its noise; the geometry decides where no two families agree.

    Args:
        charts: Files or boards, as for `read_payoffs`, two or more.
        board: As for `read_payoffs`. What its own chart has, unless computed, is the print, which joins no charts.
        geometry: A model of what pairs of cities should pay: `"board"` for the model that judges a chart by the
            board's track and the amounts on which most charts agree (`board` must be given), the file of a chart,
            such as a computed one, or a function; None or `"none"` for nothing. `"auto"` is `"board"` if a board is
            given that has track.
        sd: Where `geometry` is a chart: how far off it is as a rule, thousands; inferred from the amounts by default.
        options: What the user says of all files.
        workspace: As for `load`.

    Raises:
        ChoiceError: `sd` is given without a chart to hold the amounts against, or is not above 0.
        MapkitError: There are fewer than two charts, or they have no cities in common.
        SourceError: As for `read_payoffs`; likewise UnknownNameError and WorkspaceError.
    """
    if sd is not None and (geometry in (None, "auto", "board", "none") or not 0 < sd <= _LARGEST_SD):
        raise ChoiceError("--sd goes with --geometry CHART, and is more than 0")
    if geometry == "none":
        geometry = None
    if geometry == "auto":
        geometry = "board" if board is not None and has_track(board, workspace=workspace) else None
    held = [] if geometry is None or callable(geometry) or geometry == "board" else [geometry]
    read = read_several([*charts, *held], board=board, workspace=workspace, options=options)
    loaded = None if board is None else load(board, workspace=workspace)
    model: Geometry | None = geometry if callable(geometry) else None
    if geometry == "board":
        if loaded is None:
            raise ChoiceError("the geometry of a board needs the board; name it with --board, such as --board usa")
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
