"""Picture of a tile set: a hexagon per terrain, side by side, in its colour."""

from mapkit.drawing.picture_files import picture_bytes
from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.model.board import HexBoard

_PIXELS_AN_INCH = 96.0
_MM = 25.4 / _PIXELS_AN_INCH


def tile_picture(board: HexBoard) -> bytes:
    """Return the PNG of the tile set of a board."""
    layout = TiledLayout.of(board.grid)
    tile_width, tile_height, side = layout.width, layout.height, layout.side
    corner_inset = (tile_width - side) / 2 if board.grid.flat else (tile_height - side) / 2
    polygons = []
    for number, terrain in enumerate(board.terrains):
        x = number * tile_width
        if board.grid.flat:
            corners = [(x, tile_height / 2), (x + corner_inset, 0), (x + tile_width - corner_inset, 0)]
            corners += [
                (x + tile_width, tile_height / 2),
                (x + tile_width - corner_inset, tile_height),
                (x + corner_inset, tile_height),
            ]
        else:
            corners = [
                (x + tile_width / 2, 0),
                (x + tile_width, corner_inset),
                (x + tile_width, tile_height - corner_inset),
            ]
            corners += [(x + tile_width / 2, tile_height), (x, tile_height - corner_inset), (x, corner_inset)]
        points_text = " ".join(f"{px:g},{py:g}" for px, py in corners)
        polygons.append(f'<polygon points="{points_text}" fill="{terrain.colour}" stroke="#5b5b52" stroke-width="1"/>')
    picture_width, picture_height = tile_width * len(board.terrains), tile_height
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture_width * _MM:.4f}mm" '
        f'height="{picture_height * _MM:.4f}mm" '
        f'viewBox="0 0 {picture_width} {picture_height}">{"".join(polygons)}</svg>'
    )
    png_bytes, _ = picture_bytes(svg, "png", dpi=_PIXELS_AN_INCH, name=board.id)
    return png_bytes
