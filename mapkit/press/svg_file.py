"""An SVG text as a tree with a size in millimetres, read with limits, and its texts with their faces."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from defusedxml import ElementTree as Safe
from defusedxml.common import DefusedXmlException

from mapkit.core.errors import PrintError
from mapkit.drawing.text_width import Face, missing_characters

SVG: Final = "{http://www.w3.org/2000/svg}"
XLINK: Final = "{http://www.w3.org/1999/xlink}href"

MAX_CHARACTERS: Final = 64_000_000
MAX_ELEMENTS: Final = 1_000_000
MAX_DEPTH: Final = 200
MAX_SIDE: Final = 5_080.0
"""Millimetres: the 200 inches that a page of a PDF may measure."""

_MM: Final = {
    "mm": 1.0,
    "cm": 10.0,
    "in": 25.4,
    "pt": 25.4 / 72,
    "pc": 25.4 / 6,
    "q": 0.25,
    "px": 25.4 / 96,
    "": 25.4 / 96,
}
_LENGTH: Final = re.compile(r"\s*([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE | re.ASCII)
_BOLD_FROM: Final = 600

for _prefix, _uri in (
    ("", "http://www.w3.org/2000/svg"),
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("ev", "http://www.w3.org/2001/xml-events"),
):
    ET.register_namespace(_prefix, _uri)


@dataclass(frozen=True)
class Picture:
    """An SVG file: its tree, for the owner of this object to change, and its size.

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
        raise PrintError(f"{name}: no SVG ({error}); save it again as plain SVG") from error
    if root.tag != f"{SVG}svg":
        raise PrintError(f"{name}: the outermost element is {root.tag.rpartition('}')[2]!r}, not 'svg'")
    _refuse_too_much(root, name)
    width, height, box = _size(root, name)
    return Picture(root, width, height, box)


def _refuse_too_much(root: ET.Element, name: str) -> None:
    level, depth, count = [root], 0, 0
    while level:
        depth, count = depth + 1, count + len(level)
        if depth > MAX_DEPTH or count > MAX_ELEMENTS:
            raise PrintError(f"{name}: more than {MAX_ELEMENTS:,} elements or {MAX_DEPTH} levels; simplify the drawing")
        for element in level:
            for key in (XLINK, "href"):
                target = element.get(key, "#").strip()
                if element.tag != f"{SVG}a" and not target.startswith(("#", "data:")):
                    raise PrintError(f"{name}: leads to {target[:60]!r}; embed what it shows in the file itself")
        level = [child for element in level for child in element]


def _size(root: ET.Element, name: str) -> tuple[float, float, tuple[float, float, float, float]]:
    words = root.get("viewBox", "").replace(",", " ").split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    width, height = _length(root.get("width")), _length(root.get("height"))
    if len(numbers) == 4 and min(numbers[2:]) > 0:  # noqa: PLR2004 - a rectangle
        box = (numbers[0], numbers[1], numbers[2], numbers[3])
    elif width and height:
        box = (0.0, 0.0, width / _MM["px"], height / _MM["px"])
    else:
        raise PrintError(f"{name}: states no size; give it width and height in mm, and a viewBox")
    width = width or box[2] * _MM["px"]
    height = height or box[3] * _MM["px"]
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise PrintError(f"{name}: {width:.0f} x {height:.0f} mm; a side may measure {MAX_SIDE:.0f} mm at most")
    return width, height, box


def _length(value: str | None) -> float | None:
    """Return a length in millimetres; None if it is missing or a share of something."""
    found = _LENGTH.fullmatch(value or "")
    factor = _MM.get(found.group(2).lower()) if found else None
    return float(found.group(1)) * factor if found and factor is not None else None


@dataclass(frozen=True)
class Words:
    """Words of a `text` element with one face.

    Attributes:
        text: The words, spaces as they are in the file.
        face: Which of the shipped fonts draws them.
    """

    text: str
    face: Face


def all_words(root: ET.Element) -> Iterator[Words]:
    """Yield the words of all `text` elements, in the order of the file."""
    stack: list[tuple[ET.Element, Face, bool]] = [(root, "regular", False)]
    while stack:
        element, face, inside = stack.pop()
        face = face_of(element, face)
        inside = inside or element.tag == f"{SVG}text"
        if inside and element.tag in (f"{SVG}title", f"{SVG}desc"):
            continue
        if inside and element.text:
            yield Words(element.text, face)
        for child in element:
            if inside and child.tail:
                yield Words(child.tail, face)
        stack.extend((child, face, inside) for child in reversed(element))


def face_of(element: ET.Element, inherited: Face) -> Face:
    """Return the face of an element whose parent has the face `inherited`."""
    weight, style = _property(element, "font-weight"), _property(element, "font-style")
    bold, italic = inherited == "bold", inherited == "italic"
    if weight:
        bold = weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= _BOLD_FROM)
    if style:
        italic = style in ("italic", "oblique")
    return "italic" if italic else "bold" if bold else "regular"


def _property(element: ET.Element, name: str) -> str:
    found = re.search(rf"(?:^|;)\s*{name}\s*:\s*([^;]+)", element.get("style", ""))
    return (found.group(1) if found else element.get(name, "")).strip()


def missing_letters(svg: str, name: str = "the picture") -> str:
    """Return the letters of a picture's texts that the shipped fonts lack, each once, sorted.

    Raises:
        PrintError: As for `read_picture`.
    """
    return missing_in(read_picture(svg, name).root)


def missing_in(root: ET.Element) -> str:
    """Return the letters of a tree's texts that the shipped fonts lack."""
    letters = {char for words in all_words(root) for char in missing_characters(words.text, face=words.face)}
    return "".join(sorted(letters))
