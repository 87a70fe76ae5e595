"""Colours that railroads have in a picture: as the board states them, as a table does, or picked at a pixel."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.drawing.colours.colour import to_hex
from mapkit.formats.pixels import Pixels
from mapkit.formats.tables import Problems, Row, number, read_table
from mapkit.kinds.rail.scanning.inks import colour_table, distances, grounds_of, keys_of

_PICK_REACH: Final = 4
_PICKED: Final = 6
_SAME_PICKED: Final = 0.15
"""How far the ink may be from the very pixel that was picked, in OKLab: a thin line is paler than its ink."""
_ASIDE: Final = 0.05
"""How far it may be from the colours between that pixel and its ground, or beyond: where a line meets a dot, the two
mix."""
_ON_INK: Final = 0.6
"""A pixel that differs so much from the grounds, compared with those around it, is ink itself."""
_SURELY_INK: Final = 0.15
"""Likewise one that differs from them as much as this, whatever is around it."""
_WIDE_SHARE: Final = 0.03
_SAID_SHARE: Final = 0.02
_SAID: Final = 3
_SAID_APART: Final = 0.02
_HEX: Final = frozenset("0123456789abcdef")
_DIGITS: Final = 6
_DARKEST: Final = 0.35
_LIGHTEST: Final = 0.9


def read_colours(text: str, pixels: Pixels, *, file: str, railroads: Mapping[str, str]) -> dict[str, str]:
    """Return colours of railroads from a table with the columns `railroad`, then `colour`, or `x` and `y`.

    Args:
        text: The table.
        pixels: The picture, in which `x` and `y` are a pixel on a line of the railroad.
        file: The table's name, for messages.
        railroads: The colours that the board states, by id; only these may be named.

    Raises:
        SourceError: A row is wrong.
    """
    problems = Problems()
    out: dict[str, str] = {}
    for row in read_table(
        text, file=file, required=("railroad",), optional=("colour", "x", "y", "note"), problems=problems
    ):
        try:
            ident, colour = _colour_of(row, pixels, railroads)
            if ident in out:
                problems.add(row.at(f"railroad {ident!r} has a colour above; remove one of them"))
            out.setdefault(ident, colour)
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return out


def _colour_of(row: Row, pixels: Pixels, railroads: Mapping[str, str]) -> tuple[str, str]:
    cells = {"colour": "", "x": "", "y": ""} | row.cells
    ident = cells["railroad"]
    if ident not in railroads:
        raise SourceError(row.at(f"no railroad {ident!r} in railroads.csv{did_you_mean(ident, railroads)}; correct it"))
    if cells["colour"]:
        return ident, checked_colour(cells["colour"], row.at)
    if not cells["x"] or not cells["y"]:
        raise SourceError(row.at("no colour; give #rrggbb, or x and y of a pixel on its line"))
    x, y = number(row, "x", like="812"), number(row, "y", like="455")
    height, width = pixels.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise SourceError(row.at(f"pixel {x:g}, {y:g} is outside the picture of {width} by {height}; correct it"))
    return ident, picked(pixels, int(x), int(y))


def checked_colour(text: str, said: object = None) -> str:
    """Return a colour as `#rrggbb`.

    Raises:
        SourceError: The text is not a colour; `said`, a function, puts where it stands before the message.
    """
    colour = text.strip().lower()
    if len(colour) == _DIGITS + 1 and colour[0] == "#" and set(colour[1:]) <= _HEX:
        return colour
    message = f"colour {text!r} is not one; write it as #rrggbb, such as #aa4845"
    raise SourceError(said(message) if callable(said) else message)


def picked(pixels: Pixels, x: int, y: int) -> str:
    """Return the ink at a pixel: of like pixels around it, the mean of the few that differ most from all grounds."""
    grounds = grounds_of(keys_of(pixels), np.zeros((0, 3)), _WIDE_SHARE)
    top, left = max(0, y - _PICK_REACH), max(0, x - _PICK_REACH)
    part = pixels[top : y + _PICK_REACH + 1, left : x + _PICK_REACH + 1].reshape(-1, 3)
    seen = colour_table()[keys_of(part)]
    off = np.linalg.norm(seen[:, None] - grounds[None], axis=2).min(axis=1) if len(grounds) else np.ones(len(part))
    here = colour_table()[keys_of(pixels[y, x])]
    unlike = np.linalg.norm(seen - here, axis=1)
    if off[unlike.argmin()] > min(_ON_INK * off.max(), _SURELY_INK):
        off[(unlike > _SAME_PICKED) | (_aside(seen, here, grounds) > _ASIDE)] = 0.0
    strongest = np.argsort(-off, kind="stable")[:_PICKED]
    return to_hex(part[strongest].mean(axis=0) / 255)


def _aside(seen: Floats, here: Floats, grounds: Floats) -> Floats:
    """Return how far colours lie aside of the straight line through one and the ground nearest to it, OKLab."""
    if not len(grounds):
        return np.zeros(len(seen))
    away = here - grounds[int(np.linalg.norm(grounds - here, axis=1).argmin())]
    along = away / max(float(np.linalg.norm(away)), 1e-9)
    off = seen - here
    return np.asarray(np.linalg.norm(off - (off @ along)[:, None] * along, axis=1))


def symbol_colours(pixels: Pixels) -> tuple[str, ...]:
    """Return what dots and squares may be filled with: the most frequent very dark colour, and the lightest."""
    counts = np.bincount(keys_of(pixels).ravel(), minlength=len(colour_table()))
    table = colour_table()
    out: list[str] = []
    for wanted in (table[:, 0] < _DARKEST, table[:, 0] > _LIGHTEST):
        weights = np.where(wanted, counts, 0)
        best = int(weights.argmax())
        if weights[best]:
            near = distances(table[best]) < 0.03  # noqa: PLR2004 - what looks the same
            red, green, blue = ((np.arange(len(table)) >> shift & 63) * 4 + 2 for shift in (12, 6, 0))
            share = np.where(near, counts, 0) / max(int(counts[near].sum()), 1)
            out.append(to_hex(np.array([float((c * share).sum()) for c in (red, green, blue)]) / 255))
    return tuple(out)


def colours_seen(pixels: Pixels) -> str:
    """Return in words how large a picture is and which colours cover most of it."""
    keys = keys_of(pixels).ravel()
    table = colour_table()
    height, width = pixels.shape[:2]
    said = []
    for ground in grounds_of(keys, np.zeros((0, 3)), _SAID_SHARE)[:_SAID]:
        near = np.linalg.norm(table - ground, axis=1) < _SAID_APART
        mine = near[keys]
        colour = to_hex(pixels.reshape(-1, 3)[mine].mean(axis=0) / 255)
        said.append(f"{mine.mean():.0%} {colour}")
    return f"{width} by {height} pixels, {', '.join(said) or 'no colour that covers much of it'}"
