"""Colours of goods, of players and of track, in six styles from dull to bright (RW-U01, RW-U02)."""

from dataclasses import dataclass
from typing import Final

from mapkit.drawing.colours.colour import contrast, mixed
from mapkit.drawing.theme.theme import Theme

PIGMENTS: Final = {
    "red": "#c62828",
    "blue": "#1c5ea8",
    "black": "#2a2a2c",
    "yellow": "#f2c12e",
    "purple": "#c07bd6",
    "gray": "#a3a19a",
}
"""The brightest style. Purple is lighter than blue by far, for most people mix them up."""
GREYS: Final = {
    "black": "#1a1a1a",
    "blue": "#474747",
    "red": "#6b6b6b",
    "purple": "#9a9a9a",
    "yellow": "#cfcfcf",
    "gray": "#ffffff",
}
"""For themes of ink alone: as far from each other as six greys can be."""
PLAYERS: Final = {
    "orange": "#d9601a",
    "green": "#2f7d3a",
    "white": "#f4f1e8",
    "brown": "#5f3a22",
    "pink": "#e79bb5",
    "sky": "#4fb0d8",
}
"""Colours of players: none is a colour of goods."""
_DULL: Final = "#8d8a82"
_BRIGHTEST: Final = 6
_STEP: Final = 0.07
_LIGHT, _DARK = "#ffffff", "#1f1f1f"


@dataclass(frozen=True)
class TrackInks:
    """The colours of track: of its bed, of its ties and of its rails."""

    bed: str
    ties: str
    rails: str


def pigment(colour: str, style: int = _BRIGHTEST, theme: Theme | None = None) -> str:
    """Return a colour of goods in a style from 1, dull, to 6, bright; a grey in a theme of ink alone."""
    if theme is not None and theme.lines == "ink":
        return GREYS[colour]
    return mixed(PIGMENTS[colour], _DULL, 1.0 - _STEP * (_BRIGHTEST - style))


def track_inks(style: int) -> TrackInks:
    """Return the colours of track in a style from 1, dull, to 6, bright: bright track is black on white."""
    share = (style - 1) / (_BRIGHTEST - 1)
    return TrackInks(
        bed=mixed("#ffffff", "#d8d0bd", share),
        ties=mixed("#7a4216", "#857b68", share),
        rails=mixed("#0d0d0d", "#565049", share),
    )


def ink_on(fill: str) -> str:
    """Return what is written in on a colour: black or white, whichever stands out."""
    return max((_LIGHT, _DARK), key=lambda ink: contrast(ink, fill))
