"""All sheets of a board, by group."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.sheet import Paper, Sheet
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets.bills import make_money_sheets
from mapkit.kinds.rail.render.sheets.chips import make_chip_sheets
from mapkit.kinds.rail.render.sheets.destinations import make_destination_sheets
from mapkit.kinds.rail.render.sheets.engines import make_engine_sheets
from mapkit.kinds.rail.render.sheets.pads import make_pad_sheets
from mapkit.kinds.rail.render.sheets.payoffs import make_payoff_sheets
from mapkit.kinds.rail.render.sheets.reference import make_reference_sheets
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.sheets.title_deeds import make_deed_sheets


def _make_rule_sheets(job: SheetJob) -> list[Sheet]:
    """Return the rule sheet as pages: the same words as `mapkit rules sheet`, in two columns."""
    rules_sheet = make_rule_sheet(job.board.rules, board=job.board)
    column_text = ColumnText(describe_rule_set(rules_sheet), rules_sheet.sections, list_open_matters(rules_sheet))
    return column_sheets(job, "rules", job.words("rules.title"), column_text)


GROUPS: Final[Mapping[str, Callable[[SheetJob], list[Sheet]]]] = {
    "reference": make_reference_sheets,
    "rules": _make_rule_sheets,
    "destinations": make_destination_sheets,
    "payoffs": make_payoff_sheets,
    "deeds": make_deed_sheets,
    "engines": make_engine_sheets,
    "chips": make_chip_sheets,
    "pads": make_pad_sheets,
    "money": make_money_sheets,
}
"""Groups of sheets, in the order in which they are returned."""

DEFAULT_GROUPS: Final = tuple(name for name in GROUPS if name != "money")
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
                f"no sheets are called {name!r}{did_you_mean(name, GROUPS)}; there are {join_some(GROUPS)}"
            )
    groups = group_sheets(board, theme, paper, only=only or DEFAULT_GROUPS, layout=layout)
    return tuple(sheet for made in groups.values() for sheet in made)


def group_sheets(
    board: Board,
    theme: Theme | None = None,
    paper: Paper = "a4",
    *,
    only: Collection[str] = GROUPS,
    layout: Layout | None = None,
) -> dict[str, list[Sheet]]:
    """Make the sheets of a board by group; arguments as for `sheets`."""
    sheet_job = SheetJob(board, theme or get_board_theme(board), paper, layout)
    return {name: make(sheet_job) for name, make in GROUPS.items() if name in only}
