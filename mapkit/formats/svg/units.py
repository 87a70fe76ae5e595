"""Numbers in SVG: lengths with units, lists of numbers, transforms, viewports."""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
MAX_VALUE = 1e9
PER_UNIT = {
    "": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72, "pc": 16.0,
}  # fmt: skip
_NUMBER_PATTERN = re.compile(NUMBER)
_SPACED_NUMBERS = re.compile(r"[-+.,0-9eE\s]*+", re.ASCII)
_LENGTH_PATTERN = re.compile(rf"({NUMBER})\s*([a-zA-Z]*|%)", re.ASCII)
_TRANSFORM_PATTERN = re.compile(r"[\s,]*+([A-Za-z]++)\s*+\(([^()]*+)\)", re.ASCII)
_DEGREES_PER_UNIT = {"": 1.0, "deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_MAX_SHOWN = 40


class BadSvgError(ValueError):
    """A value of the file is unreadable; the reader adds file and element."""


class Size(NamedTuple):
    """Width and height of a viewport in its own units, the reference of percentages."""

    width: float
    height: float

    @property
    def diagonal(self) -> float:
        """Reference length for percentages of radii."""
        return math.hypot(self.width, self.height) / math.sqrt(2)


class Affine(NamedTuple):
    """`matrix(a b c d e f)`: x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, inner: "Affine") -> "Affine":
        """Return the transform that applies `inner` first.

        Raises:
            BadSvgError: A coefficient leaves the range of coordinates.
        """
        product = Affine(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            self.a * inner.e + self.c * inner.f + self.e,
            self.b * inner.e + self.d * inner.f + self.f,
        )
        if not all(abs(value) <= MAX_VALUE for value in product):
            raise BadSvgError("its transforms together scale or shift it out of range")
        return product

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Return the image of a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def determinant(self) -> float:
        """Scale factor of areas; 0 if the transform flattens everything."""
        return self.a * self.d - self.b * self.c


def check_limits(value: float, what: str) -> float:
    """Return a value within the range of coordinates.

    Raises:
        BadSvgError: It is out of range.
    """
    if not abs(value) <= MAX_VALUE:
        raise BadSvgError(f"{what} is out of range (at most {MAX_VALUE:.0e})")
    return value


def parse_number(text: str) -> float:
    """Return a number within the range of coordinates.

    Raises:
        BadSvgError: It is out of range.
    """
    return check_limits(float(text), text[:_MAX_SHOWN])


def parse_numbers(text: str, what: str) -> list[float]:
    """Return the numbers of a list separated by spaces and commas.

    Raises:
        BadSvgError: There is something else between them, or one is out of range.
    """
    values = _parse_spaced(text)
    if values is None:
        other_text = _NUMBER_PATTERN.sub(" ", text).replace(",", " ").strip()
        if other_text:
            raise BadSvgError(f"{what}: {other_text.split()[0][:_MAX_SHOWN]!r} is not a number")
        values = [float(found) for found in _NUMBER_PATTERN.findall(text)]
    if values and not (max(values) <= MAX_VALUE and min(values) >= -MAX_VALUE):
        raise BadSvgError(f"{what}: {max(values, key=abs):g} is out of range (at most {MAX_VALUE:.0e})")
    return values


def _parse_spaced(text: str) -> list[float] | None:
    """Return the numbers of a list with separators between all of them, None if it is not one."""
    if not _SPACED_NUMBERS.fullmatch(text):
        return None
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        return None


def parse_length(text: str, whole: float | None, what: str) -> float:
    """Return a length in user units (96 to the inch).

    Args:
        text: Such as `12`, `3.5mm`, `50%`.
        whole: What 100 % is; None if unknown.
        what: The attribute, for messages.

    Raises:
        BadSvgError: It is not a length, in a unit that depends on a font, or a percentage of something unknown.
    """
    match = _LENGTH_PATTERN.fullmatch(text.strip())
    if not match:
        raise BadSvgError(f"{what}: {text[:_MAX_SHOWN]!r} is not a length; write a number")
    value, unit = parse_number(match[1]), match[2].lower()
    if unit == "%":
        if whole is None:
            raise BadSvgError(f"{what}: {text[:_MAX_SHOWN]!r} of a drawing without size; give it a viewBox")
        return value / 100 * whole
    if unit not in PER_UNIT:
        raise BadSvgError(f"{what}: unit {unit[:_MAX_SHOWN]!r} is not read; use one of px, pt, pc, mm, cm, in, %")
    return check_limits(value * PER_UNIT[unit], what)


def _parse_quantity(text: str) -> tuple[float, str]:
    """Return number and unit of an argument of a transform."""
    match = _LENGTH_PATTERN.fullmatch(text.strip())
    if not match:
        raise BadSvgError(f"transform: {text[:_MAX_SHOWN]!r} is not a number")
    return parse_number(match[1]), match[2].lower()


def _parse_angle(text: str) -> float:
    """Return an angle in radians."""
    value, unit = _parse_quantity(text)
    if unit not in _DEGREES_PER_UNIT:
        raise BadSvgError(f"transform: {text[:_MAX_SHOWN]!r} is not an angle")
    return math.radians(value * _DEGREES_PER_UNIT[unit])


def _parse_length(text: str) -> float:
    """Return a number or a length of a transform."""
    value, unit = _parse_quantity(text)
    if unit not in PER_UNIT:
        raise BadSvgError(f"transform: {text[:_MAX_SHOWN]!r} has a unit that is not read")
    return value * PER_UNIT[unit]


def _parse_function(name: str, arguments: list[str]) -> Affine:
    """Return one function of a transform list."""
    match name, len(arguments):
        case "matrix", 6:
            return Affine(*map(_parse_length, arguments))
        case "translate", 1 | 2:
            return Affine(
                1, 0, 0, 1, _parse_length(arguments[0]), _parse_length(arguments[1]) if len(arguments) > 1 else 0.0
            )
        case "scale", 1 | 2:
            return Affine(_parse_length(arguments[0]), 0, 0, _parse_length(arguments[-1]), 0, 0)
        case "rotate", 1 | 3:
            angle = _parse_angle(arguments[0])
            x, y = (_parse_length(arguments[1]), _parse_length(arguments[2])) if len(arguments) > 1 else (0.0, 0.0)
            cos, sin = math.cos(angle), math.sin(angle)
            return Affine(cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        case "skewx", 1:
            return Affine(1, 0, math.tan(_parse_angle(arguments[0])), 1, 0, 0)
        case "skewy", 1:
            return Affine(1, math.tan(_parse_angle(arguments[0])), 0, 1, 0, 0)
    raise BadSvgError(f"transform: {name[:_MAX_SHOWN]} with {len(arguments)} numbers is not read")


def parse_transform(text: str) -> Affine:
    """Return the product of a transform list; the last one acts first.

    Raises:
        BadSvgError: It cannot be read.
    """
    result = Affine()
    if text.strip() in {"", "none"}:
        return result
    position = 0
    while match := _TRANSFORM_PATTERN.match(text, position):
        parts = re.findall(rf"(?:{NUMBER})[a-zA-Z%]*|[^\s,]+", match[2], re.ASCII)
        result = result.then(_parse_function(match[1].lower(), parts))
        position = match.end()
    if text[position:].replace(",", " ").strip():
        raise BadSvgError(f"transform: {text[position:][:_MAX_SHOWN]!r} cannot be read")
    return result


def _parse_view_box(text: str) -> tuple[float, float, float, float]:
    """Return the four numbers of a viewBox."""
    values = parse_numbers(text, "viewBox")
    if len(values) != 4 or values[2] <= 0 or values[3] <= 0:  # noqa: PLR2004 - x, y, width, height
        raise BadSvgError(f"viewBox: {text[:_MAX_SHOWN]!r} must be four numbers, width and height above 0")
    return values[0], values[1], values[2], values[3]


def corner(attributes: Mapping[str, str]) -> tuple[float, float]:
    """Return the upper left corner of an `svg` element in its user units: that of its viewBox, else (0, 0).

    Raises:
        BadSvgError: The viewBox cannot be read.
    """
    text = attributes.get("viewBox", "")
    return _parse_view_box(text)[:2] if text.strip() else (0.0, 0.0)


def viewport(
    attributes: Mapping[str, str], width: float | None, height: float | None
) -> tuple[Affine, Size | None, Size | None]:
    """Return the transform from the inside of an `svg` or `symbol` to its viewport, by viewBox.

    An unknown side (absent, or a percentage of an unknown page) follows from the other by the aspect ratio of the
    viewBox; if neither is known, one unit of the viewBox is one unit of the viewport.

    Args:
        attributes: The element's attributes; `viewBox` and `preserveAspectRatio` are read.
        width: Width of the viewport in units of its outside, None if unknown.
        height: Its height.

    Returns:
        The transform, the size inside, the size outside (None if unknown).

    Raises:
        BadSvgError: The viewBox or preserveAspectRatio cannot be read, or the viewport has no size.
    """
    if (width is not None and width <= 0) or (height is not None and height <= 0):
        raise BadSvgError("its width and height must be above 0")
    if not attributes.get("viewBox", "").strip():
        size = Size(width, height) if width is not None and height is not None else None
        return Affine(), size, size
    x, y, box_width, box_height = _parse_view_box(attributes["viewBox"])
    if width is None:
        width = box_width if height is None else height * box_width / box_height
    if height is None:
        height = width * box_height / box_width
    scale_x, scale_y = width / box_width, height / box_height
    aspect_words = attributes.get("preserveAspectRatio", "").replace("defer", " ").split() or ["xMidYMid"]
    shift_x = shift_y = 0.0
    if aspect_words[0] != "none":
        match = re.fullmatch(r"x(Min|Mid|Max)Y(Min|Mid|Max)", aspect_words[0])
        if not match or aspect_words[1:] not in ([], ["meet"], ["slice"]):
            raise BadSvgError(f"preserveAspectRatio: {' '.join(aspect_words)[:_MAX_SHOWN]!r} cannot be read")
        scale_x = scale_y = (max if aspect_words[1:] == ["slice"] else min)(scale_x, scale_y)
        share_by_alignment = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
        shift_x = share_by_alignment[match[1]] * (width - scale_x * box_width)
        shift_y = share_by_alignment[match[2]] * (height - scale_y * box_height)
    inner_transform = Affine().then(Affine(scale_x, 0, 0, scale_y, shift_x - scale_x * x, shift_y - scale_y * y))
    return inner_transform, Size(box_width, box_height), Size(width, height)
