"""Many games by computer players, and what they say."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.cards.playing.outcome import NOBODY, Outcome, levels_of, outcome_of
from mapkit.kinds.cards.playing.terms import PLAYERS, CardTerms
from mapkit.playing.figures import Mean, Share, Totals, mean, share

Floats = NDArray[np.float64]


class SeatFigures(Frozen):
    """A player or a seat: how often it wins, and what it has at the end."""

    name: str = Field(description="The computer player; of a seat A or B")
    wins: Share
    worth: Mean = Field(description="Cash and shares at the end, dollars (BA-R07)")


class CardHoldingFigures(Frozen):
    """A holding over many games."""

    holding: str
    operates: Share = Field(description="Games in which it comes to operate")
    value: Mean = Field(description="Share value at the end of games in which it was started, dollars")
    income: Mean = Field(description="What it earns in a game, dollars")
    director: Share = Field(description="Wins of who directs it at the end")


class InvestorFigures(Frozen):
    """An investor over the games in which the draft gave it to somebody."""

    investor: str
    face: int = Field(description="Its face value, dollars")
    price: Mean = Field(description="What was named for it: the other player got as much, dollars")
    wins: Share = Field(description="Wins of who got it")


class LevelFigures(Frozen):
    """When a level of railroads comes."""

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
    """What games are played on: the game, who plays, and the seed. It can be pickled."""

    terms: CardTerms
    names: tuple[str, ...]
    seed: int


def outcomes(table: CardTable, first: int, matches: int) -> list[Outcome]:
    """Play games, from this number on."""
    return [outcome_of(table.terms, table.names, table.seed, first + at) for at in range(matches)]


def card_batch(table: CardTable, first: int, matches: int) -> Totals:
    """Play games, and return their sums: of each figure the sum, or the sum and the sum of squares."""
    played = outcomes(table, first, matches)
    seats = np.arange(PLAYERS)
    winner = _column(played, "winner")
    swapped = _column(played, "swapped")
    worth = _column(played, "worth")
    by_player = np.where(swapped[:, None] == 1, worth[:, ::-1], worth)
    won_by = np.where(winner == NOBODY, NOBODY, np.where(swapped == 1, 1 - winner, winner))
    value, boss, backer = _column(played, "value"), _column(played, "boss"), _column(played, "backer")
    price, came = _column(played, "price"), _column(played, "level")
    taken, started = backer != NOBODY, value >= 0
    return {
        "matches": np.array([float(matches)]),
        "ties": np.array([(winner == NOBODY).sum()], np.float64),
        "wins by player": (won_by[:, None] == seats).sum(axis=0).astype(np.float64),
        "wins by seat": (winner[:, None] == seats).sum(axis=0).astype(np.float64),
        "worth by player": _sums(by_player),
        "worth by seat": _sums(worth),
        "length": _sums(np.stack([_column(played, name) for name in ("sequences", "rounds", "steps")], axis=1)),
        "margin": _sums(np.abs(worth[:, :1] - worth[:, 1:])),
        "operates": _column(played, "operates").sum(axis=0),
        "started": started.sum(axis=0).astype(np.float64),
        "value": _sums(np.where(started, value, 0)),
        "income": _sums(_column(played, "income")),
        "directed": np.stack([boss != NOBODY, (boss != NOBODY) & (boss == winner[:, None])]).sum(axis=1) * 1.0,
        "drafted": np.stack([taken, taken & (backer == winner[:, None])]).sum(axis=1) * 1.0,
        "price": _sums(np.where(taken, price, 0)),
        "came": (came > 0).sum(axis=0).astype(np.float64),
        "comes": _sums(came),
    }


def _column(played: list[Outcome], name: str) -> Floats:
    return np.array([getattr(one, name) for one in played], np.float64)


def _sums(values: Floats) -> Floats:
    """Return sums and sums of squares over games: 2 x figures."""
    return np.stack([values.sum(axis=0), (values**2).sum(axis=0)])


def widest(totals: Totals) -> float:
    """Return half the width of the widest interval of a player's or seat's win rate, of 1."""
    matches = float(totals["matches"][0])
    wins = (*totals["wins by player"], *totals["wins by seat"])
    return max((found.high - found.low) / 2 for found in (share(won, matches) for won in wins))


def study_of(
    table: CardTable, totals: Totals, *, variants: tuple[str, ...] = (), settings: dict[str, object] | None = None
) -> CardStudy:
    """Return what the sums of a play-test say.

    Args:
        table: What was played.
        totals: Sums of batches, see `card_batch`.
        variants: Of the game.
        settings: Settings that were changed for the play-test.
    """
    terms, matches = table.terms, float(totals["matches"][0])
    sequences, rounds, moves = (_mean(totals["length"], at, matches) for at in range(3))
    return CardStudy(
        game=terms.game.id,
        variants=variants,
        settings=settings or {},
        example_ladder=terms.example,
        seed=table.seed,
        matches=int(matches),
        players=_sides(totals, table.names, "player"),
        seats=_sides(totals, ("A", "B"), "seat"),
        ties=share(totals["ties"][0], matches),
        sequences=sequences,
        rounds=rounds,
        moves=moves,
        margin=_mean(totals["margin"], 0, matches),
        holdings=tuple(_holding(totals, at, one.id) for at, one in enumerate(terms.game.holdings)),
        investors=tuple(
            InvestorFigures(
                investor=one.id,
                face=one.value,
                price=_mean(totals["price"], at, totals["drafted"][0, at]),
                wins=share(totals["drafted"][1, at], totals["drafted"][0, at]),
            )
            for at, one in enumerate(terms.game.investors)
        ),
        levels=tuple(
            LevelFigures(
                level=level,
                comes=share(totals["came"][at], matches),
                sequence=_mean(totals["comes"], at, totals["came"][at]),
            )
            for at, level in enumerate(levels_of(terms))
        ),
    )


def _sides(totals: Totals, names: tuple[str, ...], what: str) -> tuple[SeatFigures, ...]:
    matches = float(totals["matches"][0])
    return tuple(
        SeatFigures(
            name=name,
            wins=share(totals[f"wins by {what}"][at], matches),
            worth=_mean(totals[f"worth by {what}"], at, matches),
        )
        for at, name in enumerate(names)
    )


def _holding(totals: Totals, at: int, ident: str) -> CardHoldingFigures:
    matches = float(totals["matches"][0])
    return CardHoldingFigures(
        holding=ident,
        operates=share(totals["operates"][at], matches),
        value=_mean(totals["value"], at, totals["started"][at]),
        income=_mean(totals["income"], at, matches),
        director=share(totals["directed"][1, at], totals["directed"][0, at]),
    )


def _mean(sums: Floats, at: int, trials: float) -> Mean:
    return mean(float(sums[0, at]), float(sums[1, at]), float(trials))
