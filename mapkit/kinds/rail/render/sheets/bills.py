"""Paper money of our own design (RB-C19): a page of notes for each amount, to cut out.

The rules name no amounts of notes, so these are the round ones that a board can be paid with: 1 and 5 times a power of
ten, from the largest sum that everything on the board is a multiple of, to half of what wins.
"""

from math import gcd
from typing import Final

from mapkit.core.base import Area
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on, plain
from mapkit.drawing.page import body_area, page
from mapkit.drawing.sheet import Sheet
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.sheets.card import sample
from mapkit.kinds.rail.render.sheets.chips import draw_icon
from mapkit.kinds.rail.render.sheets.job import SheetJob

ACROSS: Final = 2
DOWN: Final = 6
"""Notes on a page, side by side and above each other."""

_COLOURS: Final = ("#8a8f98", "#c98a3d", "#4c9a6a", "#3f7fb5", "#8c5fa8", "#c0504d", "#5d6b2f", "#2f5d6b")
_PALE: Final = 0.35
_GAP: Final = 2.0
_EDGE: Final = 1.6
_LANES: Final = 5
_LANE: Final = 2.2


def amounts_of_notes(board: Board) -> tuple[int, ...]:
    """Return the amounts of a board's notes in whole currency units, the smallest first."""
    rules, unit = board.rules, board.units.payoff
    sums = [round(value * unit) for row in board.payoffs.thousands for value in row if value]
    sums += [railroad.price for railroad in board.railroads if not railroad.public]
    sums += [rules.setup.starting_cash, rules.purchase.express_price, rules.purchase.superchief_price]
    sums += [rules.fees.bank, rules.fees.own, rules.fees.opponent, rules.fees.opponent_after_sell_out]
    least = gcd(*(amount for amount in sums if isinstance(amount, int)))
    most = rules.winning.cash // 2
    if least <= 0:
        return ()
    steps = (digit * 10**power for power in range(len(str(most))) for digit in (1, 5))
    return tuple(amount for amount in steps if least <= amount <= most and amount % least == 0)


def money_sheets(job: SheetJob) -> list[Sheet]:
    """Return a page of notes for each amount."""
    out = []
    for at, amount in enumerate(amounts_of_notes(job.board)):
        said = job.money(amount)
        title = job.words("money.title", amount=said)
        canvas = page(job, title, note=job.words("money.note", count=ACROSS * DOWN))
        left, top, right, bottom = body_area(job)
        wide, high = (right - left - _GAP) / ACROSS, (bottom - top - (DOWN - 1) * _GAP) / DOWN
        for place in range(ACROSS * DOWN):
            row, column = divmod(place, ACROSS)
            x, y = left + column * (wide + _GAP), top + row * (high + _GAP)
            _note(canvas, job, (x, y, x + wide, y + high), (at, said))
        out.append(Sheet(f"money-{amount}", title, canvas.to_text(), canvas.width, canvas.height, "page", None))
    return out


def _note(canvas: Canvas, job: SheetJob, area: Area, what: tuple[int, str]) -> None:
    at, said = what
    left, top, right, bottom = area
    colour = plain(job.theme, _COLOURS[at % len(_COLOURS)])
    ground = mixed(colour, job.theme.casing, _PALE)
    canvas.box(area, fill=ground, edge=job.theme.quiet_ink, width=0.15)
    inner = (left + _EDGE, top + _EDGE, right - _EDGE, bottom - _EDGE)
    canvas.box(inner, edge=colour, width=0.8, radius=1.6)
    middle, centre = (top + bottom) / 2, (left + right) / 2
    dear = sorted(job.board.railroads, key=lambda railroad: (-railroad.price, railroad.id))
    lanes = [dear[(at * _LANES + lane) % len(dear)] for lane in range(min(_LANES, len(dear)))]
    first = middle - (len(lanes) - 1) * _LANE / 2
    for lane, railroad in enumerate(lanes):
        y = first + lane * _LANE
        sample(canvas, job.styles[railroad.id], inner[0] + 2, centre - 16, y)
        sample(canvas, job.styles[railroad.id], centre + 16, inner[2] - 2, y)
    high, low = inner[1] + 2.5, inner[3] - 2.5
    canvas.box((centre - 16.5, high, centre + 16.5, low), fill=colour, radius=3.0)
    ink = ink_on(colour)
    large = Type(pt(22), bold=True, align="middle", fill=ink)
    canvas.words((centre - 15.5, middle - 4, centre + 15.5, middle + 4), said, large)
    small = Type(pt(7.5), align="middle", fill=ink)
    canvas.words((centre - 15, low - 8, centre + 15, low - 4), job.board.title, small)
    engine = canvas.group({"class": "engine"})
    draw_icon(canvas, engine, "Pawn", (centre, high + 6), ink, scale=0.6)
    corner = Type(pt(9), bold=True, fill=ink_on(ground))
    for y in (inner[1] + 0.8, inner[3] - 4.8):
        canvas.words((inner[0] + 1.5, y, centre - 17, y + 4), said, corner)
        canvas.words((centre + 17, y, inner[2] - 1.5, y + 4), said, corner.but(align="end"))
