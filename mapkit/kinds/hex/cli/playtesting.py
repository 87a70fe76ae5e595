"""Play-tests and judgements of boards of hexagons, for people."""

from typing import TYPE_CHECKING, Final

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
    from mapkit.kinds.hex.playing.study import HexStudy
    from mapkit.playing.game import PlayCompared, PlayTested

_SHOWN: Final = 12
_SELDOM: Final = 0.1
_PERCENT: Final = 100


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study, and how it ended."""
    if not as_json:
        print_result(study_text(tested.study))
    print_end(tested, f"{tested.study.matches:,} games", head=f"{board}: ")


def study_text(study: "HexStudy") -> str:
    """Lay out a study as tables."""
    changed = ", ".join(f"{path}={value}" for path, value in study.settings.items())
    head = f"{study.matches:,} games, seed {study.seed}, bidding {study.style}, {study.markers} markers"
    facts = [
        head + (f", with {changed}" if changed else ""),
        *(f"finding: {one}" for one in study.findings),
        f"turns: {mean_text(study.turns, 1)}; deliveries: {mean_text(study.deliveries, 1)}",
        f"ties: {share_text(study.ties)} %; broken off: {share_text(study.stalled)} %",
        f"winning bids: ${mean_text(study.bids, 0)}",
        f"deliveries to New City tiles: {mean_text(study.tile_deliveries, 1)}",
        f"deliveries by second colours of rotors: {mean_text(study.rotor_deliveries, 1)}",
        f"cubes of mines: {mean_text(study.mine_cubes, 1)}",
    ]
    sides = table(
        ("", "wins %", "points", "bonds"),
        (
            (name, share_text(one.wins), mean_text(one.points, 1), mean_text(one.bonds, 1))
            for name, one in (
                *((f"player {number} ({one.name})", one) for number, one in enumerate(study.players, start=1)),
                *((f"seat {one.name}", one) for one in study.seats),
            )
        ),
        right=(1, 2, 3),
    )
    turns = table(
        ("turn", "income $", "bonds"),
        ((one.turn, mean_text(one.income, 0), mean_text(one.bonds, 1)) for one in study.by_turn),
        right=(0, 1, 2),
    )
    links = table(
        ("link", "", "deliveries"),
        ((one.a, one.b, mean_text(one.deliveries, 1)) for one in study.links[:_SHOWN]),
        right=(2,),
    )
    seldom = [f"{one.city} ({_PERCENT * one.used.share:.0f} %)" for one in study.cities if one.used.share < _SELDOM]
    colours = ", ".join(f"{one.colour} {mean_text(one.left, 1)}" for one in study.colours)
    busiest = " ".join(one.hexagon for one in study.hexes[:_SHOWN])
    ends = [
        f"cities used in fewer than 10 % of games: {', '.join(seldom) or 'none'}",
        f"cubes left at the end: {colours}",
        f"hexagons with most track: {busiest}",
    ]
    return "\n\n".join(["\n".join(facts), sides, turns, links, "\n".join(ends)])


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    comparison = found.comparison
    if not as_json:
        head = f"{comparison.matches:,} games on A ({comparison.a}) and B ({comparison.b})"
        verdict = verdict_text(comparison.chance, different=comparison.different)
        figures = difference_table(
            clearest_of(comparison.figures), lambda one: f"{one.figure} {part_text(one)}".strip()
        )
        print_result("\n\n".join([f"{head}\n{verdict}", figures]))
    print_end(found, f"{comparison.matches:,} games")
