"""Report on the odds of a board: by its charts alone, and in the long run under each policy."""

from collections.abc import Iterable
from fractions import Fraction

from mapkit.core.base import Frozen
from mapkit.kinds.rail.model.board import REGIONS, Board
from mapkit.kinds.rail.network.chain import POLICIES, ChainOdds, solve_chain_odds
from mapkit.kinds.rail.network.destination_chances import (
    WHOLE,
    calculate_city_chances,
    count_chart_weights,
    format_fraction,
)
from mapkit.kinds.rail.network.graph import find_railroads


class OddsReport(Frozen):
    """Odds of a board: by the charts alone, and in the long run by policy; exact fractions."""

    regions: dict[str, str]
    cities: dict[str, str]
    policies: tuple[ChainOdds, ...]


def make_odds_report(board: Board, railroads: Iterable[str] | None = None) -> OddsReport:
    """Return the odds of a board; the policy `network` only if railroads (ids, marks or names) are given.

    Raises:
        UnknownNameError: A railroad is unknown.
        MapkitError: As for `chain_odds`.
    """
    railroad_ids = find_railroads(board, list(railroads)) if railroads is not None else frozenset()
    region_weights = count_chart_weights(board.destinations[REGIONS])
    return OddsReport(
        regions={r.id: format_fraction(Fraction(region_weights.get(r.id, 0), WHOLE)) for r in board.regions},
        cities={city: format_fraction(chance) for city, chance in calculate_city_chances(board).items()},
        policies=tuple(
            solve_chain_odds(board, policy, railroads=railroad_ids if policy == "network" else ())
            for policy in POLICIES
            if policy != "network" or railroad_ids
        ),
    )
