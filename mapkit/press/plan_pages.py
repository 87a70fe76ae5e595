"""Pages for the person who prints: the assembly plan and the ruler."""

from collections.abc import Sequence
from typing import Final

from mapkit.drawing.fit import wrap_text
from mapkit.drawing.sheet import CARD
from mapkit.drawing.words.language import Words
from mapkit.press.drawing import INK, QUIET, PaperPage
from mapkit.press.tiling import TilePlan

_PAGE_EDGE: Final = 14.0
_MAP_TOP: Final = 52.0
_TEXT_SIZE: Final = 3.4
_LINE_SPACING: Final = 5.2
_NUMBER_WIDTH: Final = 4.0
"""Room for the number of a step."""


def plan_area(plan: TilePlan, paper: tuple[float, float], steps: int) -> tuple[float, float, float]:
    """Return the position of the miniature board on the plan's page: left, top, and scale."""
    available_size = (paper[0] - 2 * _PAGE_EDGE, paper[1] - _MAP_TOP - _PAGE_EDGE - 8 - (steps + 1) * _LINE_SPACING)
    map_scale = min(available_size[0] / plan.width, available_size[1] / plan.height)
    return (paper[0] - plan.width * map_scale) / 2, _MAP_TOP, map_scale


def assembly_steps(
    plan: TilePlan, paper: tuple[float, float], bleed: float, words: Words
) -> tuple[tuple[str, str], ...]:
    """Return the assembly instructions, wrapped to the page: the number of each new step, and a line."""
    step_texts = [words("printout.every_page")]
    if len(plan.tiles) > 1:
        glue_step = words("printout.glue", overlap=words.plain(plan.overlap))
        step_texts += [words("printout.strips"), glue_step, words("printout.rows")]
    step_texts.append(words("printout.cut_marks" if bleed else "printout.cut_board"))
    line_width = paper[0] - 2 * _PAGE_EDGE - _NUMBER_WIDTH
    return tuple(
        ("" if line_index else f"{number}.", line)
        for number, step in enumerate(step_texts, 1)
        for line_index, line in enumerate(wrap_text(step, line_width, _TEXT_SIZE))
    )


def assembly_page(
    plan: TilePlan, paper: tuple[float, float], *, title: str, lines: Sequence[str], steps: Sequence[tuple[str, str]]
) -> str:
    """Return the assembly plan as SVG, to be drawn over a miniature board at `plan_area`.

    Args:
        plan: The tiles.
        paper: Width and height of the page.
        title: The board's.
        lines: What stands below the title: size, sheets, contents.
        steps: What to do, as `steps_of` says.
    """
    page = PaperPage(*paper)
    page.text(title, (_PAGE_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate(lines):
        page.text(line, (_PAGE_EDGE, 28 + number * _LINE_SPACING), _TEXT_SIZE)
    left, top, scale = plan_area(plan, paper, len(steps))
    page.box((left, top, plan.width * scale, plan.height * scale), edge=INK, width=0.3)
    for tile in plan.tiles:
        x, y = left + tile.left * scale, top + tile.top * scale
        tile_width, tile_height = tile.width * scale, tile.height * scale
        page.box((x, y, tile_width, tile_height), edge="#ffffff", width=0.7)
        page.box((x, y, tile_width, tile_height), edge="#c8102e", width=0.3)
        label_size = min(5.0, tile_width * 0.3, tile_height * 0.3)
        label_middle = (x + tile_width / 2, y + tile_height / 2 + label_size * 0.35)
        page.box(
            (label_middle[0] - label_size, label_middle[1] - label_size * 1.05, 2 * label_size, label_size * 1.45),
            fill="#ffffff",
            opacity=0.85,
        )
        page.text(tile.label, label_middle, label_size, bold=True, anchor="middle", ink="#c8102e")
    y = top + plan.height * scale + 8
    for line_index, (step_number, step) in enumerate(steps):
        page.text(step_number, (_PAGE_EDGE, y + line_index * _LINE_SPACING), _TEXT_SIZE)
        page.text(step, (_PAGE_EDGE + _NUMBER_WIDTH, y + line_index * _LINE_SPACING), _TEXT_SIZE)
    return page.svg()


def ruler_page(paper: tuple[float, float], words: Words, card: tuple[float, float] = CARD) -> str:
    """Return the page that tests a printer's scale: 100 mm, 4 inches, a square, a card if it fits.

    Args:
        paper: Width and height of the page in millimetres.
        words: Of its language.
        card: Width and height of the cards that are printed, in millimetres.
    """
    page = PaperPage(*paper)
    page.text(words("printout.full_size"), (_PAGE_EDGE, 20), 7.0, bold=True)
    for number, line in enumerate((words("printout.actual"), words("printout.measure"))):
        page.text(line, (_PAGE_EDGE, 28 + number * _LINE_SPACING), _TEXT_SIZE)
    _draw_ruler(page, (_PAGE_EDGE, 52.0), (100, 1.0), (10, 5), "mm")
    _draw_ruler(page, (_PAGE_EDGE, 80.0), (64, 25.4 / 16), (16, 8), words("printout.inch"))
    page.box((_PAGE_EDGE, 100, 50, 50), edge=INK, width=0.2)
    page.text("50 x 50 mm", (_PAGE_EDGE + 25, 126), _TEXT_SIZE, anchor="middle")
    card_width, card_height = card
    if _PAGE_EDGE + 60 + card_width + _PAGE_EDGE <= paper[0] and 100 + card_height + _PAGE_EDGE <= paper[1]:
        page.box((_PAGE_EDGE + 60, 100, card_width, card_height), edge=INK, width=0.2)
        card_size = " x ".join(words.plain(side) for side in card)
        page.text(
            words("printout.card", size=card_size),
            (_PAGE_EDGE + 60 + card_width / 2, 101 + card_height / 2),
            _TEXT_SIZE,
            anchor="middle",
        )
    return page.svg()


def _draw_ruler(
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
    tick_count, tick_mm = scale
    left, base = at
    page.line((left, base), (left + tick_count * tick_mm, base), 0.2)
    for tick in range(tick_count + 1):
        x = left + tick * tick_mm
        tick_height = 8.0 if tick % longer[0] == 0 else 5.5 if tick % longer[1] == 0 else 3.5
        page.line((x, base), (x, base - tick_height), 0.2 if tick % longer[0] == 0 else 0.12)
        if tick % longer[0] == 0:
            figure = tick // longer[0] * (10 if unit == "mm" else 1)
            page.text(str(figure), (x, base - 9.2), _TEXT_SIZE, anchor="middle")
    page.text(unit, (left + tick_count * tick_mm + 5, base), _TEXT_SIZE, ink=QUIET)
