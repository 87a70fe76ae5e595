"""The three shipped fonts: their files, and pictures restricted to them."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.svg_file import SVG
from mapkit.drawing.text_width import Face

FAMILY: Final = "Fira Sans Condensed"
FILES: Final[Mapping[Face, str]] = {
    "regular": "FiraSansCondensed-Regular",
    "bold": "FiraSansCondensed-Bold",
    "italic": "FiraSansCondensed-Italic",
}

_FONT_FAMILY_RULE: Final = re.compile(r"(font-family\s*:\s*)[^;}]+")
_FONT_SHORTHAND: Final = re.compile(r"(?<![\w-])font\s*:[^;}]+;?")


def font_path(face: Face) -> Path:
    """Return the path of a face's TrueType file."""
    return Path(str(files("mapkit.drawing").joinpath("fonts", f"{FILES[face]}.ttf")))


def font_folder() -> Path:
    """Return the folder of the shipped fonts."""
    return font_path("regular").parent


def use_shipped_fonts(root: ET.Element, family: str, *, stretch: str = "") -> None:
    """Set every text of a tree to `family` alone, so that no engine looks for another font.

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
            element.set("style", _replace_family(style, family))
        if element.tag == f"{SVG}style" and element.text:
            element.text = _replace_family(element.text, family)


def _replace_family(css: str, family: str) -> str:
    return _FONT_FAMILY_RULE.sub(rf"\g<1>'{family}'", _FONT_SHORTHAND.sub("", css))
