"""Play-tests of many games by computer players, and their figures."""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from mapkit.core.arrays import Floats
from mapkit.core.base import Frozen
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome, play_outcome, railroad_levels
from mapkit.kinds.cards.playing.terms import PLAYERS, CardTerms
from mapkit.playing.figures import Mean, Share, Totals, mean_of, share, sum_figures
from mapkit.playing.panels import PanelFigure


class SeatFigures(Frozen):
    """Player or seat with its win rate and final worth."""

    name: str = Field(description="The computer player; of a seat A or B")
    wins: Share
    worth: Mean = Field(description="Cash and shares at the end, dollars (BA-R07)")


class CardHoldingFigures(Frozen):
    """Holding over many games."""

    holding: str
    operates: Share = Field(description="Games in which it comes to operate")
    value: Mean = Field(description="Share value at the end of games in which it was started, dollars")
    income: Mean = Field(description="What it earns in a game, dollars")
    director: Share = Field(description="Wins of who directs it at the end")


class InvestorFigures(Frozen):
    """Figures of an investor over the games that drafted it."""

    investor: str
    face: int = Field(description="Its face value, dollars")
    price: Mean = Field(description="What was named for it: the other player got as much, dollars")
    wins: Share = Field(description="Wins of who got it")


class LevelFigures(Frozen):
    """Arrival of a level of railroads."""

    level: int
    comes: Share = Field(description="Games in which it comes")
    sequence: Mean = Field(description="The sequence of rounds in which it comes then")


class CardStudy(Frozen):
    """The result of a play-test of a card game; shares and means have 95 % intervals."""

    game: str
    variants: tuple[str, ...]
    settings: dict[str, object] = Field(description="Settings that were changed for the play-test")
    example_ladder: bool = Field(description="Whether share values come from the example ladder, for the real ones gap")
    seed: int
    matches: int
    players: tuple[SeatFigures, ...]
    seats: tuple[SeatFigures, ...]
    styles: tuple[str, ...] = Field(default=(), description="Styles of a panel; each game is played by one")
    panel: tuple[PanelFigure, ...] = Field(default=(), description="Figures by style; the others are of all games")
    ties: Share
    sequences: Mean
    rounds: Mean = Field(description="Operating rounds")
    moves: Mean
    margin: Mean = Field(description="What the winner has more, dollars")
    holdings: tuple[CardHoldingFigures, ...] = Field(description="In the order in which they operate")
    investors: tuple[InvestorFigures, ...]
    levels: tuple[LevelFigures, ...]


@dataclass(frozen=True)
class CardTable:
    """Setting of games: the game, its players, and the seed. It can be pickled."""

    terms: CardTerms
    names: tuple[str, ...]
    seed: int
    styles: tuple[str, ...] = ()


def play_outcomes(table: CardTable, first: int, matches: int) -> list[Outcome]:
    """Play a number of games, from a number on."""
    return [play_outcome(table.terms, table.names, table.seed, first + offset) for offset in range(matches)]


