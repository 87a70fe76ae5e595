"""The shipped fonts: their files, and pictures restricted to them."""

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from mapkit.drawing.svg_file import SVG, find_family
from mapkit.drawing.text_width import FACES, SANS, Face, Family, family_folder

_FONT_FAMILY_RULE: Final = re.compile(r"(font-family\s*:\s*)([^;}]+)")
_FONT_SHORTHAND: Final = re.compile(r"(?<![\w-])font\s*:[^;}]+;?")


def font_path(face: Face, family: Family = SANS) -> Path:
    """Return the path of a face's TrueType file."""
    return family_folder(family) / f"{family.replace(' ', '')}-{face.title()}.ttf"


def font_paths(families: set[Family]) -> list[Path]:
    """Return the TrueType files of the usual family and of others, in the same order for the same families."""
    return [font_path(face, family) for family in (SANS, *sorted(families - {SANS})) for face in FACES]


def use_shipped_fonts(root: ET.Element, sans: str, *, stretch: str = "") -> set[Family]:
    """Set every text of a tree to shipped families alone, so that no engine looks for another font; return them.

    Args:
        root: The `svg` element; it is changed.
        sans: What the engine calls the usual family, which draws the letters that another one lacks.
        stretch: `font-stretch`, for engines that take `Condensed` for no part of the name.
    """
    families: set[Family] = set()

    def name_families(css_value: str) -> str:
        families.add(family := find_family(css_value) or SANS)
        return sans if family == SANS else f"'{family}', '{sans}'"

    def replace_rule(rule: re.Match[str]) -> str:
        named = name_families(rule[2])
        return f"{rule[1]}'{named}'" if named == sans else f"{rule[1]}{named}"

    for element in root.iter():
        if "font-family" in element.attrib or element is root:
            element.set("font-family", name_families(element.get("font-family", "")))
        if stretch and (element is root or "font-stretch" in element.attrib):
            element.set("font-stretch", stretch)
        style = element.get("style")
        if style and "font" in style:
            element.set("style", _FONT_FAMILY_RULE.sub(replace_rule, _FONT_SHORTHAND.sub("", style)))
        if element.tag == f"{SVG}style" and element.text:
            element.text = _FONT_FAMILY_RULE.sub(replace_rule, _FONT_SHORTHAND.sub("", element.text))
    return families
