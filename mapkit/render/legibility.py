"""How well text stands out: contrast as WCAG 2.2 defines it, and inks that have enough of it."""

from typing import Final

LEAST_CONTRAST: Final = 4.5
"""Between text and what it stands on (WCAG 2.2, 1.4.3 AA)."""
_STEPS: Final = 40


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio, 1 to 21, of two colours `#rrggbb`."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(top: str, bottom: str, opacity: float) -> str:
    """Return the colour of `top` laid over `bottom`."""
    pairs = zip(_channels(top), _channels(bottom), strict=True)
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in pairs)


def legible(colour: str, grounds: tuple[str, ...], ink: str, *, least: float = LEAST_CONTRAST) -> str:
    """Return the colour, mixed with as much ink as it needs to stand out from all the grounds."""
    for step in range(_STEPS + 1):
        found = mixed(ink, colour, step / _STEPS)
        if min(contrast(found, ground) for ground in grounds) >= least:
            return found
    return ink


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    # rounded, because a power may differ in its last digit between machines
    return round(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4, 9)  # noqa: PLR2004 - sRGB
