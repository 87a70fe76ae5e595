"""Brightness and contrast steps of a theme, for people who need them: three by two."""

from typing import Final, Literal

from mapkit.core.errors import SourceError
from mapkit.drawing.colours import colour as colours
from mapkit.drawing.colours.colour import (
    Floats,
    in_gamut,
    luminance,
    oklab,
    oklab_to_light,
    rgb,
    to_encoded,
    to_hex,
)
from mapkit.drawing.theme.theme import Theme

Brightness = Literal[-1, 0, 1]
Contrast = Literal[0, 1]

_STEP: Final = 0.06
"""One step of brightness, in OKLab's lightness."""
_GROUNDS: Final = ("water", "land", "coast_glow", "paper", "panel")
_MARKS: Final = ("lake_shore", "coast", "river", "border", "region_edge", "frame", "quiet_ink")
_DARK: Final = 0.18
_SHADE: Final = "#6d675c"
_MIXED: Final = 0.2
"""How much of white or shade is mixed into the board's own tints by a step."""
_STRONG: Final = 7.0
_MARKED: Final = 3.0
_PARTS: Final = 50


def is_dark(theme: Theme) -> bool:
    """Return whether a theme writes light on dark."""
    return luminance(theme.land) < _DARK


def adjusted(theme: Theme, brightness: int = 0, contrast: int = 0) -> Theme:
    """Return a theme a step darker or brighter, or of higher contrast.

    A step of brightness moves land, water, paper and the grounds of regions by 0.06 in OKLab's lightness. Higher
    contrast takes grounds to the end of their side (tints at half their strength), ink to black or white, quiet ink to
    7:1 and borders, coasts and rivers to 3:1 against the land at least (WCAG 2.2). Names keep 4.5:1 in every step.

    Args:
        theme: The theme to start from; it stays as it is.
        brightness: -1 darker, 0 as it is, 1 brighter.
        contrast: 0 as it is, 1 higher.

    Raises:
        SourceError: Another step is asked for.
    """
    if brightness not in (-1, 0, 1):
        raise SourceError(f"brightness is {brightness}; it is -1 (darker), 0 or 1 (brighter)")
    if contrast not in (0, 1):
        raise SourceError(f"contrast is {contrast}; it is 0 or 1 (higher)")
    dark = is_dark(theme)
    changes: dict[str, object] = {}
    if brightness:
        changes |= {key: shifted(getattr(theme, key), brightness * _STEP) for key in (*_GROUNDS, "casing", "halo")}
        if theme.tint_ground is None:
            changes |= {"tint_ground": "#ffffff" if brightness > 0 else _SHADE, "tint_share": 1 - _MIXED}
        else:
            changes["tint_ground"] = shifted(theme.tint_ground, brightness * _STEP)
    stepped = theme.model_copy(update=changes)
    if not contrast:
        return stepped
    end = "#000000" if dark else "#ffffff"
    ink = "#ffffff" if dark else "#000000"
    edge = stepped.casing if brightness and dark else end
    grounds = {key: _towards(getattr(stepped, key), end) for key in _GROUNDS}
    changes = dict(grounds)
    changes |= {"casing": edge, "halo": edge, "ink": ink}
    changes |= {
        "tint_ground": grounds["land"],
        "tint_share": (stepped.tint_share if stepped.tint_ground else 1.0) * (0.75 if dark else 0.5),
    }
    for key in _MARKS:
        least = _STRONG if key in ("quiet_ink", "frame") else _MARKED
        changes[key] = against(getattr(stepped, key), grounds["land"], least)
    return stepped.model_copy(update=changes)


def shifted(colour: str, step: float) -> str:
    """Return a colour with another lightness in OKLab, its hue kept."""
    value = oklab(rgb(colour))
    value[0] = min(max(value[0] + step, 0.0), 1.0)
    return to_hex(to_encoded(oklab_to_light(_in_gamut(value))))


def strengthened(colour: str, factor: float) -> str:
    """Return a colour with its chroma multiplied, as far as sRGB has it; lightness and hue are kept."""
    if factor == 1:
        return colour
    value = oklab(rgb(colour))
    value[1:] *= factor
    return to_hex(to_encoded(oklab_to_light(_in_gamut(value))))


def against(colour: str, ground: str, least: float) -> str:
    """Return a colour made darker or lighter until its contrast to the ground is `least`, its hue kept as long."""
    if colours.contrast(colour, ground) >= least:
        return colour
    start = oklab(rgb(colour))
    target = 1.0 if luminance(ground) < _DARK else 0.0
    found = colour
    for part in range(1, _PARTS + 1):
        value = start.copy()
        value[0] = start[0] + (target - start[0]) * part / _PARTS
        found = to_hex(to_encoded(oklab_to_light(_in_gamut(value))))
        if colours.contrast(found, ground) >= least:
            break
    return found


def _in_gamut(value: Floats) -> Floats:
    """Return the colour of that lightness and hue with as much chroma as sRGB has."""
    for part in range(_PARTS, -1, -1):
        tried = value.copy()
        tried[1:] *= part / _PARTS
        if in_gamut(oklab_to_light(tried)):
            return tried
    return value


def _towards(colour: str, end: str) -> str:
    return to_hex(0.35 * rgb(colour) + 0.65 * rgb(end))
