"""All sheets of a board, by group."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.drawing.sheet import Paper, Sheet
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.sheets.bills import money_sheets
from mapkit.kinds.rail.render.sheets.chips import chip_sheets
from mapkit.kinds.rail.render.sheets.deeds import deed_sheets
from mapkit.kinds.rail.render.sheets.destinations import destination_sheets
from mapkit.kinds.rail.render.sheets.engines import engine_sheets
from mapkit.kinds.rail.render.sheets.job import SheetJob
from mapkit.kinds.rail.render.sheets.pads import pad_sheets
from mapkit.kinds.rail.render.sheets.payoffs import payoff_sheets
from mapkit.kinds.rail.render.sheets.reference import reference_sheets
from mapkit.kinds.rail.render.sheets.rules_pages import rule_sheets

GROUPS: Final[Mapping[str, Callable[[SheetJob], list[Sheet]]]] = {
    "reference": reference_sheets,
    "rules": rule_sheets,
    "destinations": destination_sheets,
    "payoffs": payoff_sheets,
    "deeds": deed_sheets,
    "engines": engine_sheets,
    "chips": chip_sheets,
    "pads": pad_sheets,
    "money": money_sheets,
}
"""Groups of sheets, in the order in which they are returned."""

UNASKED: Final = tuple(name for name in GROUPS if name != "money")
"""Groups that are returned if none is named; players with money of their own need no notes."""


def sheets(
    board: Board,
    theme: Theme | None = None,
    paper: Paper = "a4",
    *,
    only: Collection[str] = (),
    layout: Layout | None = None,
) -> tuple[Sheet, ...]:
    """Make the sheets of a board; the same board, theme and paper give the same bytes.

    Args:
        board: The board; sheets of charts that it lacks are left out.
        theme: Colours; those that its author chose by default.
        paper: The size of pages.
        only: Names of groups (`GROUPS`); all but money by default.
        layout: The layout with the theme's sizes, if available: making it takes most of the time.

    Raises:
        ChoiceError: There is no such group.
    """
    for name in only:
        if name not in GROUPS:
            raise ChoiceError(
                f"no sheets are called {name!r}{did_you_mean(name, GROUPS)}; there are {', '.join(GROUPS)}"
            )
    sheet_job = SheetJob(board, theme or theme_of(board), paper, layout)
    wanted_groups = only or UNASKED
    return tuple(sheet for name, make in GROUPS.items() if name in wanted_groups for sheet in make(sheet_job))
