"""Inks with enough contrast to their background."""

from typing import Final

from mapkit.drawing.colours.colour import contrast, mix_colours

LEAST_CONTRAST: Final = 4.5
"""Between text and what it stands on (WCAG 2.2, 1.4.3 AA)."""
_MIX_STEPS: Final = 40


def mix_until_legible(colour: str, grounds: tuple[str, ...], ink: str) -> str:
    """Return the colour mixed with as much ink as it needs for enough contrast to all grounds."""
    for step in range(_MIX_STEPS + 1):
        mixed_colour = mix_colours(ink, colour, step / _MIX_STEPS)
        if min(contrast(mixed_colour, ground) for ground in grounds) >= LEAST_CONTRAST:
            return mixed_colour
    return ink
