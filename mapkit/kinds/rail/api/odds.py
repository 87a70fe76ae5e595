"""Odds of destinations, and access of sets of railroads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal

from mapkit.core.errors import MapkitError
from mapkit.core.output import write_files
from mapkit.core.progress import Progress, quiet
from mapkit.kinds.rail.api.loading import load
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.network import travel
from mapkit.kinds.rail.network.chain import ChainOdds
from mapkit.kinds.rail.network.graph import find_railroads
from mapkit.kinds.rail.network.odds import OddsReport, make_odds_report
from mapkit.kinds.rail.network.travel import Holding
from mapkit.kinds.rail.render import late
from mapkit.operations.options import BoardName, Flag, Output, Variants, Workspace

POLICIES: Final = {
    "chart": "Odds of destinations by the charts",
    "random": "Odds in the long run, regions chosen at random",
    "payoff": "Odds in the long run, regions chosen for payoff",
    "nearest": "Odds in the long run, nearest region chosen",
    "network": "Odds in the long run, regions chosen by own network",
}
"""Whose odds can be drawn, each with the title of the drawing."""


@dataclass(frozen=True)
class BoardOdds:
    """A board by its name, and the odds of its destinations."""

    board: Board
    odds: OddsReport

    def as_json(self) -> OddsReport:
        """Return the result as `--json` prints it."""
        return self.odds


@dataclass(frozen=True)
class BoardHolding:
    """Board by its name, and the access of some of its railroads."""

    board: Board
    holding: Holding

    def as_json(self) -> Holding:
        """Return the result as `--json` prints it."""
        return self.holding


def board_odds(
    board: BoardName,
    *,
    railroads: Annotated[Sequence[str] | None, Flag("-r", "PA,NYC,...", reading="commas")] = None,
    svg: Annotated[str | Path | None, Output("--svg", "FILE")] = None,
    policy: Annotated[
        Literal["chart", "random", "payoff", "nearest", "network"],
        Flag("-p", "chart|random|payoff|nearest|network", "The policy whose odds --svg draws."),
    ] = "chart",
    variants: Variants = (),
    workspace: Workspace = None,
    progress: Progress = quiet,
) -> BoardOdds:
    """Print how likely each region and city is, by the charts and in the long run.

    A player whose roll names his own region chooses one. The long-run odds depend on the policy: at random, the best
    payoff, the nearest region, or the player's own network. They are solved exactly, not simulated. Prints trips and
    payoffs for each policy.

    Args:
        board: As for `load`.
        railroads: A player's railroads, for the policy network.
        svg: Draw the odds as circles on the board.

    Raises:
        MapkitError: As for `load` and `destination_odds`.
    """
    loaded = load(board, variants=variants, workspace=workspace, progress=progress)
    progress("solving the chain")
    return BoardOdds(loaded, destination_odds(loaded, railroads=railroads, svg=svg, policy=policy))


def board_holding(
    name: str | Path,
    railroads: Iterable[str],
    *,
    variants: Sequence[str] = (),
    workspace: str | Path | None = None,
    progress: Progress = quiet,
) -> BoardHolding:
    """Load a board and say what owning some of its railroads means for travel.

    Args:
        name: As for `load`.
        railroads: As for `holding`.
        variants: As for `load`.
        workspace: As for `load`.
        progress: Called with the name of each stage as it begins.

    Raises:
        MapkitError: As for `load` and `holding`.
    """
    board = load(name, variants=variants, workspace=workspace, progress=progress)
    progress("calculating travel")
    return BoardHolding(board, holding(board, railroads))


def destination_odds(
    board: Board,
    *,
    railroads: Iterable[str] | None = None,
    svg: str | Path | None = None,
    policy: str = "chart",
) -> OddsReport:
    """Return how likely regions and cities are, by the charts and in the long run by policy, solved exactly.

    Args:
        board: A board with full charts.
        railroads: A player's railroads (ids, reporting marks or names), for the policy `network`.
        svg: A file in which to draw the odds as circles on the board.
        policy: Whose odds are drawn, one of `POLICIES`.

    Raises:
        MapkitError: The charts or payoffs have gaps, or the charts fall into parts that never meet; or there is no such
            policy, or it needs railroads.
        UnknownNameError: A railroad is unknown.
        OutputError: The drawing could not be written.
    """
    found = make_odds_report(board, railroads)
    if svg is not None:
        chances = found.cities if policy == "chart" else _of_policy(found, policy).cities
        percent = {city: float(Fraction(value) * 100) for city, value in chances.items()}
        path = Path(svg)
        write_files(path.parent, {path.name: late.render_odds(board, percent, title=POLICIES[policy])})
    return found


def _of_policy(found: OddsReport, policy: str) -> ChainOdds:
    if policy not in POLICIES:
        raise MapkitError(f"{policy!r} is not a policy; there are {', '.join(POLICIES)}")
    for one in found.policies:
        if one.policy == policy:
            return one
    raise MapkitError("the policy network needs the player's railroads; give --railroads")


def holding(board: Board, railroads: Iterable[str]) -> Holding:
    """Return what owning some railroads (ids, reporting marks or names) means for travel.

    Raises:
        MapkitError: No railroad was given, or cities do not reach each other.
        UnknownNameError: A railroad is unknown.
    """
    return travel.holding(board, find_railroads(board, list(railroads)))
