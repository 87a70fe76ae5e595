"""Tokens: pieces to cut out, for who has no wooden ones (BA-C03, BA-C04)."""

from dataclasses import dataclass
from typing import Final

from mapkit.core.base import Point
from mapkit.drawing.canvas import Canvas, Type
from mapkit.drawing.colours.colour import mixed
from mapkit.drawing.fit import pt
from mapkit.drawing.inks import ink_on
from mapkit.drawing.page import body_area, page, page_of, titled
from mapkit.drawing.sheet import Sheet
from mapkit.drawing.svg_page import data_attributes
from mapkit.kinds.cards.game import Tokens
from mapkit.kinds.cards.render.emblems import emblem
from mapkit.kinds.cards.render.job import CardJob
from mapkit.kinds.cards.render.pen import CardPen

TOKEN: Final = 16.0
"""Width and height of a token in millimetres."""
_GAP: Final = 2.0
_LABEL: Final = 7.0


@dataclass(frozen=True)
class _Row:
    """Tokens of one sort that stand side by side."""

    tokens: Tokens
    count: int
    first: bool


def token_sheets(job: CardJob) -> list[Sheet]:
    """Return the tokens on pages, a block for each holding and use."""
    left, top, right, bottom = body_area(job)
    across = int((right - left + _GAP) / (TOKEN + _GAP))
    rows = [
        _Row(one, min(across, one.count - start), start == 0)
        for one in job.game.tokens
        for start in range(0, one.count, across)
    ]
    pages: list[list[tuple[_Row, float]]] = []
    y = bottom
    for row in rows:
        high = TOKEN + _GAP + (_LABEL if row.first else 0.0)
        if not pages or y + high > bottom:
            pages.append([])
            y = top
        pages[-1].append((row, y))
        y += high
    out = []
    for number, spots in enumerate(pages, 1):
        title, where = job.words("token.title"), page_of(job, number, len(pages))
        canvas = page(job, title, note=job.words("token.cut"), foot=where)
        pen = CardPen(canvas, canvas.layer)
        for row, y in spots:
            _draw_row(pen, job, row, (left, y))
        svg = canvas.to_text()
        out.append(Sheet(f"tokens-{number}", titled(job, title, where), svg, canvas.width, canvas.height, "page", None))
    return out


def token_svg(job: CardJob, tokens: Tokens) -> str:
    """Return one token as an SVG of its own size, without a ground."""
    title = token_title(job, tokens)
    canvas = Canvas((TOKEN, TOKEN), job.theme, title=title, description=f"{title}: {job.title}", clear=True)
    draw_token(CardPen(canvas, canvas.layer), job, tokens, (TOKEN / 2, TOKEN / 2))
    return canvas.to_text()


def token_title(job: CardJob, tokens: Tokens) -> str:
    """Return what a token is, in words."""
    return f"{job.name_of(tokens.holding)}: {job.words(f'token.{tokens.use}')}"


def _draw_row(pen: CardPen, job: CardJob, row: _Row, at: Point) -> None:
    x, y = at
    one = row.tokens
    data = {"tokens": one.id, "holding": one.holding, "use": one.use, "count": row.count}
    attributes = {"class": "tokens", **data_attributes(data)}
    group = pen.inside({"id": f"tokens-{one.id}", **attributes} if row.first else attributes)
    if row.first:
        group.words((x, y, x + 150, y + _LABEL - 1), f"{token_title(job, one)}, {one.count}", Type(pt(10), bold=True))
        y += _LABEL
    for n in range(row.count):
        draw_token(group, job, one, (x + TOKEN / 2 + n * (TOKEN + _GAP), y + TOKEN / 2))


def draw_token(pen: CardPen, job: CardJob, one: Tokens, at: Point) -> None:
    """Draw a token: a disc for an operator, a square on its corner for a marker, a dashed disc for a surplus one."""
    colours = {holding.id: holding.colour for holding in job.game.holdings}
    colour = job.colour(colours.get(one.holding, "#8a8272"))
    ink = ink_on(colour)
    number, letters = job.numbers.get(one.holding, 0), job.codes.get(one.holding, "?")
    x, y = at
    r = TOKEN / 2 - 0.3
    if one.use == "marker":
        pen.path(f"M{x:.2f},{y - r:.2f} L{x + r:.2f},{y:.2f} L{x:.2f},{y + r:.2f} L{x - r:.2f},{y:.2f}Z", fill=colour,
                 edge=job.theme.ink, width=0.3)  # fmt: skip
        emblem(pen, at, r * 0.52, number, letters, colour, ring=ink)
        return
    pen.circle(at, r, fill=colour, edge=job.theme.ink, width=0.3)
    pen.circle(at, r - 1.0, edge=mixed(ink, colour, 0.5), width=0.5)
    if one.use == "surplus":
        pen.path(f"M{x - r * 0.7:.2f},{y + r * 0.7:.2f} L{x + r * 0.7:.2f},{y - r * 0.7:.2f}", edge=ink, width=0.5)
    emblem(pen, at, r * 0.62, number, letters, colour, ring=ink)
