"""Tokens to cut out, in place of wooden ones (BA-C03, BA-C04)."""

from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, TextStyle
from mapkit.drawing.colours.colour import mix_colours
from mapkit.drawing.fit import points_to_mm
from mapkit.drawing.inks import ink_on
from mapkit.drawing.page import begin_page, body_area, page_number_text, page_sheet, title_with_page
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.game import Tokens
from mapkit.kinds.cards.render.emblems import draw_emblem
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

TOKEN: Final = 16.0
"""Width and height of a token in millimetres."""
_GAP_MM: Final = 2.0
_LABEL_HEIGHT_MM: Final = 7.0


@dataclass(frozen=True)
class _TokenRow:
    """Tokens of one sort side by side."""

    tokens: Tokens
    count: int
    first: bool


def token_sheets(job: CardJob) -> list[Sheet]:
    """Return the tokens on pages, a block for each holding and use."""
    left, top, right, bottom = body_area(job)
    tokens_a_row = int((right - left + _GAP_MM) / (TOKEN + _GAP_MM))
    token_rows = [
        _TokenRow(one, min(tokens_a_row, one.count - start), start == 0)
        for one in job.game.tokens
        for start in range(0, one.count, tokens_a_row)
    ]
    placed_rows: list[list[tuple[_TokenRow, float]]] = []
    y = bottom
    for row in token_rows:
        high = TOKEN + _GAP_MM + (_LABEL_HEIGHT_MM if row.first else 0.0)
        if not placed_rows or y + high > bottom:
            placed_rows.append([])
            y = top
        placed_rows[-1].append((row, y))
        y += high
    sheets = []
    for number, page_rows in enumerate(placed_rows, 1):
        title, page_text = job.words("token.title"), page_number_text(job, number, len(placed_rows))
        canvas = begin_page(job, title, note=job.words("token.cut"), foot=page_text)
        pen = CardPen(canvas, canvas.layer)
        for row, y in page_rows:
            _draw_row(pen, job, row, (left, y))
        sheets.append(page_sheet(f"tokens-{number}", title_with_page(job, title, page_text), canvas))
    return sheets


def token_svg(job: CardJob, tokens: Tokens) -> str:
    """Return one token as an SVG of its own size, without a ground."""
    title = token_title(job, tokens)
    canvas = Canvas((TOKEN, TOKEN), job.theme, title=title, description=f"{title}: {job.title}", clear=True)
    draw_token(CardPen(canvas, canvas.layer), job, tokens, (TOKEN / 2, TOKEN / 2))
    return canvas.to_text()


def token_title(job: CardJob, tokens: Tokens) -> str:
    """Return the holding and the use of a token in words."""
    return f"{job.name_of(tokens.holding)}: {job.words(f'token.{tokens.use}')}"


def _draw_row(pen: CardPen, job: CardJob, row: _TokenRow, at: Point) -> None:
    x, y = at
    one = row.tokens
    row_data = {"tokens": one.id, "holding": one.holding, "use": one.use, "count": row.count}
    attributes = {"class": "tokens", **data_attributes(row_data)}
    row_pen = pen.inside({"id": f"tokens-{one.id}", **attributes} if row.first else attributes)
    if row.first:
        row_pen.words(
            (x, y, x + 150, y + _LABEL_HEIGHT_MM - 1),
            f"{token_title(job, one)}, {one.count}",
            TextStyle(points_to_mm(10), bold=True),
        )
        y += _LABEL_HEIGHT_MM
    for n in range(row.count):
        draw_token(row_pen, job, one, (x + TOKEN / 2 + n * (TOKEN + _GAP_MM), y + TOKEN / 2))


def draw_token(pen: CardPen, job: CardJob, one: Tokens, at: Point) -> None:
    """Draw a token: a disc for an operator, a square on its corner for a marker, a dashed disc for a surplus one."""
    colour_by_holding = {holding.id: holding.colour for holding in job.game.holdings}
    colour = job.colour(colour_by_holding.get(one.holding, "#8a8272"))
    ink = ink_on(colour)
    number, letters = job.numbers.get(one.holding, 0), job.codes.get(one.holding, "?")
    x, y = at
    r = TOKEN / 2 - 0.3
    if one.use == "marker":
        pen.path(f"M{x:.2f},{y - r:.2f} L{x + r:.2f},{y:.2f} L{x:.2f},{y + r:.2f} L{x - r:.2f},{y:.2f}Z", fill=colour,
                 edge=job.theme.ink, width=0.3)  # fmt: skip
        draw_emblem(pen, at, r * 0.52, number, letters, colour, ring=ink)
        return
    pen.circle(at, r, fill=colour, edge=job.theme.ink, width=0.3)
    pen.circle(at, r - 1.0, edge=mix_colours(ink, colour, 0.5), width=0.5)
    if one.use == "surplus":
        pen.path(f"M{x - r * 0.7:.2f},{y + r * 0.7:.2f} L{x + r * 0.7:.2f},{y - r * 0.7:.2f}", edge=ink, width=0.5)
    draw_emblem(pen, at, r * 0.62, number, letters, colour, ring=ink)
