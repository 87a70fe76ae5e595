"""Play-tests of card games, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result, table
from mapkit.playing.tables import (
    clearest_of,
    difference_table,
    mean_text,
    part_text,
    print_end,
    share_text,
    verdict_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mapkit.kinds.cards.game import CardGame
    from mapkit.kinds.cards.playing.study import CardStudy
    from mapkit.playing.game import PlayCompared, PlayTested
    from mapkit.playing.paired_differences import FigureDifference, PairComparison


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study, and how it ended."""
    if not as_json:
        print_result(study_text(tested.board, tested.study))
    print_end(tested, f"{tested.study.matches:,} games", head=f"{board}: ")


def show_comparison(
    found: "PlayCompared", settings: list[str] | None, other_settings: list[str] | None, *, as_json: bool
) -> None:
    """Print a comparison, and how it ended."""
    if not as_json:
        print_result(comparison_text(found.comparison, settings, other_settings))
    print_end(found, f"{found.comparison.matches:,} games")


def study_text(game: "CardGame", study: "CardStudy") -> str:
    """Lay out a study as tables."""
    changed = ", ".join(f"{path}={value}" for path, value in study.settings.items())
    facts = [
        f"{study.matches:,} games, seed {study.seed}" + (f", with {changed}" if changed else ""),
        f"operating rounds: {mean_text(study.rounds, 1)}, in {mean_text(study.sequences, 1)} sequences",
        f"moves: {mean_text(study.moves, 0)}",
        f"the winner is ahead by ${mean_text(study.margin, 0)}; ties: {share_text(study.ties)} %",
    ]
    if study.example_ladder:
        facts.append("share values that the source does not give come from the example ladder")
    sides = table(
        ("", "wins %", "worth at the end $"),
        (
            (name, share_text(one.wins), mean_text(one.worth, 0))
            for name, one in (
                *((f"player {at} ({one.name})", one) for at, one in enumerate(study.players, start=1)),
                *((f"seat {one.name}", one) for one in study.seats),
            )
        ),
        right=(1, 2),
    )
    names = {one.id: one.name for one in game.holdings} | {one.id: one.name or one.id for one in game.investors}
    holdings = table(
        ("holding", "operates %", "value at the end $", "earns $", "Director wins %"),
        (
            (
                names[one.holding],
                share_text(one.operates),
                mean_text(one.value, 0),
                mean_text(one.income, 0),
                share_text(one.director),
            )
            for one in study.holdings
        ),
        right=(1, 2, 3, 4),
    )
    investors = table(
        ("investor", "face $", "named in the draft $", "who has it wins %"),
        (
            (names[one.investor], f"{one.face:,}", mean_text(one.price, 0), share_text(one.wins))
            for one in study.investors
        ),
        right=(1, 2, 3),
    )
    levels = table(
        ("level", "comes in % of games", "in sequence"),
        ((one.level, share_text(one.comes), mean_text(one.sequence, 1)) for one in study.levels),
        right=(1, 2),
    )
    return "\n\n".join(["\n".join(facts), sides, holdings, investors, levels])


def comparison_text(
    found: "PairComparison", settings: list[str] | None = None, other_settings: list[str] | None = None
) -> str:
    """Lay out a comparison as tables."""
    players = " against ".join(found.policies)
    of_match = [f for f in found.figures if f.part in ("match", "player", "seat")]
    others = [f for f in found.figures if f.part not in ("match", "player", "seat")]
    return "\n".join(
        [
            f"A: {_with(found.a, settings or ())}",
            f"B: {_with(found.b, [*(settings or ()), *(other_settings or ())])}",
            f"{found.matches:,} games ({players}) of each",
            verdict_text(found.chance, different=found.different),
            "",
            difference_table(of_match, _called),
            "",
            "Holdings and investors: what differs most clearly",
            difference_table(clearest_of(others), _called),
        ]
    )


def _called(figure: "FigureDifference") -> str:
    return f"{part_text(figure)} {figure.figure}".strip()


def _with(name: str, settings: "Iterable[str]") -> str:
    changed = ", ".join(settings)
    return f"{name} with {changed}" if changed else name
