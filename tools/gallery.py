"""Draw the pictures of the documents: `PYTHONPATH=tests python tools/gallery.py`."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from walking import walk_through

import mapkit
from mapkit.drawing.theme.theme import THEMES
from mapkit.kinds.hex.render.board import draw_board as draw_hex_board
from mapkit.kinds.hex.render.pieces.cards import card_sheets
from mapkit.kinds.hex.render.pieces.cutting import cutting_sheets
from mapkit.kinds.hex.render.pieces.job import HexJob
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.sheets import sheets
from mapkit.press.raster import svg_to_png

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
WIDTH = 1400
COLOURS = 200
BOARDS = (
    ("usa", "classic"),
    ("usa", "dark"),
    ("usa", "print"),
    ("usa", "engraved"),
    ("france", "poster"),
    ("great-britain", "school"),
    ("usa", "night"),
    ("north-america", "classic"),
    ("great-britain", "classic"),
    ("ireland", "classic"),
    ("india", "classic"),
    ("germany", "classic"),
    ("france", "classic"),
    ("japan", "classic"),
    ("south-africa", "classic"),
    ("carrow", "classic"),
    ("mexico", "atlas"),
    ("portugal", "classic"),
)
TALL = ("great-britain", "ireland", "india", "france", "portugal", "south-africa")
"""Boards on pages that are higher than wide."""
PARTS = {
    ("usa", "classic"): ("usa-northeast", (0.63, 0.16, 0.985, 0.52)),
    ("north-america", "classic"): ("north-america-lakes", (0.52, 0.2, 0.83, 0.42)),
    ("germany", "classic"): ("germany-ruhr", (0.08, 0.33, 0.4, 0.62)),
    ("japan", "classic"): ("japan-kinki", (0.42, 0.53, 0.78, 0.75)),
    ("great-britain", "classic"): ("great-britain-north", (0.3, 0.42, 0.78, 0.62)),
}
"""Parts of boards that are drawn closer: name; left, top, right and bottom as shares of the picture."""
CLOSE = 4.0
SHEETS = ("deed-pa", "deed-up", "reference", "destinations-1", "payoffs-1")
HEXAGONS = (("mexico-hex", "classic"), ("great-britain-hex", "dark"), ("portugal-hex", "atlas"))
CENTRAL_MEXICO = (0.45, 0.52, 0.8, 0.86)
HEX_CARDS = ("operations-welcome-band-1", "engine-4-1")
CARD_WIDTH, PAGE_WIDTH = 420, 900


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Yield the name and the picture of each."""
    for name, theme in BOARDS:
        look = THEMES[theme]
        svg = draw_board(lay_out(mapkit.load(name, workspace=ROOT), look.sizes), theme=look).to_text()
        width = WIDTH // 2 if name in TALL else WIDTH
        yield f"{name}-{theme}", drawn(svg, width)
        if (name, theme) in PARTS:
            part, shares = PARTS[name, theme]
            whole = drawn(svg, int(width * CLOSE * 0.7))
            box = [round(share * size) for share, size in zip(shares, whole.size * 2, strict=True)]
            yield part, whole.crop((box[0], box[1], box[2], box[3]))
    for sheet in sheets(mapkit.load("usa", workspace=ROOT), THEMES["classic"]):
        if sheet.id in SHEETS:
            yield f"sheet-{sheet.id}", drawn(sheet.svg, CARD_WIDTH if sheet.kind == "card" else PAGE_WIDTH)

    yield "first-board", drawn(tutorial_board("drawing", "sicily"), PAGE_WIDTH)
    yield "island", drawn(tutorial_board("island", "skerry"), PAGE_WIDTH)
    yield "station-lists", drawn(tutorial_board("station-lists", "sardinia"), PAGE_WIDTH)
    yield from hexagons()


def hexagons() -> Iterator[tuple[str, Image.Image]]:
    """Yield pictures of boards of hexagons, of a part of one, and of pieces."""
    for name, theme in HEXAGONS:
        board = mapkit.load_hexes(name, workspace=ROOT).board
        svg = draw_hex_board(board, THEMES[theme])
        yield f"{name}-{theme}", drawn(svg, WIDTH if name == "mexico-hex" else WIDTH // 2)
        if name == "mexico-hex":
            whole = drawn(svg, int(WIDTH * CLOSE * 0.7))
            box = [round(share * size) for share, size in zip(CENTRAL_MEXICO, whole.size * 2, strict=True)]
            yield "mexico-hex-centre", whole.crop((box[0], box[1], box[2], box[3]))
            job = HexJob(board)
            pages = {sheet.id: sheet.svg for sheet in cutting_sheets(job)}
            cards = {sheet.id: sheet.svg for sheet in card_sheets(job)}
            yield "hex-tiles", drawn(pages["tiles-2"], PAGE_WIDTH)
            yield "hex-markers", drawn(pages["markers-1"], PAGE_WIDTH)
            for card in HEX_CARDS:
                yield f"hex-{card}", drawn(cards[card], CARD_WIDTH)


def tutorial_board(page: str, board: str) -> str:
    """Return the picture of the board that a page of docs/tutorials/ makes."""
    with TemporaryDirectory() as folder:
        walk_through((ROOT / "docs" / "tutorials" / f"{page}.md").read_text(encoding="utf-8"), Path(folder))
        return (Path(folder) / "build" / board / "board.svg").read_text(encoding="utf-8")


def drawn(svg: str, width: int) -> Image.Image:
    """Return a drawing in pixels."""
    return Image.open(BytesIO(svg_to_png(svg, width=width))).convert("RGB")


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, picture in pictures():
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / f"{name}.png", optimize=True)
        print(f"docs/pictures/{name}.png: {picture.width} x {picture.height}")


if __name__ == "__main__":
    main()
