"""Brightness and contrast steps of a theme for accessibility: three by two."""

from typing import Final

from mapkit.core.arrays import Floats
from mapkit.core.errors import SourceError
from mapkit.drawing.colours import colour as colours
from mapkit.drawing.colours.colour import in_gamut, luminance, oklab, oklab_to_light, rgb, to_encoded, to_hex
from mapkit.drawing.theme.theme import Theme

_LIGHTNESS_STEP: Final = 0.06
"""One step of brightness, in OKLab's lightness."""
_GROUND_FIELDS: Final = ("water", "land", "coast_glow", "paper", "panel")
_MARK_FIELDS: Final = ("lake_shore", "coast", "river", "border", "region_edge", "frame", "quiet_ink")
_DARK_LUMINANCE: Final = 0.18
_SHADE_COLOUR: Final = "#6d675c"
_MIXED_SHARE: Final = 0.2
"""How much of white or shade is mixed into the board's own tints by a step."""
_STRONG_CONTRAST: Final = 7.0
_MARK_CONTRAST: Final = 3.0
_CHROMA_STEPS: Final = 50


def is_dark(theme: Theme) -> bool:
    """Return whether a theme is light on dark."""
    return luminance(theme.land) < _DARK_LUMINANCE


def adjust_theme(theme: Theme, brightness: int = 0, contrast: int = 0) -> Theme:
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
    has_dark_land = is_dark(theme)
    changes: dict[str, object] = {}
    if brightness:
        changes |= {
            key: shift_lightness(getattr(theme, key), brightness * _LIGHTNESS_STEP)
            for key in (*_GROUND_FIELDS, "casing", "halo")
        }
        if theme.tint_ground is None:
            changes |= {"tint_ground": "#ffffff" if brightness > 0 else _SHADE_COLOUR, "tint_share": 1 - _MIXED_SHARE}
        else:
            changes["tint_ground"] = shift_lightness(theme.tint_ground, brightness * _LIGHTNESS_STEP)
    brightened = theme.model_copy(update=changes)
    if not contrast:
        return brightened
    end_colour = "#000000" if has_dark_land else "#ffffff"
    ink_colour = "#ffffff" if has_dark_land else "#000000"
    edge_colour = brightened.casing if brightness and has_dark_land else end_colour
    ground_colours = {
        key: to_hex(0.35 * rgb(getattr(brightened, key)) + 0.65 * rgb(end_colour)) for key in _GROUND_FIELDS
    }
    changes = dict(ground_colours)
    changes |= {"casing": edge_colour, "halo": edge_colour, "ink": ink_colour}
    changes |= {
        "tint_ground": ground_colours["land"],
        "tint_share": (brightened.tint_share if brightened.tint_ground else 1.0) * (0.75 if has_dark_land else 0.5),
    }
    for key in _MARK_FIELDS:
        min_contrast = _STRONG_CONTRAST if key in ("quiet_ink", "frame") else _MARK_CONTRAST
        changes[key] = ensure_contrast(getattr(brightened, key), ground_colours["land"], min_contrast)
    return brightened.model_copy(update=changes)


def shift_lightness(colour: str, step: float) -> str:
    """Return a colour with its lightness in OKLab shifted, its hue kept."""
    lab_colour = oklab(rgb(colour))
    lab_colour[0] = min(max(lab_colour[0] + step, 0.0), 1.0)
    return to_hex(to_encoded(oklab_to_light(_limit_chroma(lab_colour))))


def scale_chroma(colour: str, factor: float) -> str:
    """Return a colour with its chroma multiplied, within sRGB; lightness and hue are kept."""
    if factor == 1:
        return colour
    lab_colour = oklab(rgb(colour))
    lab_colour[1:] *= factor
    return to_hex(to_encoded(oklab_to_light(_limit_chroma(lab_colour))))


def ensure_contrast(colour: str, ground: str, least: float) -> str:
    """Return a colour made darker or lighter until its contrast to the ground is `least`, with its hue kept."""
    if colours.contrast(colour, ground) >= least:
        return colour
    start_colour = oklab(rgb(colour))
    target_lightness = 1.0 if luminance(ground) < _DARK_LUMINANCE else 0.0
    candidate = colour
    for part in range(1, _CHROMA_STEPS + 1):
        lab_colour = start_colour.copy()
        lab_colour[0] = start_colour[0] + (target_lightness - start_colour[0]) * part / _CHROMA_STEPS
        candidate = to_hex(to_encoded(oklab_to_light(_limit_chroma(lab_colour))))
        if colours.contrast(candidate, ground) >= least:
            break
    return candidate


def _limit_chroma(value: Floats) -> Floats:
    """Return the colour of equal lightness and hue with the highest chroma within sRGB."""
    for part in range(_CHROMA_STEPS, -1, -1):
        reduced = value.copy()
        reduced[1:] *= part / _CHROMA_STEPS
        if in_gamut(oklab_to_light(reduced)):
            return reduced
    return value
