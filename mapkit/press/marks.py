"""What stands around and on a tile: crop marks, crosses in the overlap, its name, its neighbours."""

from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.press.drawing import HAIR, QUIET, PaperPage
from mapkit.press.tiling import Tile, TilePlan

GAP: Final = 1.2
"""From the edge of what is printed to a crop mark, in millimetres."""
LENGTH: Final = 4.0
_CROSS: Final = 1.5
_SMALL: Final = 2.3
"""6.5 pt."""


def crop_marks(
    page: PaperPage, trim: tuple[float, float, float, float], bled: tuple[float, float, float, float]
) -> None:
    """Draw eight crop marks: in line with the trim, and outside of everything that is printed.

    Args:
        page: Where to draw.
        trim: Left, top, right, bottom of what remains after cutting, in millimetres of the page.
        bled: The same of what is printed.
    """
    left, top, right, bottom = bled
    for x in (trim[0], trim[2]):
        page.line((x, top - GAP), (x, top - GAP - LENGTH))
        page.line((x, bottom + GAP), (x, bottom + GAP + LENGTH))
    for y in (trim[1], trim[3]):
        page.line((left - GAP, y), (left - GAP - LENGTH, y))
        page.line((right + GAP, y), (right + GAP + LENGTH, y))


def tile_marks(plan: TilePlan, tile: Tile, *, bleed: float, title: str, words: Words) -> str:
    """Return the marks of a tile's page as SVG, to be laid over the board."""
    page = PaperPage(*plan.paper)
    x, y = plan.corner(tile)
    right, bottom = x + tile.width, y + tile.height
    edges = _neighbours(plan, tile)
    trim = (
        x if edges["left"] else x + bleed,
        y if edges["above"] else y + bleed,
        right if edges["right"] else right - bleed,
        bottom if edges["below"] else bottom - bleed,
    )
    for cx, cy in crosses(plan, tile):
        _cross(page, x + cx - tile.left, y + cy - tile.top)
    crop_marks(page, trim, (x, y, right, bottom))
    middle = ((x + right) / 2, (y + bottom) / 2)
    low = bottom + GAP + 3.0
    page.text(tile.label, (trim[0] + 3, low), 4.2, bold=True)
    where = words(
        "printout.tile",
        board=title,
        row=tile.row + 1,
        rows=plan.rows,
        column=tile.column + 1,
        columns=plan.columns,
    )
    page.text(where, (trim[0] + 14, low), _SMALL, ink=QUIET)
    page.text(words("printout.full_size"), (trim[2] - 3, low), _SMALL, anchor="end", ink=QUIET)
    if edges["above"]:
        above = words("printout.above", tile=edges["above"])
        page.text(above, (middle[0], y - GAP - 1), _SMALL, anchor="middle", ink=QUIET)
    if edges["below"]:
        below = words("printout.below", tile=edges["below"])
        page.text(below, (middle[0], low), _SMALL, anchor="middle", ink=QUIET)
    if edges["left"]:
        page.text(edges["left"], (x - GAP - 1, middle[1]), _SMALL, anchor="middle", ink=QUIET, turn=-90)
    if edges["right"]:
        page.text(edges["right"], (right + GAP + 1, middle[1]), _SMALL, anchor="middle", ink=QUIET, turn=90)
    return page.svg()


def crosses(plan: TilePlan, tile: Tile) -> list[tuple[float, float]]:
    """Return the crosses on a tile, in millimetres of the picture: two in the middle of each overlap, and its corners.

    Neighbours show the same crosses at the same places of the picture.
    """
    half = plan.overlap / 2
    if half == 0:
        return []
    xs = [
        *([tile.left + half] if tile.column else []),
        *([tile.left + tile.width - half] if tile.column < plan.columns - 1 else []),
    ]
    ys = [
        *([tile.top + half] if tile.row else []),
        *([tile.top + tile.height - half] if tile.row < plan.rows - 1 else []),
    ]
    out = [(x, y) for x in xs for y in ys]
    out += [(x, tile.top + tile.height * share) for x in xs for share in (0.25, 0.75)]
    out += [(tile.left + tile.width * share, y) for y in ys for share in (0.25, 0.75)]
    return out


def _cross(page: PaperPage, x: float, y: float) -> None:
    for width, ink, size in ((3 * HAIR, "#ffffff", _CROSS + HAIR), (HAIR, "#1b1b1b", _CROSS)):
        page.line((x - size, y), (x + size, y), width, ink)
        page.line((x, y - size), (x, y + size), width, ink)


def _neighbours(plan: TilePlan, tile: Tile) -> dict[str, str]:
    """Return the labels of the four neighbours; empty where there is none."""
    labels = {(t.row, t.column): t.label for t in plan.tiles}
    around = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}
    return {side: labels.get((tile.row + down, tile.column + along), "") for side, (down, along) in around.items()}
