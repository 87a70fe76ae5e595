"""Colours of goods and cities, in six styles from dull to bright (RW-U01, RW-U02)."""

from typing import Final

from mapkit.drawing.colours.colour import contrast, mixed

PIGMENTS: Final = {
    "red": "#c62828",
    "blue": "#1c5ea8",
    "black": "#2a2a2c",
    "yellow": "#f2c12e",
    "purple": "#c07bd6",
    "gray": "#a3a19a",
}
"""The brightest style. Purple is lighter than blue by far, for most people mix them up."""
_DULL: Final = "#8d8a82"
_BRIGHTEST: Final = 6
_STEP: Final = 0.07
_LIGHT, _DARK = "#ffffff", "#1f1f1f"


def pigment(colour: str, style: int = _BRIGHTEST) -> str:
    """Return a colour of goods in a style from 1, dull, to 6, bright."""
    return mixed(PIGMENTS[colour], _DULL, 1.0 - _STEP * (_BRIGHTEST - style))


def ink_on(fill: str) -> str:
    """Return what is written in on a colour: black or white, whichever stands out."""
    return max((_LIGHT, _DARK), key=lambda ink: contrast(ink, fill))
