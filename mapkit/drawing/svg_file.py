"""SVG text as a tree with a size in millimetres, read with limits, and its texts with their faces."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from defusedxml import ElementTree as Safe
from defusedxml.common import DefusedXmlException

from mapkit.core.errors import PrintError
from mapkit.drawing.text_width import FAMILIES, SANS, Face, Family, missing_characters

SVG: Final = "{http://www.w3.org/2000/svg}"
XLINK: Final = "{http://www.w3.org/1999/xlink}href"

MAX_CHARACTERS: Final = 64_000_000
MAX_ELEMENTS: Final = 1_000_000
MAX_DEPTH: Final = 200
MAX_SIDE: Final = 5_080.0
"""Millimetres: the 200 inches that a page of a PDF may measure."""

_MM_PER_UNIT: Final = {
    "mm": 1.0,
    "cm": 10.0,
    "in": 25.4,
    "pt": 25.4 / 72,
    "pc": 25.4 / 6,
    "q": 0.25,
    "px": 25.4 / 96,
    "": 25.4 / 96,
}
_LENGTH_PATTERN: Final = re.compile(r"\s*([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE | re.ASCII)
_BOLD_WEIGHT: Final = 600

for _prefix, _uri in (
    ("", "http://www.w3.org/2000/svg"),
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("inkscape", "http://www.inkscape.org/namespaces/inkscape"),
    ("ev", "http://www.w3.org/2001/xml-events"),
):
    ET.register_namespace(_prefix, _uri)


@dataclass(frozen=True)
class Picture:
    """An SVG file as a tree that its owner may change, with its size.

    Attributes:
        root: The `svg` element.
        width: In millimetres.
        height: In millimetres.
        box: `viewBox`: left, top, width, height in user units.
    """

    root: ET.Element
    width: float
    height: float
    box: tuple[float, float, float, float]

    def text(self) -> str:
        """Return the file's text; the same tree gives the same text."""
        body = ET.tostring(self.root, encoding="unicode")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def read_picture(text: str, name: str = "the picture") -> Picture:
    """Return an SVG text as a tree.

    Raises:
        PrintError: It is not an SVG, too large or too deep, states no size, or leads to other files.
    """
    if len(text) > MAX_CHARACTERS:
        raise PrintError(f"{name}: longer than {MAX_CHARACTERS:,} characters; simplify the drawing")
    try:
        root = Safe.fromstring(text.encode("utf-8"), forbid_dtd=False)
    except (Safe.ParseError, DefusedXmlException, UnicodeError, ValueError) as error:
        raise PrintError(f"{name}: not an SVG file ({error}); save it again as plain SVG") from error
    if root.tag != f"{SVG}svg":
        raise PrintError(f"{name}: the outermost element is {root.tag.rpartition('}')[2]!r}, not 'svg'")
    level_elements, nesting_depth, element_count = [root], 0, 0
    while level_elements:
        nesting_depth, element_count = nesting_depth + 1, element_count + len(level_elements)
        if nesting_depth > MAX_DEPTH or element_count > MAX_ELEMENTS:
            raise PrintError(f"{name}: more than {MAX_ELEMENTS:,} elements or {MAX_DEPTH} levels; simplify the drawing")
        for element in level_elements:
            for key in (XLINK, "href"):
                link_target = element.get(key, "#").strip()
                if element.tag != f"{SVG}a" and not link_target.startswith(("#", "data:")):
                    raise PrintError(f"{name}: links to {link_target[:60]!r}; embed that in the file itself")
        level_elements = [child for element in level_elements for child in element]
    width, height, view_box = _read_size(root, name)
    return Picture(root, width, height, view_box)


def _read_size(root: ET.Element, name: str) -> tuple[float, float, tuple[float, float, float, float]]:
    box_words = root.get("viewBox", "").replace(",", " ").split()
    try:
        box_numbers = [float(word) for word in box_words]
    except ValueError:
        box_numbers = []
    width, height = _parse_length(root.get("width")), _parse_length(root.get("height"))
    if len(box_numbers) == 4 and min(box_numbers[2:]) > 0:  # noqa: PLR2004 - a rectangle
        view_box = (box_numbers[0], box_numbers[1], box_numbers[2], box_numbers[3])
    elif width and height:
        view_box = (0.0, 0.0, width / _MM_PER_UNIT["px"], height / _MM_PER_UNIT["px"])
    else:
        raise PrintError(f"{name}: states no size; give it width and height in mm, and a viewBox")
    mm_per_unit = _MM_PER_UNIT["mm" if root.get("data-board") else "px"]  # boards of mapkit that fit a window
    width = width or view_box[2] * mm_per_unit
    height = height or view_box[3] * mm_per_unit
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise PrintError(f"{name}: {width:.0f} x {height:.0f} mm; a side may measure {MAX_SIDE:.0f} mm at most")
    return width, height, view_box


