"""Write widths.json beside the shipped fonts: advance widths by character, and of other families the reach of letters.

python tools/fonts/widths.py [--check]
"""

import json
import re
import sys
from math import ceil
from pathlib import Path

from fontTools.ttLib import TTFont

from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.text_width import FACES, FAMILIES, SANS, family_folder


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


def reaches(paths: list[Path]) -> dict[str, tuple[int, int]]:
    """Return character -> reach above and below the baseline in thousandths of the font size, in any of some faces."""
    table: dict[str, tuple[int, int]] = {}
    for path in paths:
        font = TTFont(path)
        scale, glyphs = 1000 / font["head"].unitsPerEm, font["glyf"]
        for code, name in sorted(font.getBestCmap().items()):
            up, down = table.get(chr(code), (0, 0))
            glyph = glyphs[name]
            if glyph.numberOfContours:
                up, down = max(up, ceil(glyph.yMax * scale)), max(down, ceil(-glyph.yMin * scale))
            table[chr(code)] = (up, down)
    return table


def main() -> int:
    """Write the tables, or with --check compare them."""
    same = True
    for family in FAMILIES:
        table: dict[str, object] = {face: widths(font_path(face, family)) for face in FACES}
        if family != SANS:
            table["reach"] = reaches([font_path(face, family) for face in FACES])
        text = json.dumps(table, ensure_ascii=True, indent=0, separators=(",", ":")) + "\n"
        text = re.sub(r"\[\n(\d+),\n(\d+)\n\]", r"[\1,\2]", text)
        target = family_folder(family) / "widths.json"
        if "--check" in sys.argv[1:]:
            same = same and target.read_text(encoding="ascii") == text
        else:
            target.write_text(text, encoding="ascii", newline="\n")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
