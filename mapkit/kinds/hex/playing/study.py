"""Play-tests of many games by computer players, and their figures."""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from mapkit.core.base import Frozen
from mapkit.kinds.hex.playing.findings import play_findings
from mapkit.kinds.hex.playing.outcome import HexOutcome, play_outcome
from mapkit.kinds.hex.playing.terms import HexTerms
from mapkit.kinds.hex.rules.colours import GOODS
from mapkit.playing.figures import Mean, Share, Totals, mean, mean_of, share, sum_figures
from mapkit.playing.panels import PanelFigure

SHOWN_TURNS = 20
"""Turns of which incomes and bonds are stated."""


class HexSeatFigures(Frozen):
    """Player or seat with its win rate, points and bonds at the end."""

    name: str = Field(description="The computer player; of a seat its number: 1 is the first bidder of the first turn")
    wins: Share
    points: Mean
    bonds: Mean


class HexTurnFigures(Frozen):
    """A turn over the games that reach it: income and bonds of a player at its end."""

    turn: int
    income: Mean = Field(description="Dollars")
    bonds: Mean


class HexCityFigures(Frozen):
    """City over many games."""

    city: str
    used: Share = Field(description="Games in which a cube leaves it, reaches it or passes it")


class HexColourFigures(Frozen):
    """Cubes of a colour that lie on cities at the end."""

    colour: str
    left: Mean


class HexagonFigures(Frozen):
    """Hexagon with its lines of track at the end of a game, for a heat map."""

    hexagon: str
    lines: Mean


class HexLinkFigures(Frozen):
    """Pair of cities with the deliveries over links between them in a game."""

    a: str
    b: str
    deliveries: Mean


class HexCase(Frozen):
    """Games with another bidding style, number of players or option; seats in order of their number."""

    case: str
    players: int
    markers: int
    turns: Mean
    deliveries: Mean
    bids: Mean
    points: tuple[Mean, ...] = Field(description="Of each seat")
    bonds: tuple[Mean, ...]


class HexStudy(Frozen):
    """The result of a play-test of a board of hexagons; shares and means have 95 % intervals."""

    board: str
    variants: tuple[str, ...]
    settings: dict[str, object] = Field(description="Settings that were changed for the play-test")
    style: str = Field(description="The bidding style")
    markers: int = Field(description="Empty city markers")
    seed: int
    matches: int
    findings: tuple[str, ...] = Field(description="What makes games on the board odd")
    styles: tuple[str, ...] = Field(default=(), description="Styles of a panel; each game is played by one")
    panel: tuple[PanelFigure, ...] = Field(default=(), description="Figures by style; the others are of all games")
    cases: tuple[HexCase, ...] = Field(default=(), description="Bidding styles, numbers of players and options")
    unplayed: tuple[str, ...] = Field(default=(), description="Cases that cannot be played, and why")
    players: tuple[HexSeatFigures, ...]
    seats: tuple[HexSeatFigures, ...]
    ties: Share
    stalled: Share = Field(description="Games that were broken off, for nobody delivered any more")
    turns: Mean
    deliveries: Mean
    bids: Mean = Field(description="Winning bids of a game, dollars")
    rotor_deliveries: Mean
    mine_cubes: Mean
    tile_deliveries: Mean = Field(description="Deliveries to New City tiles")
    by_turn: tuple[HexTurnFigures, ...]
    cities: tuple[HexCityFigures, ...]
    colours: tuple[HexColourFigures, ...]
    hexes: tuple[HexagonFigures, ...] = Field(description="Hexagons with track, most lines first")
    links: tuple[HexLinkFigures, ...] = Field(description="Pairs of cities with deliveries, most first")


@dataclass(frozen=True)
class HexTable:
    """Setting of games: the terms, the players, and the seed. It can be pickled."""

    terms: HexTerms
    names: tuple[str, ...]
    seed: int
    styles: tuple[str, ...] = ()


MATCH_FIGURES = ("turns", "deliveries", "bids", "rotor_deliveries", "mine_cubes", "tile_deliveries")
"""Figures of a whole game, as fields of an outcome."""


def play_outcomes(table: HexTable, first: int, matches: int) -> list[HexOutcome]:
    """Play a number of games, from a number on."""
    return [play_outcome(table.terms, table.names, table.seed, first + offset) for offset in range(matches)]