def fit_window(svg: str) -> str:
    """Return a drawing of mapkit without its width and height, so that it fills the window of a browser."""
    head, separator, body = svg.partition(">\n<g")
    return re.sub(r' (?:width|height)="[\d.]+mm"', "", head) + separator + body


def _parse_length(value: str | None) -> float | None:
    """Return a length in millimetres; None if it is missing or a share of something."""
    length_match = _LENGTH_PATTERN.fullmatch(value or "")
    mm_per_unit = _MM_PER_UNIT.get(length_match.group(2).lower()) if length_match else None
    return float(length_match.group(1)) * mm_per_unit if length_match and mm_per_unit is not None else None


@dataclass(frozen=True)
class FacedWords:
    """Words of a `text` element with one face.

    Attributes:
        text: The words, spaces as they are in the file.
        face: Which face of the family draws them.
        family: Which of the shipped families.
    """

    text: str
    face: Face
    family: Family


def all_words(root: ET.Element) -> Iterator[FacedWords]:
    """Yield the words of all `text` elements, in the order of the file."""
    open_elements: list[tuple[ET.Element, Face, Family, bool]] = [(root, "regular", SANS, False)]
    while open_elements:
        element, face, family, is_in_text = open_elements.pop()
        face, family = face_of(element, face), family_of(element, family)
        is_in_text = is_in_text or element.tag == f"{SVG}text"
        if is_in_text and element.tag in (f"{SVG}title", f"{SVG}desc"):
            continue
        if is_in_text and element.text:
            yield FacedWords(element.text, face, family)
        for child in element:
            if is_in_text and child.tail:
                yield FacedWords(child.tail, face, family)
        open_elements.extend((child, face, family, is_in_text) for child in reversed(element))


def face_of(element: ET.Element, inherited: Face) -> Face:
    """Return the face of an element, given the face of its parent."""
    font_weight, font_style = _style_property(element, "font-weight"), _style_property(element, "font-style")
    is_bold, is_italic = inherited == "bold", inherited == "italic"
    if font_weight:
        is_bold = font_weight in ("bold", "bolder") or (font_weight.isdigit() and int(font_weight) >= _BOLD_WEIGHT)
    if font_style:
        is_italic = font_style in ("italic", "oblique")
    return "italic" if is_italic else "bold" if is_bold else "regular"


def family_of(element: ET.Element, inherited: Family) -> Family:
    """Return the shipped family of an element's texts, given that of its parent."""
    css_value = _style_property(element, "font-family")
    return find_family(css_value) or SANS if css_value else inherited


def find_family(css_value: str) -> Family | None:
    """Return the shipped family that a value of `font-family` names first, if any."""
    names = [name.strip(" '\"") for name in css_value.split(",")]
    return next((family for name in names for family in FAMILIES if name == family), None)


def _style_property(element: ET.Element, name: str) -> str:
    declaration = re.search(rf"(?:^|;)\s*{name}\s*:\s*([^;]+)", element.get("style", ""))
    return (declaration.group(1) if declaration else element.get(name, "")).strip()


def missing_letters(svg: str, name: str = "the picture") -> str:
    """Return the letters of a picture's texts that the shipped fonts lack, each once, sorted.

    Raises:
        PrintError: As for `read_picture`.
    """
    return missing_letters_in_tree(read_picture(svg, name).root)


def missing_letters_in_tree(root: ET.Element) -> str:
    """Return the letters of a tree's texts that the shipped fonts lack."""
    missing = {char for words in all_words(root) for char in missing_characters(words.text, face=words.face)}
    return "".join(sorted(missing))


def substituted_letters(svg: str, name: str = "the picture") -> dict[Family, str]:
    """Return the letters that families lack and the usual family draws, each once, sorted.

    Raises:
        PrintError: As for `read_picture`.
    """
    letters: dict[Family, set[str]] = {}
    for words in all_words(read_picture(svg, name).root):
        if lacked := missing_characters(words.text, face=words.face, family=words.family):
            drawn = set(lacked) - set(missing_characters(words.text, face=words.face))
            letters.setdefault(words.family, set()).update(drawn)
    return {family: "".join(sorted(lacked)) for family, lacked in sorted(letters.items()) if lacked}
