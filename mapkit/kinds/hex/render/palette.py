"""Colours of players, and of goods and track in six styles from dull to bright (RW-U01, RW-U02)."""

from dataclasses import dataclass
from typing import Final

from mapkit.drawing.colours.colour import contrast, grey_of, mix_colours
from mapkit.drawing.colours.legibility import mix_until_legible
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
"""Colours of goods in the brightest style. Purple is far lighter than blue, because the two are easily confused."""
GREYS: Final = {
    "black": "#1a1a1a",
    "blue": "#474747",
    "red": "#6b6b6b",
    "purple": "#9a9a9a",
    "yellow": "#cfcfcf",
    "gray": "#ffffff",
}
"""Greys of goods in ink-only themes, as far apart as six greys can be."""
PLAYERS: Final = {
    "orange": "#d9601a",
    "green": "#0f5a2c",
    "white": "#f4f1e8",
    "brown": "#3d2312",
    "pink": "#e79bb5",
    "sky": "#7cc7e6",
}
"""Colours of players: none is a colour of goods, and all are distinct in every kind of colour vision."""
_DULL_COLOUR: Final = "#8d8a82"
_BRIGHTEST_STYLE: Final = 6
_STYLE_STEP: Final = 0.07
_LIGHT_INK, _DARK_INK = "#ffffff", "#1f1f1f"


@dataclass(frozen=True)
class TrackInks:
    """Colours of track: of its bed, ties and rails."""

    bed: str
    ties: str
    rails: str


@dataclass(frozen=True)
class BoardInks:
    """A theme's colours for features that only boards of hexagons have."""

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
    """Return a theme's colours for a board: lighter on dark ground, black and grey in an ink-only theme."""
    blocked_colour = mix_colours(theme.quiet_ink, theme.land, 0.2)
    ground_colours = (
        theme.land,
        theme.water,
        blocked_colour,
        *(terrain_fill(terrain.id, "", theme) for terrain in known_terrains().values() if terrain.tints),
    )
    shared_colours = {
        "grid": mix_colours(theme.ink, theme.land, 0.32),
        "label": mix_until_legible(theme.quiet_ink, ground_colours, theme.ink),
        "blocked": blocked_colour,
        "fifth": mix_colours(theme.water, theme.panel, 0.6),
    }
    if theme.lines == "ink":
        return BoardInks(
            **{**shared_colours, "blocked": "#dddddd", "fifth": "#e4e4e4"},
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
            **shared_colours,
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
        **shared_colours,
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
    """Return the tint of a terrain in a theme; terrain defined by a board is tinted with the author's colour.

    Args:
        terrain: Its id.
        colour: The author's colour; ignored for built-in terrain.
        theme: The theme.
    """
    has_dark_ground = is_dark(theme)
    known_terrain = known_terrains().get(terrain)
    if known_terrain is not None and known_terrain.tints is not None:
        tints = known_terrain.tints
        return tints.ink if theme.lines == "ink" else tints.dark if has_dark_ground else tints.light
    if theme.lines == "ink":
        return mix_colours(grey_of(colour), theme.land, 0.5)
    return mix_colours(colour, theme.land, 0.35) if has_dark_ground else colour


def pigment(colour: str, style: int = _BRIGHTEST_STYLE, theme: Theme | None = None) -> str:
    """Return a colour of goods in a style from 1 (dull) to 6 (bright), or its grey in an ink-only theme."""
    if theme is not None and theme.lines == "ink":
        return GREYS[colour]
    return mix_colours(PIGMENTS[colour], _DULL_COLOUR, 1.0 - _STYLE_STEP * (_BRIGHTEST_STYLE - style))


def track_inks(style: int) -> TrackInks:
    """Return the colours of track in a style from 1 (dull) to 6 (bright); the brightest has black rails on white."""
    dullness = (style - 1) / (_BRIGHTEST_STYLE - 1)
    return TrackInks(
        bed=mix_colours("#ffffff", "#d8d0bd", dullness),
        ties=mix_colours("#7a4216", "#857b68", dullness),
        rails=mix_colours("#0d0d0d", "#565049", dullness),
    )


def ink_on(fill: str) -> str:
    """Return black or white for text on a colour, whichever has more contrast."""
    return max((_LIGHT_INK, _DARK_INK), key=lambda ink: contrast(ink, fill))
