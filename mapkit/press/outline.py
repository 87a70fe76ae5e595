"""Texts as outlines, shaped by HarfBuzz like in browsers, from the shipped fonts."""

import re
import unicodedata
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Final
from xml.etree import ElementTree as ET

import uharfbuzz as hb

from mapkit.core.errors import PrintError
from mapkit.drawing.shipped_fonts import font_path
from mapkit.drawing.svg_file import SVG, XLINK, Picture, face_of, family_of, read_picture
from mapkit.drawing.text_width import SANS, Face, Family, missing_characters

_POSITION_ATTRIBUTES: Final = frozenset(
    {"x", "y", "dx", "dy", "text-anchor", "letter-spacing", "font-size", "font-weight", "font-style"}
)
_UNSUPPORTED_ATTRIBUTES: Final = frozenset({"textLength", "lengthAdjust", "rotate", "word-spacing", "writing-mode"})
_NUMBER_PATTERN: Final = re.compile(r"[-+]?[0-9]*\.?[0-9]+")
_WHITE_SPACE: Final = re.compile(r"[ \t\r\n]+")
_DEFAULT_SIZE: Final = 16.0


def replace_text_by_outlines(svg: str, name: str = "the picture") -> str:
    """Return a picture with each `text` replaced by a group of outlines with the same id and attributes.

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
        hidden_only: Only halos: groups with a stroke that screen readers pass over; what cannot be outlined is
            left as it is.
        name: For messages.

    Raises:
        PrintError: A text has features that are not outlined, unless `hidden_only`.
    """
    texts_by_link = {f"#{text.get('id')}": text for text in picture.root.iter(f"{SVG}text") if text.get("id")}
    open_elements: list[tuple[ET.Element, _Style, bool]] = [
        (picture.root, _Style("regular", family_of(picture.root, SANS), _DEFAULT_SIZE, "start", 0.0), False)
    ]
    while open_elements:
        parent, style, hidden = open_elements.pop()
        for index, original in enumerate(parent):
            child, child_style = original, style.of(original)
            is_hidden = hidden or (child.get("aria-hidden") == "true" and child.get("stroke") is not None)
            repeated_text = texts_by_link.get(child.get(XLINK, "")) if child.tag == f"{SVG}use" else None
            if repeated_text is not None:
                child = deepcopy(repeated_text)
                child.set("aria-hidden", "true")
                del child.attrib["id"]
                child_style = child_style.of(child)
            if child.tag != f"{SVG}text":
                open_elements.append((child, child_style, is_hidden))
                continue
            if hidden_only and not is_hidden:
                continue
            if _is_unsupported(child):
                if hidden_only:
                    continue
                text_content = "".join(child.itertext())[:40]
                raise PrintError(
                    f"{name}: the text {text_content!r} runs along a path or is stretched, and stays no outline"
                )
            parent[index] = _outline_text(child, child_style)


@dataclass(frozen=True)
class _Style:
    """Inherited style of a text: face, family, size, anchor, letter spacing."""

    face: Face
    family: Family
    size: float
    anchor: str
    spacing: float

    def of(self, element: ET.Element) -> "_Style":
        """Return the style of a child element."""
        spacing = _parse_number(element.get("letter-spacing"))
        return _Style(
            face_of(element, self.face),
            family_of(element, self.family),
            _parse_number(element.get("font-size")) or self.size,
            element.get("text-anchor", self.anchor),
            self.spacing if spacing is None else spacing,
        )


def _is_unsupported(text: ET.Element) -> bool:
    for element in text.iter():
        if (
            element.tag == f"{SVG}textPath"
            or _UNSUPPORTED_ATTRIBUTES & set(element.attrib)
            or "font" in element.get("style", "")
        ):
            return True
        if any(len(_NUMBER_PATTERN.findall(element.get(key, ""))) > 1 for key in ("x", "y", "dx", "dy")):
            return True
    return False


@dataclass
class _Run:
    """Run of text of one element: its start, if explicit, and its style."""

    text: str
    style: _Style
    look: Mapping[str, str]
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0


