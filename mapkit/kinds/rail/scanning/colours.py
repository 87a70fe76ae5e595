"""Colours of railroads in a picture: from the board, from a table, or picked at a pixel."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from mapkit.core.arrays import Floats
from mapkit.core.base import Point
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.drawing.colours.colour import to_hex
from mapkit.formats.pixels import Pixels
from mapkit.formats.tables import Problems, Row, parse_number, read_table
from mapkit.kinds.rail.scanning.inks import (
    colour_lab,
    colour_table,
    distances_from_colour,
    distances_from_mixes,
    find_grounds,
    pixels_to_keys,
)

_PICK_REACH: Final = 4
_PICKED_PIXELS: Final = 6
_MAX_PICKED_DISTANCE: Final = 0.15
"""Greatest OKLab distance of the ink from the picked pixel: a thin line is paler than its ink."""
_MAX_ASIDE: Final = 0.05
"""Greatest OKLab distance of the ink from the line through the pixel and its ground, since colours mix where a line
meets a dot."""
_INK_SHARE: Final = 0.6
"""A pixel with at least this share of the greatest difference from the grounds around it is ink itself."""
_SURE_INK: Final = 0.15
"""A pixel that differs from the grounds by this much in OKLab is ink in any case."""
_WIDE_SHARE: Final = 0.03
_GROUND_REACH: Final = 12
_ALIKE: Final = 0.06
_PURE_PIXELS: Final = 22
"""Least number of pixels of its colour around a click on a line that shows pure ink, of 81."""
_HUE_WEIGHT: Final = 4.0
_MAX_MIX_DISTANCE: Final = 0.14
"""Greatest distance of a colour from the mixes of an ink with the ground, its hue weighted."""
_MIN_CHROMA: Final = 0.03
_COLOURED: Final = 0.05
"""Chroma in OKLab from which a colour is not grey."""
_ALIKE_HUE: Final = 0.8
"""Least cosine between the directions of two colours from a ground that show one hue."""
_LISTED_SHARE: Final = 0.02
_MAX_LISTED: Final = 3
_LISTED_DISTANCE: Final = 0.02
_HEX_CHARACTERS: Final = frozenset("0123456789abcdef")
_HEX_DIGITS: Final = 6
_DARK_BELOW: Final = 0.35
_LIGHT_ABOVE: Final = 0.9


class PictureInks(NamedTuple):
    """Colours of railroads in a picture, and a pixel on a line of some, by their ids."""

    colours: dict[str, str]
    clicks: dict[str, Point]


def read_colours(text: str, pixels: Pixels, *, file: str, railroads: Mapping[str, str]) -> PictureInks:
    """Read colours of railroads from a table with the columns `railroad`, then `colour`, or `x` and `y`, or all three.

    Args:
        text: The table.
        pixels: The picture, in which `x` and `y` are a pixel on a line of the railroad.
        file: The table's name, for messages.
        railroads: The colours that the board states, by id; only these may be named.

    Raises:
        SourceError: A row is wrong.
    """
    problems = Problems()
    inks = PictureInks({}, {})
    for row in read_table(
        text, file=file, required=("railroad",), optional=("colour", "x", "y", "note"), problems=problems
    ):
        try:
            ident, colour, click = _read_row(row, pixels, railroads)
            if ident in inks.colours:
                problems.add(row.at(f"railroad {ident!r} has a colour above; remove one of them"))
            inks.colours.setdefault(ident, colour)
            if click is not None:
                inks.clicks.setdefault(ident, click)
        except SourceError as error:
            problems.extend(error)
    problems.raise_if_any()
    return inks


def _read_row(row: Row, pixels: Pixels, railroads: Mapping[str, str]) -> tuple[str, str, Point | None]:
    row_cells = {"colour": "", "x": "", "y": ""} | row.cells
    railroad_id = row_cells["railroad"]
    if railroad_id not in railroads:
        raise SourceError(
            row.at(f"no railroad {railroad_id!r} in railroads.csv{did_you_mean(railroad_id, railroads)}; correct it")
        )
    colour = check_colour(row_cells["colour"], row.at) if row_cells["colour"] else ""
    if not row_cells["x"] or not row_cells["y"]:
        if not colour:
            raise SourceError(row.at("no colour; give #rrggbb, or x and y of a pixel on its line"))
        return railroad_id, colour, None
    x, y = parse_number(row, "x", like="812"), parse_number(row, "y", like="455")
    height, width = pixels.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise SourceError(row.at(f"pixel {x:g}, {y:g} is outside the picture of {width} by {height}; correct it"))
    return railroad_id, colour or pick_colour(pixels, int(x), int(y)), (x, y)


def check_colour(text: str, said: object = None) -> str:
    """Return a colour as `#rrggbb`.

    Raises:
        SourceError: The text is not a colour; `said`, a function, puts where it stands before the message.
    """
    colour = text.strip().lower()
    if len(colour) == _HEX_DIGITS + 1 and colour[0] == "#" and set(colour[1:]) <= _HEX_CHARACTERS:
        return colour
    message = f"colour {text!r} is not one; write it as #rrggbb, such as #aa4845"
    raise SourceError(said(message) if callable(said) else message)


def pick_colour(pixels: Pixels, x: int, y: int) -> str:
    """Return the ink at a pixel: of similar pixels around it, the mean of the few that differ most from all grounds."""
    grounds = find_grounds(pixels_to_keys(pixels), np.zeros((0, 3)), _WIDE_SHARE)
    top, left = max(0, y - _PICK_REACH), max(0, x - _PICK_REACH)
    patch_pixels = pixels[top : y + _PICK_REACH + 1, left : x + _PICK_REACH + 1].reshape(-1, 3)
    patch_colours = colour_table()[pixels_to_keys(patch_pixels)]
    ground_distance = (
        np.linalg.norm(patch_colours[:, None] - grounds[None], axis=2).min(axis=1)
        if len(grounds)
        else np.ones(len(patch_pixels))
    )
    picked_colour = colour_table()[pixels_to_keys(pixels[y, x])]
    picked_distance = np.linalg.norm(patch_colours - picked_colour, axis=1)
    if ground_distance[picked_distance.argmin()] > min(_INK_SHARE * ground_distance.max(), _SURE_INK):
        ground_distance[
            (picked_distance > _MAX_PICKED_DISTANCE)
            | (_distance_from_mix(patch_colours, picked_colour, grounds) > _MAX_ASIDE)
        ] = 0.0
    strongest_pixels = np.argsort(-ground_distance, kind="stable")[:_PICKED_PIXELS]
    return to_hex(patch_pixels[strongest_pixels].mean(axis=0) / 255)


def unite_inks(pixels: Pixels, colours: Mapping[str, str], clicks: Mapping[str, Point]) -> dict[str, str]:
    """Return the ink of each railroad: thin strokes look paler than their ink.

    A railroad gets the ink of another one if its colour is a mix of that ink with the ground there.

    Args:
        pixels: The picture.
        colours: The colour of each railroad in the picture, `#rrggbb`, by its id.
        clicks: A pixel on a line of some railroads.
    """
    seen = {ident: _look_around(pixels, colours[ident], clicks[ident]) for ident in sorted(clicks) if ident in colours}
    inks = dict(colours)
    leaders: list[str] = sorted(set(colours) - set(seen))
    for ident in sorted(seen, key=lambda one: (not seen[one].is_pure, -seen[one].strength, one)):
        look = seen[ident]
        mixes = {
            leader: float(
                distances_from_mixes(look.colour[None], look.ground[None], colour_lab(colours[leader]), _HUE_WEIGHT)[0]
            )
            for leader in leaders
            if _has_hue(look, colour_lab(colours[leader]))
        }
        best = min(mixes, key=lambda leader: (mixes[leader], leader), default=None)
        if best is not None and mixes[best] < _MAX_MIX_DISTANCE:
            inks[ident] = colours[best]
        else:
            leaders.append(ident)
    return inks


class _Look(NamedTuple):
    colour: Floats
    ground: Floats
    strength: float
    is_pure: bool


def _look_around(pixels: Pixels, colour: str, click: Point) -> _Look:
    """Return the colour of a railroad, the ground around a click on its line, and how pure it is there."""
    x, y = int(click[0]), int(click[1])
    ink = colour_lab(colour)

    def distances(reach: int) -> tuple[Floats, Floats]:
        part = pixels[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
        labs = colour_table()[pixels_to_keys(part)]
        return labs, np.linalg.norm(labs - ink, axis=1)

    around, off = distances(_GROUND_REACH)
    near = distances(_PICK_REACH)[1]
    others = around[off > _MAX_ASIDE * 2]
    ground = np.median(others, axis=0) if len(others) else np.ones(3)
    strength = float(np.linalg.norm(ground - ink))
    return _Look(ink, ground, strength, strength > 2 * _MAX_ASIDE and int((near < _ALIKE).sum()) >= _PURE_PIXELS)


def _has_hue(look: _Look, ink: Floats) -> bool:
    """Return whether a colour differs from the ground around it in the same hue as an ink, as far as both have one."""
    own_hue, ink_hue = (look.colour - look.ground)[1:], (ink - look.ground)[1:]
    own_chroma, ink_chroma = float(np.hypot(*own_hue)), float(np.hypot(*ink_hue))
    if min(own_chroma, ink_chroma) > _MIN_CHROMA and float(own_hue @ ink_hue) < _ALIKE_HUE * own_chroma * ink_chroma:
        return False
    return bool(np.hypot(*look.colour[1:]) <= _COLOURED or np.hypot(*ink[1:]) >= _MIN_CHROMA)


def _distance_from_mix(seen: Floats, here: Floats, grounds: Floats) -> Floats:
    """Return the OKLab distance of colours from the straight line through one colour and its nearest ground."""
    if not len(grounds):
        return np.zeros(len(seen))
    ink_vector = here - grounds[int(np.linalg.norm(grounds - here, axis=1).argmin())]
    ink_direction = ink_vector / max(float(np.linalg.norm(ink_vector)), 1e-9)
    colour_offsets = seen - here
    return np.asarray(
        np.linalg.norm(colour_offsets - (colour_offsets @ ink_direction)[:, None] * ink_direction, axis=1)
    )


def guess_symbol_colours(pixels: Pixels) -> tuple[str, ...]:
    """Return the likely fills of dots and squares: the most frequent very dark colour, and the lightest."""
    colour_counts = np.bincount(pixels_to_keys(pixels).ravel(), minlength=len(colour_table()))
    table = colour_table()
    symbol_fills: list[str] = []
    for is_candidate in (table[:, 0] < _DARK_BELOW, table[:, 0] > _LIGHT_ABOVE):
        candidate_counts = np.where(is_candidate, colour_counts, 0)
        best_key = int(candidate_counts.argmax())
        if candidate_counts[best_key]:
            is_similar = distances_from_colour(table[best_key]) < 0.03  # noqa: PLR2004 - what looks the same
            red, green, blue = ((np.arange(len(table)) >> shift & 63) * 4 + 2 for shift in (12, 6, 0))
            similar_shares = np.where(is_similar, colour_counts, 0) / max(int(colour_counts[is_similar].sum()), 1)
            symbol_fills.append(to_hex(np.array([float((c * similar_shares).sum()) for c in (red, green, blue)]) / 255))
    return tuple(symbol_fills)


def describe_colours(pixels: Pixels) -> str:
    """Describe the size of a picture and the colours that cover most of it."""
    keys = pixels_to_keys(pixels).ravel()
    table = colour_table()
    height, width = pixels.shape[:2]
    colour_texts = []
    for ground in find_grounds(keys, np.zeros((0, 3)), _LISTED_SHARE)[:_MAX_LISTED]:
        is_near = np.linalg.norm(table - ground, axis=1) < _LISTED_DISTANCE
        is_ground = is_near[keys]
        colour = to_hex(pixels.reshape(-1, 3)[is_ground].mean(axis=0) / 255)
        colour_texts.append(f"{is_ground.mean():.0%} {colour}")
    return f"{width} by {height} pixels, {', '.join(colour_texts) or 'no colour that covers much of it'}"
