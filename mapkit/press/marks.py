"""Marks around and on a tile: crop marks, crosses in the overlap, labels of the tile and its neighbours."""

from typing import Final

from mapkit.drawing.words.language import Words
from mapkit.press.drawing import HAIR, QUIET, PaperPage
from mapkit.press.tiling import Tile, TilePlan

GAP: Final = 1.2
"""From the edge of the printed area to a crop mark, in millimetres."""
LENGTH: Final = 4.0
_CROSS_SIZE: Final = 1.5
_SMALL_TYPE: Final = 2.3
"""6.5 pt."""


def crop_marks(
    page: PaperPage, trim: tuple[float, float, float, float], bled: tuple[float, float, float, float]
) -> None:
    """Draw eight crop marks, in line with the trim and outside the printed area.

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
    """Return the marks of a tile's page as SVG, to be drawn over the board."""
    page = PaperPage(*plan.paper)
    x, y = plan.corner(tile)
    right, bottom = x + tile.width, y + tile.height
    neighbour_labels = _neighbour_labels(plan, tile)
    trim_box = (
        x if neighbour_labels["left"] else x + bleed,
        y if neighbour_labels["above"] else y + bleed,
        right if neighbour_labels["right"] else right - bleed,
        bottom if neighbour_labels["below"] else bottom - bleed,
    )
    for cx, cy in overlap_crosses(plan, tile):
        _draw_cross(page, x + cx - tile.left, y + cy - tile.top)
    crop_marks(page, trim_box, (x, y, right, bottom))
    tile_middle = ((x + right) / 2, (y + bottom) / 2)
    label_baseline = bottom + GAP + 3.0
    page.text(tile.label, (trim_box[0] + 3, label_baseline), 4.2, bold=True)
    place_text = words(
        "printout.tile",
        board=title,
        row=tile.row + 1,
        rows=plan.rows,
        column=tile.column + 1,
        columns=plan.columns,
    )
    page.text(place_text, (trim_box[0] + 14, label_baseline), _SMALL_TYPE, ink=QUIET)
    page.text(words("printout.full_size"), (trim_box[2] - 3, label_baseline), _SMALL_TYPE, anchor="end", ink=QUIET)
    if neighbour_labels["above"]:
        above_text = words("printout.above", tile=neighbour_labels["above"])
        page.text(above_text, (tile_middle[0], y - GAP - 1), _SMALL_TYPE, anchor="middle", ink=QUIET)
    if neighbour_labels["below"]:
        below_text = words("printout.below", tile=neighbour_labels["below"])
        page.text(below_text, (tile_middle[0], label_baseline), _SMALL_TYPE, anchor="middle", ink=QUIET)
    if neighbour_labels["left"]:
        page.text(
            neighbour_labels["left"], (x - GAP - 1, tile_middle[1]), _SMALL_TYPE, anchor="middle", ink=QUIET, turn=-90
        )
    if neighbour_labels["right"]:
        page.text(
            neighbour_labels["right"],
            (right + GAP + 1, tile_middle[1]),
            _SMALL_TYPE,
            anchor="middle",
            ink=QUIET,
            turn=90,
        )
    return page.svg()


def overlap_crosses(plan: TilePlan, tile: Tile) -> list[tuple[float, float]]:
    """Return the crosses on a tile, in millimetres of the picture: two in the middle of each overlap, and its corners.

    Neighbours show the same crosses at the same places of the picture.
    """
    half_overlap = plan.overlap / 2
    if half_overlap == 0:
        return []
    xs = [
        *([tile.left + half_overlap] if tile.column else []),
        *([tile.left + tile.width - half_overlap] if tile.column < plan.columns - 1 else []),
    ]
    ys = [
        *([tile.top + half_overlap] if tile.row else []),
        *([tile.top + tile.height - half_overlap] if tile.row < plan.rows - 1 else []),
    ]
    points = [(x, y) for x in xs for y in ys]
    points += [(x, tile.top + tile.height * edge_share) for x in xs for edge_share in (0.25, 0.75)]
    points += [(tile.left + tile.width * edge_share, y) for y in ys for edge_share in (0.25, 0.75)]
    return points


def _draw_cross(page: PaperPage, x: float, y: float) -> None:
    for width, ink, size in ((3 * HAIR, "#ffffff", _CROSS_SIZE + HAIR), (HAIR, "#1b1b1b", _CROSS_SIZE)):
        page.line((x - size, y), (x + size, y), width, ink)
        page.line((x, y - size), (x, y + size), width, ink)


def _neighbour_labels(plan: TilePlan, tile: Tile) -> dict[str, str]:
    """Return the labels of the four neighbours, empty if there is none."""
    label_by_place = {(t.row, t.column): t.label for t in plan.tiles}
    offsets = {"left": (0, -1), "right": (0, 1), "above": (-1, 0), "below": (1, 0)}
    return {
        side: label_by_place.get((tile.row + row_offset, tile.column + column_offset), "")
        for side, (row_offset, column_offset) in offsets.items()
    }
