"""Figures of a play-test as sentences and tables, for the terminal and the study page."""

from mapkit.kinds.cards.game import CardGame
from mapkit.kinds.cards.playing.study import CardStudy
from mapkit.playing.tables import StudyTable, StudyText, mean_text, panel_study_table, share_text


def describe_study(game: CardGame, study: CardStudy) -> StudyText:
    """Return a study as sentences and tables."""
    return StudyText(_study_facts(study), _study_tables(game, study))


def _study_facts(study: CardStudy) -> list[str]:
    changed = ", ".join(f"{path}={value}" for path, value in study.settings.items())
    facts = [
        f"{study.matches:,} games, seed {study.seed}" + (f", with {changed}" if changed else ""),
        f"operating rounds: {mean_text(study.rounds, 1)}, in {mean_text(study.sequences, 1)} sequences",
        f"moves: {mean_text(study.moves, 0)}",
        f"the winner is ahead by ${mean_text(study.margin, 0)}; ties: {share_text(study.ties)} %",
    ]
    if study.example_ladder:
        facts.append("share values that the source does not give come from the example ladder")
    return facts


def _study_tables(game: CardGame, study: CardStudy) -> list[StudyTable]:
    names = {one.id: one.name for one in game.holdings} | {one.id: one.name or one.id for one in game.investors}
    sides = StudyTable(
        "Players and seats",
        ("", "wins %", "worth at the end $"),
        [
            (name, share_text(one.wins), mean_text(one.worth, 0))
            for name, one in (
                *((f"player {at} ({one.name})", one) for at, one in enumerate(study.players, start=1)),
                *((f"seat {one.name}", one) for one in study.seats),
            )
        ],
        right=(1, 2),
    )
    holdings = StudyTable(
        "Holdings",
        ("holding", "operates %", "value at the end $", "earns $", "Director wins %"),
        [
            (
                names[one.holding],
                share_text(one.operates),
                mean_text(one.value, 0),
                mean_text(one.income, 0),
                share_text(one.director),
            )
            for one in study.holdings
        ],
        right=(1, 2, 3, 4),
    )
    investors = StudyTable(
        "Investors",
        ("investor", "face $", "named in the draft $", "who has it wins %"),
        [
            (names[one.investor], f"{one.face:,}", mean_text(one.price, 0), share_text(one.wins))
            for one in study.investors
        ],
        right=(1, 2, 3),
    )
    levels = StudyTable(
        "Levels of railroads",
        ("level", "comes in % of games", "in sequence"),
        [(one.level, share_text(one.comes), mean_text(one.sequence, 1)) for one in study.levels],
        right=(1, 2),
    )
    return [sides, panel_study_table(study.panel), holdings, investors, levels]
