"""Board Game Arena: data, styles and pictures for a studio project."""

from typing import Final

from mapkit.core.jsontext import json_text
from mapkit.exchange.card_grid import LONGEST, CardGrid, draw_card_set
from mapkit.exchange.php import php_file, trait_file
from mapkit.exchange.plan import ExportedBoard
from mapkit.kinds.rail.exchange.bga.css import BOARD, SHARP, sheet_name, stylesheet
from mapkit.kinds.rail.exchange.bga.data import card_cells, project_variables
from mapkit.kinds.rail.exchange.board_picture import board_picture, card_sheets
from mapkit.kinds.rail.exchange.format import ExportOptions
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import lay_out

LOSSES: Final = (
    "the course of lines between mileposts, except in the drawing",
    "longitudes, latitudes, the projection and miles",
    "places of junctions",
    "extensions and provenance",
)
GROUPS: Final = ("deeds", "engines")
JSON: Final = "modules/php/material.json"
PHP: Final = "material.inc.php"
TRAIT: Final = "modules/php/MapMaterial.php"
CSS: Final = "board.css"


class BoardGameArenaFormat:
    """Files for the folder of a studio project."""

    name = "bga"
    title = "Board Game Arena studio files"
    suffixes = (".inc.php",)
    carries = (
        "mileposts, segments, railroads, cities, regions, both kinds of charts and the rules as JSON and as PHP "
        "arrays; the drawn board, deeds and engines as pictures; CSS with the place of everything"
    )
    loses = "; ".join(LOSSES)

    def export(self, board: Board, options: ExportOptions) -> ExportedBoard:  # noqa: ARG002 - all exports take options
        """Return data in both shapes, a stylesheet, and pictures.

        Raises:
            PrintError: The board cannot be drawn.
        """
        layout = lay_out(board)
        normal_picture, sharp_picture = board_picture(board, LONGEST // 2), board_picture(board, LONGEST)
        picture_size = (normal_picture.width, normal_picture.height)
        files: dict[str, str | bytes] = {BOARD: normal_picture.png, SHARP: sharp_picture.png}
        grids_by_group: dict[str, tuple[CardGrid, ...]] = {}
        cells_by_group: dict[str, dict[str, int]] = {}
        for group in GROUPS:
            group_cards = card_sheets(board, group)
            if group_cards:
                card_pictures = draw_card_set(group_cards)
                grids_by_group[group], cells_by_group[group] = (
                    card_pictures.grids,
                    card_cells(group_cards, card_pictures),
                )
                files |= {
                    sheet_name(group, grid_number): grid.png for grid_number, grid in enumerate(card_pictures.grids)
                }
                files[f"img/{group}_back.png"] = card_pictures.back
        php_data = project_variables(board, layout, picture_size, cells_by_group)
        files[JSON] = json_text(php_data)
        files[PHP] = php_file(php_data)
        files[TRAIT] = trait_file(php_data)
        files[CSS] = stylesheet(board, layout, picture_size, grids_by_group, cells_by_group)
        return ExportedBoard(files, LOSSES)


FORMAT = BoardGameArenaFormat()
