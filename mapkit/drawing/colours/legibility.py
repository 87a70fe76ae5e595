"""Inks that stand out enough from what they are on."""

from typing import Final

from mapkit.drawing.colours.colour import contrast, mixed

LEAST_CONTRAST: Final = 4.5
"""Between text and what it stands on (WCAG 2.2, 1.4.3 AA)."""
_STEPS: Final = 40


def legible(colour: str, grounds: tuple[str, ...], ink: str, *, least: float = LEAST_CONTRAST) -> str:
    """Return the colour, mixed with as much ink as it needs to stand out from all the grounds."""
    for step in range(_STEPS + 1):
        found = mixed(ink, colour, step / _STEPS)
        if min(contrast(found, ground) for ground in grounds) >= least:
            return found
    return ink
