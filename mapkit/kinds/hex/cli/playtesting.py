"""Play-tests and judgements of boards of hexagons, for people."""

from typing import TYPE_CHECKING, Final

from mapkit.console.printing import print_result
from mapkit.kinds.hex.playing.study_tables import study_facts, study_tables
from mapkit.playing.tables import clearest_of, compared_table, part_text, print_end, print_study, verdict_text

if TYPE_CHECKING:
    from mapkit.kinds.hex.playing.study import HexStudy
    from mapkit.playing.game import PlayCompared, PlayTested

_SHOWN: Final = 20


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study, how it ended, and its files."""
    print_study(tested, "" if as_json else study_text(tested.study), f"{tested.study.matches:,} games", board)


def study_text(study: "HexStudy") -> str:
    """Lay out a study as tables."""
    facts = "\n".join(study_facts(study))
    return "\n\n".join([facts, *(one.as_text(_SHOWN) for one in study_tables(study) if one.rows)])


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    comparison = found.comparison
    if not as_json:
        head = f"{comparison.matches:,} games on A ({comparison.a}) and B ({comparison.b})"
        verdict = verdict_text(comparison.chance, different=comparison.different)
        figures = compared_table(
            comparison, clearest_of(comparison.figures), lambda one: f"{one.figure} {part_text(one)}".strip()
        )
        print_result("\n\n".join([f"{head}\n{verdict}", figures]))
    print_end(found, f"{comparison.matches:,} games")
