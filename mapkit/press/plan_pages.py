"""Pages for the one who prints: the assembly plan and the ruler."""

from collections.abc import Sequence
from typing import Final

from mapkit.drawing.fit import wrap
from mapkit.drawing.sheet import CARD
from mapkit.drawing.words.language import Words
from mapkit.press.drawing import INK, QUIET, PaperPage
from mapkit.press.tiling import TilePlan

_EDGE: Final = 14.0
_MAP_TOP: Final = 52.0
_TEXT: Final = 3.4
_LEADING: Final = 5.2
_NUMBER: Final = 4.0
"""Room for the number of a step."""


def plan_area(plan: TilePlan, paper: tuple[float, float], steps: int) -> tuple[float, float, float]:
    """Return where the little board stands on the plan's page: left, top, and its scale."""
    room = (paper[0] - 2 * _EDGE, paper[1] - _MAP_TOP - _EDGE - 8 - (steps + 1) * _LEADING)
    scale = min(room[0] / plan.width, room[1] / plan.height)
    return (paper[0] - plan.width * scale) / 2, _MAP_TOP, scale


def steps_of(plan: TilePlan, paper: tuple[float, float], bleed: float, words: Words) -> tuple[tuple[str, str], ...]:
    """Return what to do with the tiles, line by line as it fits the page: the number of a new step, and its words."""
    out = [words("printout.every_page")]
    if len(plan.tiles) > 1:
        glue = words("printout.glue", overlap=words.plain(plan.overlap))
        out += [words("printout.strips"), glue, words("printout.rows")]
    out.append(words("printout.cut_marks" if bleed else "printout.cut_board"))
    room = paper[0] - 2 * _EDGE - _NUMBER
    return tuple(
        ("" if at else f"{number}.", line)
        for number, step in enumerate(out, 1)
        for at, line in enumerate(wrap(step, room, _TEXT))
    )


def assembly_page(
    plan: TilePlan, paper: tuple[float, float], *, title: str, lines: Sequence[str], steps: Sequence[tuple[str, str]]
) -> str:
    """Return the assembly plan as SVG, to be laid over a little board at `plan_area`.

    Args:
        plan: The tiles.
        paper: Width and height of the page.
        title: The board's.
        lines: What stands below the title: size, sheets, contents.
        steps: What to do, as `steps_of` says.
    """
    page = PaperPage(*paper)
    page.text(title, (_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate(lines):
        page.text(line, (_EDGE, 28 + number * _LEADING), _TEXT)
    left, top, scale = plan_area(plan, paper, len(steps))
    page.box((left, top, plan.width * scale, plan.height * scale), edge=INK, width=0.3)
    for tile in plan.tiles:
        x, y = left + tile.left * scale, top + tile.top * scale
        wide, high = tile.width * scale, tile.height * scale
        page.box((x, y, wide, high), edge="#ffffff", width=0.7)
        page.box((x, y, wide, high), edge="#c8102e", width=0.3)
        size = min(5.0, wide * 0.3, high * 0.3)
        mid = (x + wide / 2, y + high / 2 + size * 0.35)
        page.box((mid[0] - size, mid[1] - size * 1.05, 2 * size, size * 1.45), fill="#ffffff", opacity=0.85)
        page.text(tile.label, mid, size, bold=True, anchor="middle", ink="#c8102e")
    y = top + plan.height * scale + 8
    for at, (mark, step) in enumerate(steps):
        page.text(mark, (_EDGE, y + at * _LEADING), _TEXT)
        page.text(step, (_EDGE + _NUMBER, y + at * _LEADING), _TEXT)
    return page.svg()


def ruler_page(paper: tuple[float, float], words: Words, card: tuple[float, float] = CARD) -> str:
    """Return the page that shows whether a printer keeps to the scale: 100 mm, 4 inches, a square, a card if it fits.

    Args:
        paper: Width and height of the page in millimetres.
        words: Of its language.
        card: Width and height of the cards that are printed, in millimetres.
    """
    page = PaperPage(*paper)
    page.text(words("printout.full_size"), (_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate((words("printout.actual"), words("printout.measure"))):
        page.text(line, (_EDGE, 28 + number * _LEADING), _TEXT)
    _ruler(page, (_EDGE, 52.0), (100, 1.0), (10, 5), "mm")
    _ruler(page, (_EDGE, 80.0), (64, 25.4 / 16), (16, 8), words("printout.inch"))
    page.box((_EDGE, 100, 50, 50), edge=INK, width=0.2)
    page.text("50 x 50 mm", (_EDGE + 25, 126), _TEXT, anchor="middle")
    wide, high = card
    if _EDGE + 60 + wide + _EDGE <= paper[0] and 100 + high + _EDGE <= paper[1]:
        page.box((_EDGE + 60, 100, wide, high), edge=INK, width=0.2)
        size = " x ".join(words.plain(side) for side in card)
        page.text(words("printout.card", size=size), (_EDGE + 60 + wide / 2, 101 + high / 2), _TEXT, anchor="middle")
    return page.svg()


def _ruler(
    page: PaperPage, at: tuple[float, float], scale: tuple[int, float], longer: tuple[int, int], unit: str
) -> None:
    """Draw a ruler from the left end of its line.

    Args:
        page: Where to draw.
        at: The left end.
        scale: How many steps, and millimetres in one.
        longer: Long ticks with a figure each so many steps, middling ones each so many.
        unit: Of the figures; `mm` counts by tens.
    """
    ticks, step = scale
    left, base = at
    page.line((left, base), (left + ticks * step, base), 0.2)
    for tick in range(ticks + 1):
        x = left + tick * step
        high = 8.0 if tick % longer[0] == 0 else 5.5 if tick % longer[1] == 0 else 3.5
        page.line((x, base), (x, base - high), 0.2 if tick % longer[0] == 0 else 0.12)
        if tick % longer[0] == 0:
            figure = tick // longer[0] * (10 if unit == "mm" else 1)
            page.text(str(figure), (x, base - 9.2), _TEXT, anchor="middle")
    page.text(unit, (left + ticks * step + 5, base), _TEXT, ink=QUIET)
