"""All sheets of a board, by group."""

from collections.abc import Callable, Collection, Mapping
from math import gcd
from typing import Final

from mapkit.core.base import Area
from mapkit.core.errors import ChoiceError, did_you_mean
from mapkit.core.plurals import join_some
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.columns import ColumnText, column_sheets
from mapkit.drawing.fit import FLOOR, points_to_mm
from mapkit.drawing.inks import ink_on, theme_colour
from mapkit.drawing.page import MARGIN, begin_page, body_area, page_sheet, page_size
from mapkit.drawing.sheet import Paper, Sheet
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.rail.model.board import Board, Railroad
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import Layout
from mapkit.kinds.rail.render.rule_sheet.page import describe_rule_set, list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets.card import draw_line_sample
from mapkit.kinds.rail.render.sheets.chips import draw_icon, make_chip_sheets
from mapkit.kinds.rail.render.sheets.destinations import make_destination_sheets
from mapkit.kinds.rail.render.sheets.engines import make_engine_sheets
from mapkit.kinds.rail.render.sheets.payoffs import make_payoff_sheets
from mapkit.kinds.rail.render.sheets.reference import make_reference_sheets
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob
from mapkit.kinds.rail.render.sheets.title_deeds import make_deed_sheets
from mapkit.kinds.rail.rules.rules import Engine

# Player pads: boxes to fill in by pencil, two or four on a page.

_PAD_MM: Final = 3.5
_HEAD_MM: Final = 8.0
_FIELD_MM: Final = 9.0
_LABEL_SIZE: Final = points_to_mm(6.5)
_GAP_MM: Final = 3.0
_ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


def make_pad_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of two pads, and one of four smaller ones."""
    pad_pages, words = [], job.words
    for across, down in ((1, 2), (2, 2)):
        pad_count = across * down
        width, height = page_size(job)
        page_canvas = Canvas(
            (width, height),
            job.theme,
            title=words("pad.title", board=job.board.title),
            description=words("pad.about", count=pad_count),
        )
        left, top, right, bottom = MARGIN, MARGIN, width - MARGIN, height - MARGIN
        pad_width = (right - left - (across - 1) * 2 * _PAD_MM) / across
        pad_height = (bottom - top - (down - 1) * 2 * _PAD_MM) / down
        for pad_number in range(pad_count):
            x, y = (
                left + pad_number % across * (pad_width + 2 * _PAD_MM),
                top + pad_number // across * (pad_height + 2 * _PAD_MM),
            )
            _draw_pad(job, page_canvas, (x, y, x + pad_width, y + pad_height))
        sheet_title = words("pad.titled", count=pad_count)
        pad_pages.append(Sheet(f"pad-{pad_count}", sheet_title, page_canvas.to_text(), width, height, "page", None))
    return pad_pages


def _draw_pad(job: SheetJob, canvas: Canvas, area: Area) -> None:
    left, top, right, bottom = area
    theme = job.theme
    canvas.box(area, edge=theme.ink, width=0.35, radius=2.0)
    inner_box = (left + _PAD_MM, top + 2.0, right - _PAD_MM, bottom - _PAD_MM)
    left, top, right, bottom = inner_box
    canvas.words(
        (left, top, left + (right - left) * 0.5, top + _HEAD_MM),
        job.board.title,
        TextStyle(points_to_mm(13), bold=True),
    )
    _draw_engine_boxes(job, canvas, (left + (right - left) * 0.5, top, right, top + _HEAD_MM))
    y = top + _HEAD_MM + 1.0
    third_width = (right - left - 2 * _GAP_MM) / 3
    for field_number, label in enumerate(("player", "home", "destination")):
        x = left + field_number * (third_width + _GAP_MM)
        canvas.box((x, y, x + third_width, y + _FIELD_MM), edge=theme.quiet_ink, radius=1.0)
        label_box = (x + 1.2, y + 0.4, x + third_width - 1.0, y + 3.4)
        canvas.words(label_box, job.words(f"pad.{label}"), TextStyle(_LABEL_SIZE, fill=theme.quiet_ink))
    y += _FIELD_MM + _GAP_MM
    column_count, _, row_height = _railroad_cells(job, right - left)
    owned_height = 4.4 + -(-len(job.board.railroads) // column_count) * row_height
    owned_top = max(bottom - owned_height, y + 20.0)
    table_right = left + (right - left - _GAP_MM) * 0.56
    _draw_table(
        canvas,
        (left, y, table_right, owned_top - _GAP_MM),
        _column_heads(job, "from", "to", "payoff"),
        (0.38, 0.38, 0.24),
    )
    _draw_table(
        canvas,
        (table_right + _GAP_MM, y, right, owned_top - _GAP_MM),
        _column_heads(job, "in", "out", "cash"),
        (1 / 3, 1 / 3, 1 / 3),
    )
    _draw_owned_boxes(job, canvas, (left, owned_top, right, bottom))


def _column_heads(job: SheetJob, *names: str) -> tuple[str, ...]:
    return tuple(job.words(f"pad.{name}") for name in names)


def _draw_engine_boxes(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each engine, flush right."""
    left, top, right, bottom = area
    engine_names = [job.engine(engine) for engine in _ENGINES]
    side = 2.8
    size = min(
        points_to_mm(8),
        (right - left - len(engine_names) * (side + 3.0)) / sum(text_width(n, 1.0) for n in engine_names),
    )
    size = max(size, FLOOR)
    x = right - sum(text_width(n, size) + side + 3.0 for n in engine_names) + 2.0
    middle = (top + bottom) / 2
    for engine_name in engine_names:
        canvas.box((x, middle - side / 2, x + side, middle + side / 2), edge=job.theme.ink, radius=0.4)
        name_width = text_width(engine_name, size)
        canvas.words((x + side + 0.8, top, x + side + 0.9 + name_width, bottom), engine_name, TextStyle(size))
        x += side + name_width + 3.0


