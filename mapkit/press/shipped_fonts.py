"""The three fonts that mapkit ships: their files, and pictures set to use no other."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.text_width import Face
from mapkit.press.svg_file import SVG

FAMILY: Final = "Fira Sans Condensed"
FILES: Final[Mapping[Face, str]] = {
    "regular": "FiraSansCondensed-Regular",
    "bold": "FiraSansCondensed-Bold",
    "italic": "FiraSansCondensed-Italic",
}

_IN_CSS: Final = re.compile(r"(font-family\s*:\s*)[^;}]+")
_SHORTHAND: Final = re.compile(r"(?<![\w-])font\s*:[^;}]+;?")


def font_path(face: Face) -> Path:
    """Return where a face's TrueType file is."""
    return Path(str(files("mapkit.drawing").joinpath("fonts", f"{FILES[face]}.ttf")))


def font_folder() -> Path:
    """Return the folder of the shipped fonts."""
    return font_path("regular").parent


def use_shipped_fonts(root: ET.Element, family: str, *, stretch: str = "") -> None:
    """Make every text of a tree name `family` alone, so that no engine looks for another font.

    Args:
        root: The `svg` element; it is changed.
        family: What the engine calls the shipped fonts.
        stretch: `font-stretch`, for engines that take `Condensed` for no part of the name.
    """
    for element in root.iter():
        if "font-family" in element.attrib or element is root:
            element.set("font-family", family)
        if stretch and (element is root or "font-stretch" in element.attrib):
            element.set("font-stretch", stretch)
        style = element.get("style")
        if style and "font" in style:
            element.set("style", _only(style, family))
        if element.tag == f"{SVG}style" and element.text:
            element.text = _only(element.text, family)


def _only(css: str, family: str) -> str:
    return _IN_CSS.sub(rf"\g<1>'{family}'", _SHORTHAND.sub("", css))
