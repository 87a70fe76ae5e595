"""Paper money of our own design (RB-C19): a page of notes for each amount, to cut out.

The rules name no amounts of notes, so these are 1 and 5 times a power of ten, from the greatest common divisor of all
sums on the board to half of the winning cash.
"""

from math import gcd
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on, theme_colour
from mapkit.drawing.page import begin_page, body_area, page_sheet
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.sheets.card import draw_line_sample
from mapkit.kinds.rail.render.sheets.chips import draw_icon
from mapkit.kinds.rail.render.sheets.sheet_job import SheetJob

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
