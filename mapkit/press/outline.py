"""Texts as outlines: shaped by HarfBuzz as browsers do it, from the shipped fonts."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from xml.etree import ElementTree as ET

import uharfbuzz as hb

from mapkit.core.errors import PrintError
from mapkit.drawing.text_width import Face
from mapkit.press.shipped_fonts import font_path
from mapkit.press.svg_file import SVG, Picture, face_of, read_picture

_POSITION: Final = frozenset(
    {"x", "y", "dx", "dy", "text-anchor", "letter-spacing", "font-size", "font-weight", "font-style"}
)
_LEFT_ALONE: Final = frozenset({"textLength", "lengthAdjust", "rotate", "word-spacing", "writing-mode"})
_NUMBER: Final = re.compile(r"[-+]?[0-9]*\.?[0-9]+")
_SPACES: Final = re.compile(r"[ \t\r\n]+")
_DEFAULT_SIZE: Final = 16.0


def with_outlined_text(svg: str, name: str = "the picture") -> str:
    """Return a picture without text: each `text` is a group of the same id and attributes with its outlines.

    Groups have `role="img"` and `aria-label`, so that screen readers still find the words. Letters that the fonts
    lack become their empty boxes; `missing_letters` lists them.

    Raises:
        PrintError: As for `read_picture`; or a text runs along a path or has other features that are not outlined.
    """
    picture = read_picture(svg, name)
    outline_texts(picture, name=name)
    return picture.text()


def outline_texts(picture: Picture, *, hidden_only: bool = False, name: str = "the picture") -> None:
    """Outline the texts of a tree in place.

    Args:
        picture: Changed.
        hidden_only: Only those that are hidden from screen readers (`aria-hidden`), such as halos below names; what
            cannot be outlined is left as it is.
        name: For messages.

    Raises:
        PrintError: A text has features that are not outlined, unless `hidden_only`.
    """
    todo: list[tuple[ET.Element, _Style, bool]] = [
        (picture.root, _Style("regular", _DEFAULT_SIZE, "start", 0.0), False)
    ]
    while todo:
        parent, style, hidden = todo.pop()
        for index, child in enumerate(parent):
            below = style.of(child)
            dark = hidden or child.get("aria-hidden") == "true"
            if child.tag != f"{SVG}text":
                todo.append((child, below, dark))
                continue
            if hidden_only and not dark:
                continue
            if _odd(child):
                if hidden_only:
                    continue
                words = "".join(child.itertext())[:40]
                raise PrintError(f"{name}: the text {words!r} runs along a path or is stretched, and stays no outline")
            parent[index] = _outlined(child, below)


@dataclass(frozen=True)
class _Style:
    """What texts inherit: face, size, anchor, letter spacing."""

    face: Face
    size: float
    anchor: str
    spacing: float

    def of(self, element: ET.Element) -> "_Style":
        """Return the style of an element within."""
        spacing = _number(element.get("letter-spacing"))
        return _Style(
            face_of(element, self.face),
            _number(element.get("font-size")) or self.size,
            element.get("text-anchor", self.anchor),
            self.spacing if spacing is None else spacing,
        )


def _odd(text: ET.Element) -> bool:
    for element in text.iter():
        if element.tag == f"{SVG}textPath" or _LEFT_ALONE & set(element.attrib) or "font" in element.get("style", ""):
            return True
        if any(len(_NUMBER.findall(element.get(key, ""))) > 1 for key in ("x", "y", "dx", "dy")):
            return True
    return False


@dataclass
class _Run:
    """A stretch of text of one element: where it starts, if it says so, and how it is drawn."""

    text: str
    style: _Style
    look: Mapping[str, str]
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0


def _outlined(text: ET.Element, style: _Style) -> ET.Element:
    """Return the group of outlines for a text."""
    group = ET.Element(f"{SVG}g", _look(text))
    group.tail = text.tail
    group.extend(child for child in text if child.tag == f"{SVG}title")
    runs = _runs(text, style)
    words = "".join(run.text for run in runs)
    if text.get("aria-hidden") != "true" and words:
        group.set("role", "img")
        group.set("aria-label", words)
    x = y = 0.0
    while runs:
        end = next((i for i, run in enumerate(runs[1:], 1) if run.x is not None or run.y is not None), len(runs))
        chunk, runs = runs[:end], runs[end:]
        lines = [_shape(run.text, run.style) for run in chunk]
        x, y = chunk[0].x if chunk[0].x is not None else x, chunk[0].y if chunk[0].y is not None else y
        width = sum(line.width for line in lines) + sum(run.dx for run in chunk[1:])
        width -= next((run.style.spacing for run in reversed(chunk) if run.text), 0.0)  # none after the last letter
        x -= {"middle": width / 2, "end": width}.get(chunk[0].style.anchor, 0.0)
        for run, line in zip(chunk, lines, strict=True):
            x, y = x + run.dx, y + run.dy
            if line.strokes:
                ET.SubElement(group, f"{SVG}path", {**run.look, "d": line.at(x, y)})
            x += line.width
    return group


def _look(element: ET.Element) -> dict[str, str]:
    return {key: value for key, value in element.attrib.items() if key not in _POSITION}


def _runs(text: ET.Element, style: _Style) -> list[_Run]:
    """Return the runs of a text; spaces as browsers draw them: one of several, none at the ends."""
    out: list[_Run] = []
    _gather(text, style, {}, out)
    after_space = True
    for run in out:
        words = unicodedata.normalize("NFC", _SPACES.sub(" ", run.text))
        run.text = words[1:] if after_space and words.startswith(" ") else words
        after_space = run.text.endswith(" ") if run.text else after_space
    if out:
        out[-1].text = out[-1].text.rstrip(" ")
    return out


def _gather(element: ET.Element, style: _Style, look: Mapping[str, str], out: list[_Run]) -> None:
    out.append(
        _Run(
            element.text or "",
            style,
            look,
            _number(element.get("x")),
            _number(element.get("y")),
            _number(element.get("dx")) or 0.0,
            _number(element.get("dy")) or 0.0,
        )
    )
    for child in element:
        if child.tag in (f"{SVG}tspan", f"{SVG}a"):
            _gather(child, style.of(child), {**look, **_look(child)}, out)
        if child.tail:
            out.append(_Run(child.tail, style, look))


@dataclass(frozen=True)
class _Line:
    """A shaped line: path strokes with their points, from the origin, y downward; and its advance."""

    strokes: tuple[tuple[str, tuple[float, ...]], ...]
    width: float

    def at(self, x: float, y: float) -> str:
        """Return path data with the origin at (x, y)."""
        words = []
        for letter, numbers in self.strokes:
            moved = (value + (y if i % 2 else x) for i, value in enumerate(numbers))
            words.append(letter + " ".join(_short(value) for value in moved))
        return "".join(words)


def _shape(text: str, style: _Style) -> _Line:
    """Lay out one line with the kerning and ligatures of the font."""
    if not text:
        return _Line((), 0.0)
    face = _font(style.face)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(face, buffer, {"liga": False, "clig": False} if style.spacing else {})
    scale = style.size / face.face.upem
    strokes: list[tuple[str, tuple[float, ...]]] = []
    x = 0.0
    for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        dx, dy = x + place.x_offset * scale, -place.y_offset * scale
        for letter, numbers in _glyph(style.face, info.codepoint):
            strokes.append((letter, tuple(-v * scale + dy if i % 2 else v * scale + dx for i, v in enumerate(numbers))))
        x += place.x_advance * scale + style.spacing
    return _Line(tuple(strokes), x)


@cache
def _font(face: Face) -> hb.Font:
    return hb.Font(hb.Face(hb.Blob(font_path(face).read_bytes())))


@cache
def _glyph(face: Face, glyph: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return a glyph's outline in font units, y upward."""
    pen = _Pen()
    _font(face).draw_glyph_with_pen(glyph, pen)
    return tuple(pen.strokes)


class _Pen:
    """Takes an outline from HarfBuzz, which calls a pen's methods by these names."""

    def __init__(self) -> None:
        self.strokes: list[tuple[str, tuple[float, ...]]] = []

    def moveTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.strokes.append(("M", to))

    def lineTo(self, to: tuple[float, float]) -> None:  # noqa: N802
        self.strokes.append(("L", to))

    def qCurveTo(self, by: tuple[float, float], to: tuple[float, float]) -> None:  # noqa: N802
        self.strokes.append(("Q", (*by, *to)))

    def curveTo(self, one: tuple[float, float], two: tuple[float, float], to: tuple[float, float]) -> None:  # noqa: N802
        self.strokes.append(("C", (*one, *two, *to)))

    def closePath(self) -> None:  # noqa: N802
        self.strokes.append(("Z", ()))


def _number(value: str | None) -> float | None:
    found = _NUMBER.match((value or "").strip())
    return float(found.group()) if found else None


def _short(value: float) -> str:
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
