"""Colours of goods, of players and of track, in six styles from dull to bright (RW-U01, RW-U02)."""

from dataclasses import dataclass
from typing import Final

from mapkit.drawing.colours.colour import contrast, grey_of, mixed
from mapkit.drawing.colours.legibility import legible
from mapkit.drawing.theme.steps import is_dark
from mapkit.drawing.theme.theme import Theme
from mapkit.kinds.hex.model.terrain import known_terrains

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
    "green": "#0f5a2c",
    "white": "#f4f1e8",
    "brown": "#3d2312",
    "pink": "#e79bb5",
    "sky": "#7cc7e6",
}
"""Colours of players: none is a colour of goods, and all can be told apart by people of any colour vision."""
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


@dataclass(frozen=True)
class BoardInks:
    """Colours of what only boards of hexagons have, in a theme."""

    grid: str
    label: str
    hill: str
    blocked: str
    ridge: str
    river: str
    major: str
    peak_light: str
    peak_dark: str
    peak_edge: str
    drop: str
    drop_edge: str
    fifth: str
    """Ground of every fifth space of the track."""


def board_inks(theme: Theme) -> BoardInks:
    """Return the colours of a theme: as they are on light ground, lighter on dark, black and grey in ink alone."""
    blocked = mixed(theme.quiet_ink, theme.land, 0.2)
    grounds = (
        theme.land,
        theme.water,
        blocked,
        *(terrain_fill(one.id, "", theme) for one in known_terrains().values() if one.tints),
    )
    shared = {
        "grid": mixed(theme.ink, theme.land, 0.32),
        "label": legible(theme.quiet_ink, grounds, theme.ink),
        "blocked": blocked,
        "fifth": mixed(theme.water, theme.panel, 0.6),
    }
    if theme.lines == "ink":
        return BoardInks(
            **{**shared, "blocked": "#dddddd", "fifth": "#e4e4e4"},
            hill="#bbbbbb",
            ridge="#000000",
            river="#6e6e6e",
            major="#333333",
            peak_light="#ffffff",
            peak_dark="#8a8a8a",
            peak_edge="#000000",
            drop="#9a9a9a",
            drop_edge="#000000",
        )
    if is_dark(theme):
        return BoardInks(
            **shared,
            hill="#8a7a5a",
            ridge="#e07a52",
            river="#5aa0d0",
            major="#d8c9a0",
            peak_light="#b8a27a",
            peak_dark="#74623f",
            peak_edge="#2a2418",
            drop="#6fb0dc",
            drop_edge="#12283a",
        )
    return BoardInks(
        **shared,
        hill="#a58a55",
        ridge="#7a2412",
        river="#1f6a9e",
        major="#3c3a55",
        peak_light="#d8c49c",
        peak_dark="#8f7650",
        peak_edge="#5d4a2e",
        drop="#5b93bd",
        drop_edge="#2d5f86",
    )


def terrain_fill(terrain: str, colour: str, theme: Theme) -> str:
    """Return the tint of a terrain in a theme; a board's own terrain has the author's colour.

    Args:
        terrain: Its id.
        colour: The author's.
        theme: The theme.
    """
    dark = is_dark(theme)
    known = known_terrains().get(terrain)
    if known is not None and known.tints is not None:
        tints = known.tints
        return tints.ink if theme.lines == "ink" else tints.dark if dark else tints.light
    if theme.lines == "ink":
        return mixed(grey_of(colour), theme.land, 0.5)
    return mixed(colour, theme.land, 0.35) if dark else colour


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
