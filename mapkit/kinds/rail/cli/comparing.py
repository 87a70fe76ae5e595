"""Comparisons of boards by play, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result
from mapkit.kinds.rail.cli.studies import show_end
from mapkit.playing.tables import clearest_of, difference_table, part_text, verdict_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from mapkit.kinds.rail.api.comparing import PlayCompared
    from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
    from mapkit.playing.comparing import FigureDifference


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    marks = {r.id: r.short for board in (found.one, found.other) for r in board.railroads}
    if not as_json:
        print_result(comparison_text(found.comparison, marks))
    show_end(found, "", found.comparison.matches)


def comparison_text(found: "Comparison", marks: dict[str, str]) -> str:
    """Lay out a comparison as tables; `marks` are those of railroads by id."""
    players = ", ".join(dict.fromkeys(found.policies))
    of_match = [f for f in found.figures if f.part != "railroad"]
    of_railroads = [f for f in found.figures if f.part == "railroad"]
    return "\n".join(
        [
            f"A: {_called(found.a)}",
            f"B: {_called(found.b)}",
            f"{found.matches:,} matches of {len(found.policies)} players ({players}) on each",
            verdict_text(found.chance, different=found.different),
            "",
            difference_table(of_match, _named(marks)),
            "",
            "Railroads: what differs most clearly",
            difference_table(clearest_of(of_railroads), _named(marks)),
        ]
    )


def _named(marks: dict[str, str]) -> "Callable[[FigureDifference], str]":
    """Return the name of a figure; railroads have their marks."""
    return lambda figure: (
        f"{marks[figure.id] if figure.part == 'railroad' else part_text(figure)} {figure.figure}".strip()
    )


def _called(played: "PlayedOn") -> str:
    rules = played.preset + (f" with {', '.join(played.options)}" if played.options else "")
    return f"{'+'.join([played.board, *played.variants])}, rules {rules}, seed {played.seed}"
