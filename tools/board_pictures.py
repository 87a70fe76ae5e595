"""Make the pictures of built boards for the editor's start page: `python tools/board_pictures.py`."""

import io
from pathlib import Path

from PIL import Image

from mapkit.editor.server.board_pictures import PICTURE_WIDTH, SHIPPED_PICTURES
from mapkit.press.raster import svg_to_png

ROOT = Path(__file__).resolve().parent.parent
QUALITY = 75


def main() -> None:
    """Draw each shipped board small."""
    SHIPPED_PICTURES.mkdir(exist_ok=True)
    for source in sorted((ROOT / "sources").glob("*/board.toml")):
        board = source.parent.name
        svg = (ROOT / "build" / board / "board.svg").read_text(encoding="utf-8")
        picture = Image.open(io.BytesIO(svg_to_png(svg, width=PICTURE_WIDTH, name=board))).convert("RGB")
        picture.save(SHIPPED_PICTURES / f"{board}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
