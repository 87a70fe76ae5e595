"""Write the *-latin.woff2 files of the drawing: the shipped fonts cut down to Latin letters, to be embedded in SVG.

python tools/fonts/latin.py [--check]
"""

import io
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.text_width import FACES, FAMILIES

LETTERS = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),  # Latin-1 and Latin Extended-A: the languages of Europe
    0x218,
    0x219,
    0x21A,
    0x21B,  # Romanian commas
    *range(0x2010, 0x2016),
    *range(0x2018, 0x201F),
    0x2020,
    0x2022,
    0x2026,
    0x2032,
    0x2033,
    0x2039,
    0x203A,
    0x20AC,
    0x2122,
    *range(0x2190, 0x2194),
    0x2212,
    0x2215,
    0x2260,
    0x2264,
    0x2265,
)


def latin(path: Path) -> bytes:
    """Return a font's Latin part as WOFF2, with kerning; the same font gives the same bytes."""
    options = subset.Options(
        flavor="woff2",
        layout_features=["kern", "liga", "mark", "mkmk", "ccmp", "locl"],
        hinting=False,
        desubroutinize=True,
        recalc_timestamp=False,
        notdef_outline=True,
        name_IDs=[0, 1, 2, 4, 6, 13, 14],
    )
    font = TTFont(path, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=LETTERS)
    cutter.subset(font)
    out = io.BytesIO()
    font.flavor = "woff2"
    font.save(out)
    return out.getvalue()


def main() -> int:
    """Write the files, or with --check compare them."""
    same = True
    for path in (font_path(face, family) for family in FAMILIES for face in FACES):
        data = latin(path)
        target = path.with_name(f"{path.stem}-latin.woff2")
        if "--check" in sys.argv[1:]:
            same = same and target.is_file() and target.read_bytes() == data
            continue
        target.write_bytes(data)
        print(f"{target.name}: {len(data):,} bytes")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