def hex_batch(table: HexTable, first: int, matches: int) -> Totals:
    """Play games, and return the sum, or the sum and sum of squares, of each figure."""
    outcomes = play_outcomes(table, first, matches)
    players, nodes = table.terms.players, len(table.terms.node_ids)
    points, bonds = (np.array([getattr(one, name) for one in outcomes], np.float64) for name in ("points", "bonds"))
    wins = np.array([[one.winner == seat for seat in range(players)] for one in outcomes], np.float64)
    seat_of_player = np.array([[one.seats.index(player) for player in range(players)] for one in outcomes])
    rows = np.arange(len(outcomes))[:, None]
    by_turn = np.zeros((2, len(outcomes), SHOWN_TURNS))
    reached = np.zeros((len(outcomes), SHOWN_TURNS))
    links = np.zeros((2, nodes, nodes))
    for number, outcome in enumerate(outcomes):
        shown = min(SHOWN_TURNS, len(outcome.incomes))
        by_turn[0, number, :shown], by_turn[1, number, :shown] = outcome.incomes[:shown], outcome.debts[:shown]
        reached[number, :shown] = 1
        for (one, other), uses in outcome.links.items():
            links[:, one, other] += uses, uses**2
    return {
        "matches": np.array([float(matches)]),
        "ties": np.array([float(sum(one.winner < 0 for one in outcomes))]),
        "stalled": np.array([float(sum(one.stalled for one in outcomes))]),
        "wins by player": wins[rows, seat_of_player].sum(axis=0),
        "wins by seat": wins.sum(axis=0),
        "points by player": sum_figures(points[rows, seat_of_player]),
        "points by seat": sum_figures(points),
        "bonds by player": sum_figures(bonds[rows, seat_of_player]),
        "bonds by seat": sum_figures(bonds),
        "game": sum_figures(np.array([[getattr(one, name) for name in MATCH_FIGURES] for one in outcomes], np.float64)),
        "reached": reached.sum(axis=0),
        "income": sum_figures(by_turn[0]),
        "debts": sum_figures(by_turn[1]),
        "used": np.array([one.used for one in outcomes], np.float64).sum(axis=0),
        "left": sum_figures(np.array([one.left for one in outcomes], np.float64)),
        "hexes": sum_figures(np.array([one.hexes for one in outcomes], np.float64)),
        "links": links,
    }


def make_study(
    table: HexTable, totals: Totals, *, variants: tuple[str, ...] = (), settings: dict[str, object] | None = None
) -> HexStudy:
    """Return the study of the sums of a play-test.

    Args:
        table: What was played.
        totals: Sums of batches, see `hex_batch`.
        variants: Of the board.
        settings: Settings that were changed for the play-test.
    """
    terms, matches = table.terms, float(totals["matches"][0])
    figures = {name: mean_of(totals["game"], number, matches) for number, name in enumerate(MATCH_FIGURES)}
    hex_order = np.argsort(-totals["hexes"][0], kind="stable").tolist()
    pairs = np.argwhere(totals["links"][0] > 0).tolist()
    pairs.sort(key=lambda pair: (-totals["links"][0][tuple(pair)], pair))
    return HexStudy(
        board=terms.board.id,
        variants=variants,
        settings=settings or {},
        style=terms.board.rules.auction.style,
        markers=terms.markers,
        seed=table.seed,
        matches=int(matches),
        findings=play_findings(terms),
        players=_seat_figures(totals, table.names, "player"),
        seats=_seat_figures(totals, tuple(str(seat + 1) for seat in range(terms.players)), "seat"),
        ties=share(totals["ties"][0], matches),
        stalled=share(totals["stalled"][0], matches),
        **figures,
        by_turn=tuple(
            HexTurnFigures(
                turn=turn + 1,
                income=mean_of(totals["income"], turn, totals["reached"][turn]),
                bonds=mean_of(totals["debts"], turn, totals["reached"][turn]),
            )
            for turn in range(SHOWN_TURNS)
            if totals["reached"][turn] > 0
        ),
        cities=tuple(
            HexCityFigures(city=city.id, used=share(totals["used"][number], matches))
            for number, city in enumerate(terms.board.cities)
        ),
        colours=tuple(
            HexColourFigures(colour=colour, left=mean_of(totals["left"], number, matches))
            for number, colour in enumerate(GOODS)
        ),
        hexes=tuple(
            HexagonFigures(hexagon=terms.hex_ids[number], lines=mean_of(totals["hexes"], number, matches))
            for number in hex_order
            if totals["hexes"][0][number] > 0
        ),
        links=tuple(
            HexLinkFigures(
                a=terms.node_ids[one],
                b=terms.node_ids[other],
                deliveries=mean(float(totals["links"][0, one, other]), float(totals["links"][1, one, other]), matches),
            )
            for one, other in pairs
        ),
    )


def make_case(case: str, study: HexStudy) -> HexCase:
    """Return the chief figures of a study as a case."""
    return HexCase(
        case=case,
        players=len(study.seats),
        markers=study.markers,
        turns=study.turns,
        deliveries=study.deliveries,
        bids=study.bids,
        points=tuple(seat.points for seat in study.seats),
        bonds=tuple(seat.bonds for seat in study.seats),
    )


def _seat_figures(totals: Totals, names: tuple[str, ...], what: str) -> tuple[HexSeatFigures, ...]:
    matches = float(totals["matches"][0])
    return tuple(
        HexSeatFigures(
            name=name,
            wins=share(totals[f"wins by {what}"][number], matches),
            points=mean_of(totals[f"points by {what}"], number, matches),
            bonds=mean_of(totals[f"bonds by {what}"], number, matches),
        )
        for number, name in enumerate(names)
    )