def card_batch(table: CardTable, first: int, matches: int) -> Totals:
    """Play games, and return the sum, or the sum and sum of squares, of each figure."""
    outcome_list = play_outcomes(table, first, matches)
    seat_numbers = np.arange(PLAYERS)
    winner = _outcome_column(outcome_list, "winner")
    swapped = _outcome_column(outcome_list, "swapped")
    worth = _outcome_column(outcome_list, "worth")
    by_player = np.where(swapped[:, None] == 1, worth[:, ::-1], worth)
    won_by = np.where(winner == NOBODY, NOBODY, np.where(swapped == 1, 1 - winner, winner))
    value_by_holding, director_by_holding, backer_by_investor = (
        _outcome_column(outcome_list, "value"),
        _outcome_column(outcome_list, "boss"),
        _outcome_column(outcome_list, "backer"),
    )
    price_by_investor, sequence_by_level = (
        _outcome_column(outcome_list, "price"),
        _outcome_column(outcome_list, "level"),
    )
    is_drafted, is_started = backer_by_investor != NOBODY, value_by_holding >= 0
    return {
        "matches": np.array([float(matches)]),
        "ties": np.array([(winner == NOBODY).sum()], np.float64),
        "wins by player": (won_by[:, None] == seat_numbers).sum(axis=0).astype(np.float64),
        "wins by seat": (winner[:, None] == seat_numbers).sum(axis=0).astype(np.float64),
        "worth by player": sum_figures(by_player),
        "worth by seat": sum_figures(worth),
        "length": sum_figures(
            np.stack([_outcome_column(outcome_list, name) for name in ("sequences", "rounds", "steps")], axis=1)
        ),
        "margin": sum_figures(np.abs(worth[:, :1] - worth[:, 1:])),
        "operates": _outcome_column(outcome_list, "operates").sum(axis=0),
        "started": is_started.sum(axis=0).astype(np.float64),
        "value": sum_figures(np.where(is_started, value_by_holding, 0)),
        "income": sum_figures(_outcome_column(outcome_list, "income")),
        "directed": np.stack(
            [director_by_holding != NOBODY, (director_by_holding != NOBODY) & (director_by_holding == winner[:, None])]
        ).sum(axis=1)
        * 1.0,
        "drafted": np.stack([is_drafted, is_drafted & (backer_by_investor == winner[:, None])]).sum(axis=1) * 1.0,
        "price": sum_figures(np.where(is_drafted, price_by_investor, 0)),
        "came": (sequence_by_level > 0).sum(axis=0).astype(np.float64),
        "comes": sum_figures(sequence_by_level),
    }


def _outcome_column(played: list[Outcome], name: str) -> Floats:
    return np.array([getattr(one, name) for one in played], np.float64)


def make_study(
    table: CardTable, totals: Totals, *, variants: tuple[str, ...] = (), settings: dict[str, object] | None = None
) -> CardStudy:
    """Return the study of the sums of a play-test.

    Args:
        table: What was played.
        totals: Sums of batches, see `card_batch`.
        variants: Of the game.
        settings: Settings that were changed for the play-test.
    """
    terms, matches = table.terms, float(totals["matches"][0])
    sequences, rounds, moves = (mean_of(totals["length"], at, matches) for at in range(3))
    return CardStudy(
        game=terms.game.id,
        variants=variants,
        settings=settings or {},
        example_ladder=terms.example,
        seed=table.seed,
        matches=int(matches),
        players=_seat_figures(totals, table.names, "player"),
        seats=_seat_figures(totals, ("A", "B"), "seat"),
        ties=share(totals["ties"][0], matches),
        sequences=sequences,
        rounds=rounds,
        moves=moves,
        margin=mean_of(totals["margin"], 0, matches),
        holdings=tuple(_holding_figures(totals, at, one.id) for at, one in enumerate(terms.game.holdings)),
        investors=tuple(
            InvestorFigures(
                investor=one.id,
                face=one.value,
                price=mean_of(totals["price"], at, totals["drafted"][0, at]),
                wins=share(totals["drafted"][1, at], totals["drafted"][0, at]),
            )
            for at, one in enumerate(terms.game.investors)
        ),
        levels=tuple(
            LevelFigures(
                level=level,
                comes=share(totals["came"][at], matches),
                sequence=mean_of(totals["comes"], at, totals["came"][at]),
            )
            for at, level in enumerate(railroad_levels(terms))
        ),
    )


def _seat_figures(totals: Totals, names: tuple[str, ...], what: str) -> tuple[SeatFigures, ...]:
    matches = float(totals["matches"][0])
    return tuple(
        SeatFigures(
            name=name,
            wins=share(totals[f"wins by {what}"][at], matches),
            worth=mean_of(totals[f"worth by {what}"], at, matches),
        )
        for at, name in enumerate(names)
    )


def _holding_figures(totals: Totals, at: int, ident: str) -> CardHoldingFigures:
    matches = float(totals["matches"][0])
    return CardHoldingFigures(
        holding=ident,
        operates=share(totals["operates"][at], matches),
        value=mean_of(totals["value"], at, totals["started"][at]),
        income=mean_of(totals["income"], at, matches),
        director=share(totals["directed"][1, at], totals["directed"][0, at]),
    )
