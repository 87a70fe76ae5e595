"""Improved computer players, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.playing.tables import share_text

if TYPE_CHECKING:
    from pathlib import Path

    from mapkit.kinds.rail.api.players.tuning import Tuned


def show_tuned(found: "Tuned", players: int, out: "Path") -> None:
    """Print the result of each generation, and the tuned policy."""
    rows = (
        (generation.number, share_text(generation.won), "takes over" if generation.better else "")
        for generation in found.generations
    )
    print_result(table(("generation", "best challenger wins %", ""), rows, right=(0, 1)))
    won = share_text(found.against_start)
    print_result(f"\nAgainst {players - 1} as at the start it wins {won} % (as good: {100 / players:.1f})")
    print_result(str(out))
    if found.stopped:
        print_message(f"stopped after {len(found.generations)} generations")