def _draw_table(canvas: Canvas, area: Area, heads: tuple[str, ...], shares: tuple[float, ...]) -> None:
    left, top, right, bottom = area
    theme = canvas.theme
    head_height = 4.4
    row_count = max(1, int((bottom - top - head_height) / 6.0))
    row_height = (bottom - top - head_height) / row_count
    canvas.box(area, edge=theme.quiet_ink, radius=1.0)
    for row_number in range(row_count):
        y = top + head_height + row_number * row_height
        canvas.line([(left, y), (right, y)], ink=theme.border, width=0.15)
    x = left
    for column_number, (label, share) in enumerate(zip(heads, shares, strict=True)):
        column_width = (right - left) * share
        if column_number:
            canvas.line([(x, top), (x, bottom)], ink=theme.border, width=0.25)
        label_type = TextStyle(_LABEL_SIZE, fill=theme.quiet_ink, bold=True)
        canvas.words((x + 1.2, top, x + column_width - 0.5, top + head_height), label, label_type)
        x += column_width


def _railroad_cells(job: SheetJob, width: float) -> tuple[int, float, float]:
    """Return columns, width and height of the boxes of railroads."""
    reporting_marks = [r.short for r in job.board.railroads]
    widest_mark = max((text_width(mark, points_to_mm(7.5), bold=True) for mark in reporting_marks), default=0.0)
    column_count = max(1, min(int(width / min(max(widest_mark + 5.6, 9.0), width)), 14))
    row_count = -(-len(reporting_marks) // column_count)
    column_count = -(-len(reporting_marks) // max(row_count, 1)) or 1
    return column_count, width / column_count, min(4.6, 52.0 / max(row_count, 1))


def _draw_owned_boxes(job: SheetJob, canvas: Canvas, area: Area) -> None:
    """Draw a box to tick for each railroad that can be owned, from A to Z."""
    left, top, right, _ = area
    sorted_railroads: list[Railroad] = sorted(job.board.railroads, key=lambda r: (job.sort_key(r.short), r.id))
    column_count, cell_width, high = _railroad_cells(job, right - left)
    label_type = TextStyle(_LABEL_SIZE, bold=True, fill=job.theme.quiet_ink)
    canvas.words((left, top, right, top + 4.0), job.words("pad.owned"), label_type)
    row_count = -(-len(sorted_railroads) // column_count)
    box_side = min(2.8, high - 0.6)
    for railroad_number, railroad in enumerate(sorted_railroads):
        x, y = left + railroad_number // row_count * cell_width, top + 4.4 + railroad_number % row_count * high
        middle = y + high / 2
        canvas.box((x, middle - box_side / 2, x + box_side, middle + box_side / 2), edge=job.theme.ink, radius=0.4)
        canvas.words(
            (x + box_side + 0.9, y, x + cell_width - 0.6, y + high),
            railroad.short,
            TextStyle(points_to_mm(7.5), bold=True),
        )


# Paper money of our own design (RB-C19): a page of notes for each amount, to cut out.
#
# The rules name no amounts of notes, so these are 1 and 5 times a power of ten, from the greatest common divisor of
# all sums on the board to half of the winning cash.

ACROSS: Final = 2
DOWN: Final = 6
"""Notes on a page, side by side and above each other."""

_NOTE_COLOURS: Final = ("#8a8f98", "#c98a3d", "#4c9a6a", "#3f7fb5", "#8c5fa8", "#c0504d", "#5d6b2f", "#2f5d6b")
_GROUND_SHARE: Final = 0.35
_NOTE_GAP_MM: Final = 2.0
_EDGE_MM: Final = 1.6
_LANE_COUNT: Final = 5
_LANE_MM: Final = 2.2


def choose_note_amounts(board: Board) -> tuple[int, ...]:
    """Return the amounts of a board's notes in whole currency units, the smallest first."""
    rules, payoff_unit = board.rules, board.units.payoff
    all_amounts = [round(value * payoff_unit) for row in board.payoffs.thousands for value in row if value]
    all_amounts += [railroad.price for railroad in board.railroads if not railroad.public]
    all_amounts += [rules.setup.starting_cash, rules.purchase.express_price, rules.purchase.superchief_price]
    all_amounts += [rules.fees.bank, rules.fees.own, rules.fees.opponent, rules.fees.opponent_after_sell_out]
    least_note = gcd(*(amount for amount in all_amounts if isinstance(amount, int)))
    most_note = rules.winning.cash // 2
    if least_note <= 0:
        return ()
    round_amounts = (digit * 10**power for power in range(len(str(most_note))) for digit in (1, 5))
    return tuple(amount for amount in round_amounts if least_note <= amount <= most_note and amount % least_note == 0)


def make_money_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of notes for each amount."""
    note_pages = []
    for page_number, amount in enumerate(choose_note_amounts(job.board)):
        amount_text = job.money(amount)
        page_title = job.words("money.title", amount=amount_text)
        page_canvas = begin_page(job, page_title, note=job.words("money.note", count=ACROSS * DOWN))
        left, top, right, bottom = body_area(job)
        note_width, note_height = (
            (right - left - _NOTE_GAP_MM) / ACROSS,
            (bottom - top - (DOWN - 1) * _NOTE_GAP_MM) / DOWN,
        )
        for note_number in range(ACROSS * DOWN):
            row, column = divmod(note_number, ACROSS)
            x, y = left + column * (note_width + _NOTE_GAP_MM), top + row * (note_height + _NOTE_GAP_MM)
            _draw_note(page_canvas, job, (x, y, x + note_width, y + note_height), (page_number, amount_text))
        note_pages.append(page_sheet(f"money-{amount}", page_title, page_canvas))
    return note_pages


def _draw_note(canvas: Canvas, job: SheetJob, area: Area, what: tuple[int, str]) -> None:
    amount_number, amount_text = what
    left, top, right, bottom = area
    note_colour = theme_colour(job.theme, _NOTE_COLOURS[amount_number % len(_NOTE_COLOURS)])
    ground_colour = mix_colours(note_colour, job.theme.casing, _GROUND_SHARE)
    canvas.box(area, fill=ground_colour, edge=job.theme.quiet_ink, width=0.15)
    inner_box = (left + _EDGE_MM, top + _EDGE_MM, right - _EDGE_MM, bottom - _EDGE_MM)
    canvas.box(inner_box, edge=note_colour, width=0.8, radius=1.6)
    middle, centre = (top + bottom) / 2, (left + right) / 2
    sorted_railroads = sorted(job.board.railroads, key=lambda railroad: (-railroad.price, railroad.id))
    lane_railroads = [
        sorted_railroads[(amount_number * _LANE_COUNT + lane) % len(sorted_railroads)]
        for lane in range(min(_LANE_COUNT, len(sorted_railroads)))
    ]
    first_lane = middle - (len(lane_railroads) - 1) * _LANE_MM / 2
    for lane, railroad in enumerate(lane_railroads):
        y = first_lane + lane * _LANE_MM
        draw_line_sample(canvas, job.styles[railroad.id], inner_box[0] + 2, centre - 16, y)
        draw_line_sample(canvas, job.styles[railroad.id], centre + 16, inner_box[2] - 2, y)
    plate_top, plate_bottom = inner_box[1] + 2.5, inner_box[3] - 2.5
    canvas.box((centre - 16.5, plate_top, centre + 16.5, plate_bottom), fill=note_colour, radius=3.0)
    plate_ink = ink_on(note_colour)
    large_type = TextStyle(points_to_mm(22), bold=True, align="middle", fill=plate_ink)
    canvas.words((centre - 15.5, middle - 4, centre + 15.5, middle + 4), amount_text, large_type)
    small_type = TextStyle(points_to_mm(7.5), align="middle", fill=plate_ink)
    canvas.words((centre - 15, plate_bottom - 8, centre + 15, plate_bottom - 4), job.board.title, small_type)
    engine_group = canvas.group({"class": "engine"})
    draw_icon(canvas, engine_group, "Pawn", (centre, plate_top + 6), plate_ink, scale=0.6)
    corner_type = TextStyle(points_to_mm(9), bold=True, fill=ink_on(ground_colour))
    for y in (inner_box[1] + 0.8, inner_box[3] - 4.8):
        canvas.words((inner_box[0] + 1.5, y, centre - 17, y + 4), amount_text, corner_type)
        canvas.words((centre + 17, y, inner_box[2] - 1.5, y + 4), amount_text, corner_type.but(align="end"))


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
