"""All checks of boards of hexagons."""

from typing import Final

from mapkit.kinds.hex.checks import cards, geography, ground, paper, pieces
from mapkit.kinds.hex.checks.check import HexCheck

CHECKS: Final[tuple[HexCheck, ...]] = (*ground.CHECKS, *pieces.CHECKS, *paper.CHECKS, *geography.CHECKS, *cards.CHECKS)
