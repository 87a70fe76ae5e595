"""Comparisons of card games by play, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result
from mapkit.playing.tables import clearest_of, compared_table, part_text, print_end, verdict_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mapkit.playing.game import PlayCompared
    from mapkit.playing.paired_differences import FigureDifference
    from mapkit.playing.panels import PairComparison, PanelFigure


def show_comparison(
    found: "PlayCompared", settings: list[str] | None, other_settings: list[str] | None, *, as_json: bool
) -> None:
    """Print a comparison, and how it ended."""
    if not as_json:
        print_result(comparison_text(found.comparison, settings, other_settings))
    print_end(found, f"{found.comparison.matches:,} games")


def comparison_text(
    found: "PairComparison", settings: list[str] | None = None, other_settings: list[str] | None = None
) -> str:
    """Lay out a comparison as tables."""
    styles = f"in {len(found.policies)} styles: {', '.join(found.policies)}"
    players = styles if found.panel else " against ".join(found.policies)
    of_match = [f for f in found.figures if f.part in ("match", "player", "seat")]
    others = [f for f in found.figures if f.part not in ("match", "player", "seat")]
    return "\n".join(
        [
            f"A: {_with(found.a, settings or ())}",
            f"B: {_with(found.b, [*(settings or ()), *(other_settings or ())])}",
            f"{found.matches:,} games ({players}) of each",
            verdict_text(found.chance, different=found.different),
            "",
            compared_table(found, of_match, _called),
            "",
            "Holdings and investors: what differs most clearly",
            compared_table(found, clearest_of(others), _called),
        ]
    )


def _called(figure: "FigureDifference | PanelFigure") -> str:
    return f"{part_text(figure)} {figure.figure}".strip()


def _with(name: str, settings: "Iterable[str]") -> str:
    changed = ", ".join(settings)
    return f"{name} with {changed}" if changed else name
