"""Write mapkit/drawing/fonts/widths.json: advance widths of the shipped fonts, by character.

python tools/fonts/widths.py [--check]
"""

import json
import sys
from pathlib import Path

from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[2] / "mapkit" / "drawing" / "fonts"
FACES = {"regular": "FiraSansCondensed-Regular", "bold": "FiraSansCondensed-Bold", "italic": "FiraSansCondensed-Italic"}


def widths(path: Path) -> dict[str, int]:
    """Return character -> advance width in thousandths of the font size, of all but private characters."""
    font = TTFont(path)
    scale = 1000 / font["head"].unitsPerEm
    table = font["hmtx"]
    return {
        chr(code): round(table[name][0] * scale)
        for code, name in sorted(font.getBestCmap().items())
        if not 0xE000 <= code < 0xF900  # noqa: PLR2004 -- the private use area
    }


def main() -> int:
    """Write the table, or with --check compare it."""
    faces = {face: widths(FONTS / f"{name}.ttf") for face, name in FACES.items()}
    text = json.dumps(faces, ensure_ascii=True, indent=0, separators=(",", ":")) + "\n"
    target = FONTS / "widths.json"
    if "--check" in sys.argv[1:]:
        return int(target.read_text(encoding="ascii") != text)
    target.write_text(text, encoding="ascii", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
