"""Comparisons of hexagon boards by play, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result
from mapkit.playing.tables import clearest_of, compared_table, part_text, print_end, verdict_text

if TYPE_CHECKING:
    from mapkit.playing.game import PlayCompared


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    comparison = found.comparison
    if not as_json:
        players = ", ".join(dict.fromkeys(comparison.policies))
        called = f"in {len(comparison.policies)} styles: {players}" if comparison.panel else players
        head = f"{comparison.matches:,} games ({called}) on A ({comparison.a}) and B ({comparison.b})"
        verdict = verdict_text(comparison.chance, different=comparison.different)
        figures = compared_table(
            comparison, clearest_of(comparison.figures), lambda one: f"{one.figure} {part_text(one)}".strip()
        )
        print_result("\n\n".join([f"{head}\n{verdict}", figures]))
    print_end(found, f"{comparison.matches:,} games")
