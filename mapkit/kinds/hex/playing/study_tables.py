"""Figures of a play-test as sentences and tables, for the terminal and the study page."""

from collections.abc import Iterable, Sequence
from typing import Final

from mapkit.kinds.hex.playing.study import HexCase, HexStudy
from mapkit.playing.figures import Mean
from mapkit.playing.tables import StudyTable, StudyText, mean_text, panel_study_table, share_text

_SELDOM: Final = 0.1
_PERCENT: Final = 100


def describe_study(study: HexStudy) -> StudyText:
    """Return a study as sentences and tables."""
    return StudyText(_study_facts(study), _study_tables(study))


def _study_facts(study: HexStudy) -> list[str]:
    changed = ", ".join(f"{path}={value}" for path, value in study.settings.items())
    head = f"{study.matches:,} games, seed {study.seed}, bidding {study.style}, {study.markers} markers"
    never = [one.city for one in study.cities if not one.used.share]
    seldom = [f"{one.city} ({_PERCENT * one.used.share:.0f} %)" for one in study.cities if 0 < one.used.share < _SELDOM]
    return [
        head + (f", with {changed}" if changed else ""),
        *(f"finding: {one}" for one in study.findings),
        *(f"not played: {one}" for one in study.unplayed),
        f"turns: {mean_text(study.turns, 1)}; deliveries: {mean_text(study.deliveries, 1)}",
        f"ties: {share_text(study.ties)} %; broken off: {share_text(study.stalled)} %",
        f"winning bids: ${mean_text(study.bids, 0)}",
        f"deliveries to New City tiles: {mean_text(study.tile_deliveries, 1)}",
        f"deliveries by second colours of rotors: {mean_text(study.rotor_deliveries, 1)}",
        f"cubes of mines: {mean_text(study.mine_cubes, 1)}",
        f"cities used in no game: {', '.join(never) or 'none'}",
        f"cities used in fewer than 10 % of games: {', '.join(seldom) or 'none'}",
    ]


def _study_tables(study: HexStudy) -> list[StudyTable]:
    cases = [_case_row(one) for one in study.cases]
    return [
        StudyTable(
            "Players and seats",
            ("", "wins %", "points", "bonds"),
            [
                (name, share_text(one.wins), mean_text(one.points, 1), mean_text(one.bonds, 1))
                for name, one in (
                    *((f"player {number} ({one.name})", one) for number, one in enumerate(study.players, start=1)),
                    *((f"seat {one.name}", one) for one in study.seats),
                )
            ],
            right=(1, 2, 3),
        ),
        StudyTable(
            "Bidding styles, numbers of players and options",
            ("case", "markers", "turns", "deliveries", "winning bids $", "points by seat", "bonds"),
            cases,
            right=(1, 2, 3, 4),
        ),
        panel_study_table(study.panel),
        StudyTable(
            "Income and bonds by turn",
            ("turn", "income $", "bonds"),
            [(one.turn, mean_text(one.income, 0), mean_text(one.bonds, 1)) for one in study.by_turn],
            right=(0, 1, 2),
        ),
        StudyTable(
            "Links by use",
            ("link", "", "deliveries"),
            [(one.a, one.b, mean_text(one.deliveries, 1)) for one in study.links],
            right=(2,),
        ),
        StudyTable(
            "Hexagons by use",
            ("hexagon", "lines of track"),
            [(one.hexagon, mean_text(one.lines, 2)) for one in study.hexes],
            right=(1,),
        ),
        StudyTable(
            "Cubes left at the end",
            ("colour", "cubes left"),
            [(one.colour, mean_text(one.left, 1)) for one in study.colours],
            right=(1,),
        ),
    ]


def _case_row(one: HexCase) -> Sequence[object]:
    return (
        one.case,
        one.markers,
        mean_text(one.turns, 1),
        mean_text(one.deliveries, 1),
        mean_text(one.bids, 0),
        _seat_means(one.points),
        _seat_means(one.bonds),
    )


def _seat_means(means: Iterable[Mean]) -> str:
    return ", ".join(mean_text(one, 1) for one in means)
