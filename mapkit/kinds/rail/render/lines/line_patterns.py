"""Pens of railroad patterns (RB-C08), in widths of a line.

Patterns differ from each other in black and white alone: by where ink is missing along the line, or by the
shape of its edge or inside. The periods are long enough to be seen from a metre away at a line of 1.3 mm.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.kinds.rail.model.board import Pattern


@dataclass(frozen=True)
class Pen:
    """Pen of a pattern, in widths of a line: the main line, the layer below it, the layer on it.

    `dashes` alternate ink and gap. A pattern is fitted into each piece a whole number of times and begins and ends
    in the middle of its first dash, so that every milepost lies in the middle of a dash. A dash of 0 is a round dot.
    """

    width: float = 1.0
    dashes: tuple[float, ...] = ()
    spine: float = 0.0
    """Width of a plain line in the railroad's colour, below the dashes."""
    inner: float = 0.0
    """Width of a light line on the main line."""
    inner_dashes: tuple[float, ...] = ()
    wave: float = 0.0
    """Length of a zigzag's or wave's period; the main line then swings by `swing` to each side."""
    swing: float = 0.0
    round: bool = False
    """The swing is a wave and not a zigzag."""

    @property
    def body(self) -> float:
        """Width from edge to edge."""
        return max(self.width + 2 * self.swing, self.spine)


PENS: Final[Mapping[Pattern, Pen]] = {
    "solid": Pen(),
    "dash": Pen(dashes=(3.4, 1.3)),
    "dot": Pen(width=1.15, dashes=(0.0, 1.75)),
    "dash-dot": Pen(dashes=(3.6, 1.0, 1.0, 1.0)),
    "dash-dot-dot": Pen(dashes=(3.6, 0.9, 0.8, 0.8, 0.8, 0.9)),
    "double": Pen(width=1.3, inner=0.46),
    "hollow": Pen(width=1.25, inner=0.66, inner_dashes=(2.6, 1.8)),
    "pearl": Pen(width=1.3, inner=0.66, inner_dashes=(0.0, 1.9)),
    "ladder": Pen(width=1.35, dashes=(0.5, 0.8), spine=0.4),
    "ties": Pen(width=1.6, dashes=(0.55, 2.6), spine=0.55),
    "beads": Pen(width=1.3, dashes=(0.0, 3.2), spine=0.45),
    "sawtooth": Pen(width=0.55, wave=1.5, swing=0.48),
    "wave": Pen(width=0.55, wave=3.6, swing=0.42, round=True),
}