def _outline_text(text: ET.Element, style: _Style) -> ET.Element:
    """Return the group of outlines for a text."""
    group = ET.Element(f"{SVG}g", _look_attributes(text))
    group.tail = text.tail
    group.extend(child for child in text if child.tag == f"{SVG}title")
    # white space collapses like in browsers
    runs: list[_Run] = []
    _gather_runs(text, style, {}, runs)
    after_space = True
    for run in runs:
        run_text = unicodedata.normalize("NFC", _WHITE_SPACE.sub(" ", run.text))
        run.text = run_text[1:] if after_space and run_text.startswith(" ") else run_text
        after_space = run.text.endswith(" ") if run.text else after_space
    if runs:
        runs[-1].text = runs[-1].text.rstrip(" ")
    all_text = "".join(run.text for run in runs)
    if text.get("aria-hidden") != "true" and all_text:
        group.set("role", "img")
        group.set("aria-label", all_text)
    x = y = 0.0
    while runs:
        chunk_end = next((i for i, run in enumerate(runs[1:], 1) if run.x is not None or run.y is not None), len(runs))
        anchor_chunk, runs = runs[:chunk_end], runs[chunk_end:]
        shaped_lines = [_shape_line(run.text, run.style) for run in anchor_chunk]
        x, y = (
            anchor_chunk[0].x if anchor_chunk[0].x is not None else x,
            anchor_chunk[0].y if anchor_chunk[0].y is not None else y,
        )
        chunk_width = sum(line.width for line in shaped_lines) + sum(run.dx for run in anchor_chunk[1:])
        chunk_width -= next(
            (run.style.spacing for run in reversed(anchor_chunk) if run.text), 0.0
        )  # none after the last letter
        x -= {"middle": chunk_width / 2, "end": chunk_width}.get(anchor_chunk[0].style.anchor, 0.0)
        for run, line in zip(anchor_chunk, shaped_lines, strict=True):
            x, y = x + run.dx, y + run.dy
            if line.strokes:
                ET.SubElement(group, f"{SVG}path", {**run.look, "d": line.at(x, y)})
            x += line.width
    return group


def _look_attributes(element: ET.Element) -> dict[str, str]:
    return {key: value for key, value in element.attrib.items() if key not in _POSITION_ATTRIBUTES}


def _gather_runs(element: ET.Element, style: _Style, look: Mapping[str, str], out: list[_Run]) -> None:
    out.append(
        _Run(
            element.text or "",
            style,
            look,
            _parse_number(element.get("x")),
            _parse_number(element.get("y")),
            _parse_number(element.get("dx")) or 0.0,
            _parse_number(element.get("dy")) or 0.0,
        )
    )
    for child in element:
        if child.tag in (f"{SVG}tspan", f"{SVG}a"):
            _gather_runs(child, style.of(child), {**look, **_look_attributes(child)}, out)
        if child.tail:
            out.append(_Run(child.tail, style, look))


@dataclass(frozen=True)
class _Line:
    """Shaped line: path strokes with their points, from the origin, y downward, and the advance width."""

    strokes: tuple[tuple[str, tuple[float, ...]], ...]
    width: float

    def at(self, x: float, y: float) -> str:
        """Return path data with the origin at (x, y)."""
        path_parts = []
        for path_command, numbers in self.strokes:
            moved_numbers = (value + (y if i % 2 else x) for i, value in enumerate(numbers))
            path_parts.append(path_command + " ".join(_format_number(value) for value in moved_numbers))
        return "".join(path_parts)


def _shape_line(text: str, style: _Style) -> _Line:
    """Shape one line with the kerning and ligatures of the font; the usual family draws letters that it lacks."""
    lacked = missing_characters(text, face=style.face, family=style.family) if style.family != SANS else ""
    line_strokes: list[tuple[str, tuple[float, ...]]] = []
    x = 0.0
    for is_lacked, characters in groupby(text, lacked.__contains__):
        part = _shape_part("".join(characters), replace(style, family=SANS) if is_lacked else style, x)
        line_strokes += part.strokes
        x = part.width
    return _Line(tuple(line_strokes), x)


def _shape_part(text: str, style: _Style, x: float) -> _Line:
    """Shape a part of a line in one font, from `x` on; its width is that of the line up to its end."""
    hb_font = _load_font(style.face, style.family)
    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(hb_font, buffer, {"liga": False, "clig": False} if style.spacing else {})
    font_scale = style.size / hb_font.face.upem
    line_strokes: list[tuple[str, tuple[float, ...]]] = []
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        dx, dy = x + position.x_offset * font_scale, -position.y_offset * font_scale
        for path_command, numbers in _glyph_strokes(style.face, style.family, info.codepoint):
            line_strokes.append(
                (
                    path_command,
                    tuple(-v * font_scale + dy if i % 2 else v * font_scale + dx for i, v in enumerate(numbers)),
                )
            )
        x += position.x_advance * font_scale + style.spacing
    return _Line(tuple(line_strokes), x)


@cache
def _load_font(face: Face, family: Family) -> hb.Font:
    return hb.Font(hb.Face(hb.Blob(font_path(face, family).read_bytes())))


@cache
def _glyph_strokes(face: Face, family: Family, glyph: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return a glyph's outline in font units, y upward."""
    outline_pen = _Pen()
    _load_font(face, family).draw_glyph_with_pen(glyph, outline_pen)
    return tuple(outline_pen.strokes)


class _Pen:
    """Pen for outlines from HarfBuzz, with the method names that it requires."""

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


def _parse_number(value: str | None) -> float | None:
    number_match = _NUMBER_PATTERN.match((value or "").strip())
    return float(number_match.group()) if number_match else None


def _format_number(value: float) -> str:
    number_text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if number_text == "-0" else number_text
