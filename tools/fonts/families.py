"""Write the fonts of `mapkit/drawing/families`: complete fonts cut down to Latin, Greek and Cyrillic letters.

python tools/fonts/families.py FOLDER

FOLDER holds the unpacked npm packages `@expo-google-fonts/NAME` (complete TrueType files) and `@fontsource/NAME` (their
licence texts). Then run latin.py and widths.py.
"""

import re
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FAMILIES = Path(__file__).resolve().parents[2] / "mapkit" / "drawing" / "families"
NAMES = ("Old Standard TT", "Jost", "Alegreya", "Nunito")
FACES = {"Regular": "400Regular", "Bold": "700Bold", "Italic": "400Regular_Italic"}
MOST_OVERHANG = 0.06
"""In parts of the font size."""
LETTERS = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x250),
    *range(0x2B0, 0x300),
    *range(0x300, 0x500),
    *range(0x1E00, 0x1F00),
    *range(0x2000, 0x2070),
    *range(0x20A0, 0x20C0),
    *range(0x2100, 0x2150),
    *range(0x2190, 0x2194),
    *range(0x2200, 0x2270),
)


def _limit_overhang(font: TTFont) -> None:
    """Widen letters that reach over their advance widths, such as a J below its neighbour: names lie in boxes."""
    glyphs, metrics = font["glyf"], font["hmtx"]
    limit = round(MOST_OVERHANG * font["head"].unitsPerEm)
    names = sorted(set(font.getBestCmap().values()), key=lambda name: glyphs[name].isComposite())
    for name in names:
        glyph, advance = glyphs[name], metrics[name][0]
        if not glyph.numberOfContours or not advance:
            continue
        glyph.recalcBounds(glyphs)
        shift = max(0, -limit - glyph.xMin)
        if shift and glyph.isComposite():
            for component in glyph.components:
                component.x += shift
        elif shift:
            glyph.coordinates.translate((shift, 0))
        glyph.recalcBounds(glyphs)
        metrics[name] = (max(advance + shift, glyph.xMax - limit), glyph.xMin)


def _use_lining_figures(font: TTFont) -> None:
    """Make figures as high as capitals the usual ones: those of charts and prices stand in columns."""
    lookups = font["GSUB"].table.LookupList.Lookup
    records = [record for record in font["GSUB"].table.FeatureList.FeatureRecord if record.FeatureTag == "lnum"]
    figures: dict[str, str] = {}
    for index in {index for record in records for index in record.Feature.LookupListIndex}:
        for table in lookups[index].SubTable:
            figures |= getattr(getattr(table, "ExtSubTable", table), "mapping", {})
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            table.cmap[code] = figures.get(table.cmap[code], table.cmap[code])


def main() -> int:
    """Write the fonts and licences of all families."""
    source = Path(sys.argv[1])
    options = subset.Options(
        layout_features=["kern", "liga", "mark", "mkmk", "ccmp", "locl"],
        hinting=False,
        recalc_timestamp=False,
        notdef_outline=True,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
    )
    for name in NAMES:
        slug = name.lower().replace(" ", "-")
        folder = FAMILIES / slug
        folder.mkdir(parents=True, exist_ok=True)
        for face, stem in FACES.items():
            (path,) = source.glob(f"expo-google-fonts-{slug}-*/package/**/*_{stem}.ttf")
            font = TTFont(path, recalcTimestamp=False)
            _use_lining_figures(font)
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=LETTERS)
            cutter.subset(font)
            _limit_overhang(font)
            font.save(folder / f"{name.replace(' ', '')}-{face}.ttf")
        (licence,) = source.glob(f"fontsource-{slug}-*/package/LICENSE")
        text = licence.read_text(encoding="utf-8").replace("\r\n", "\n")
        (folder / "OFL.txt").write_text(re.sub(r"[ \t]+\n", "\n", text).rstrip() + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
