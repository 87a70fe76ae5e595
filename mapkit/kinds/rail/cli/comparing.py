"""Comparisons of boards by play, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result
from mapkit.playing.tables import (
    clearest_of,
    difference_table,
    panel_difference_table,
    part_text,
    print_end,
    verdict_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from mapkit.kinds.rail.api.comparing import PlayCompared
    from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
    from mapkit.playing.paired_differences import FigureDifference
    from mapkit.playing.panels import PanelFigure


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    marks = {r.id: r.short for board in (found.one, found.other) for r in board.railroads}
    if not as_json:
        print_result(comparison_text(found.comparison, marks))
    print_end(found, f"{found.comparison.matches:,} matches")


def comparison_text(found: "Comparison", marks: dict[str, str]) -> str:
    """Lay out a comparison as tables; `marks` are those of railroads by id."""
    players = ", ".join(dict.fromkeys(found.policies))
    shown = [f for f in found.figures if f.part != "railroad"]
    railroads = clearest_of(f for f in found.figures if f.part == "railroad")
    if found.panel:
        known = {(f.part, f.id, f.figure): f for f in found.panel}
        tables = [
            panel_difference_table((known[key] for f in rows if (key := (f.part, f.id, f.figure)) in known), name)
            for rows in (shown, railroads)
            for name in (_named(marks),)
        ]
    else:
        tables = [difference_table(rows, _named(marks)) for rows in (shown, railroads)]
    called = f"in {len(found.policies)} styles: {players}" if found.panel else players
    return "\n".join(
        [
            f"A: {_called(found.a)}",
            f"B: {_called(found.b)}",
            f"{found.matches:,} matches of {found.players} players ({called}) on each",
            verdict_text(found.chance, different=found.different),
            "",
            tables[0],
            "",
            "Railroads: what differs most clearly",
            tables[1],
        ]
    )


def _named(marks: dict[str, str]) -> "Callable[[FigureDifference | PanelFigure], str]":
    """Return the name of a figure; railroads have their marks."""
    return lambda figure: (
        f"{marks[figure.id] if figure.part == 'railroad' else part_text(figure)} {figure.figure}".strip()
    )


def _called(played: "PlayedOn") -> str:
    rules = played.preset + (f" with {', '.join(played.options)}" if played.options else "")
    return f"{'+'.join([played.board, *played.variants])}, rules {rules}, seed {played.seed}"
