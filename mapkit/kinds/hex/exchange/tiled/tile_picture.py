"""The picture of a tile set: a hexagon per terrain, side by side, in its colour."""

from mapkit.kinds.hex.exchange.tiled.layout import TiledLayout
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.press.write import picture_bytes

_PIXELS_AN_INCH = 96.0
_MM = 25.4 / _PIXELS_AN_INCH


def tile_picture(board: HexBoard) -> bytes:
    """Return the PNG of the tile set of a board."""
    layout = TiledLayout.of(board.grid)
    wide, tall, side = layout.width, layout.height, layout.side
    inset = (wide - side) / 2 if board.grid.flat else (tall - side) / 2
    shapes = []
    for number, terrain in enumerate(board.terrains):
        x = number * wide
        if board.grid.flat:
            corners = [(x, tall / 2), (x + inset, 0), (x + wide - inset, 0)]
            corners += [(x + wide, tall / 2), (x + wide - inset, tall), (x + inset, tall)]
        else:
            corners = [(x + wide / 2, 0), (x + wide, inset), (x + wide, tall - inset)]
            corners += [(x + wide / 2, tall), (x, tall - inset), (x, inset)]
        points = " ".join(f"{px:g},{py:g}" for px, py in corners)
        shapes.append(f'<polygon points="{points}" fill="{terrain.colour}" stroke="#5b5b52" stroke-width="1"/>')
    width, height = wide * len(board.terrains), tall
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _MM:.4f}mm" height="{height * _MM:.4f}mm" '
        f'viewBox="0 0 {width} {height}">{"".join(shapes)}</svg>'
    )
    data, _ = picture_bytes(svg, "png", dpi=_PIXELS_AN_INCH, name=board.id)
    return data
