"""Pages for the one who prints: the assembly plan and the ruler."""

from collections.abc import Sequence
from typing import Final

from mapkit.kinds.rail.render.press.drawing import INK, QUIET, PaperPage
from mapkit.kinds.rail.render.press.tiling import TilePlan

_EDGE: Final = 14.0
_MAP_TOP: Final = 52.0
_TEXT: Final = 3.4
_LEADING: Final = 5.2


def plan_area(plan: TilePlan, paper: tuple[float, float], steps: int) -> tuple[float, float, float]:
    """Return where the little board stands on the plan's page: left, top, and its scale."""
    room = (paper[0] - 2 * _EDGE, paper[1] - _MAP_TOP - _EDGE - 8 - (steps + 1) * _LEADING)
    scale = min(room[0] / plan.width, room[1] / plan.height)
    return (paper[0] - plan.width * scale) / 2, _MAP_TOP, scale


def steps_of(plan: TilePlan, bleed: float) -> tuple[str, ...]:
    """Return what to do with the tiles, a line each."""
    out = ['Print every page at 100 % (not "fit to page") and measure the ruler on the next page first.']
    if len(plan.tiles) > 1:
        out += [
            (
                "On each tile but those at the left edge, cut off the left strip at the crop marks;"
                " on each but the top row, the top strip."
            ),
            f"Lay it over its neighbour by {plan.overlap:g} mm, so that the crosses lie on each other, and glue.",
            "Join each row first, from the left to the right, then the rows, from the top down.",
        ]
    out.append("Cut the outer edge at the crop marks." if bleed else "Cut along the outer edge of the board.")
    return tuple(out)


def assembly_page(plan: TilePlan, paper: tuple[float, float], *, title: str, lines: Sequence[str], bleed: float) -> str:
    """Return the assembly plan as SVG, to be laid over a little board at `plan_area`.

    Args:
        plan: The tiles.
        paper: Width and height of the page.
        title: The board's.
        lines: What stands below the title: size, sheets, contents.
        bleed: Of the board, in millimetres.
    """
    page = PaperPage(*paper)
    page.text(title, (_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate(lines):
        page.text(line, (_EDGE, 28 + number * _LEADING), _TEXT)
    steps = steps_of(plan, bleed)
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
    for number, step in enumerate(steps):
        page.text(f"{number + 1}.  {step}", (_EDGE, y + number * _LEADING), _TEXT)
    return page.svg()


def ruler_page(paper: tuple[float, float]) -> str:
    """Return the page that shows whether a printer keeps to the scale: 100 mm, 4 inches, a square, a card."""
    page = PaperPage(*paper)
    page.text("Print at 100 %", (_EDGE, 20), 7.0, bold=True)
    lines = (
        'Choose "actual size" or "100 %" in the print window, not "fit to page".',
        "Then measure: if a ruler does not agree with these, the tiles and cards will not either.",
    )
    for number, line in enumerate(lines):
        page.text(line, (_EDGE, 28 + number * _LEADING), _TEXT)
    _ruler(page, (_EDGE, 52.0), (100, 1.0), (10, 5), "mm")
    _ruler(page, (_EDGE, 80.0), (64, 25.4 / 16), (16, 8), "inch")
    page.box((_EDGE, 100, 50, 50), edge=INK, width=0.2)
    page.text("50 x 50 mm", (_EDGE + 25, 126), _TEXT, anchor="middle")
    page.box((_EDGE + 60, 100, 63, 88), edge=INK, width=0.2)
    page.text("a card: 63 x 88 mm", (_EDGE + 60 + 31.5, 145), _TEXT, anchor="middle")
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
