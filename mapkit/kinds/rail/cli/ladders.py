"""Ladders of computer players, for people."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_result, table
from mapkit.playing.tables import print_end, share_text

if TYPE_CHECKING:
    from mapkit.kinds.rail.api.players.ladders import Laddered
    from mapkit.kinds.rail.model.ladder import Ladder


def show_ladder(found: "Laddered", board: str, *, as_json: bool) -> None:
    """Print a ladder, and how it ended."""
    if not as_json:
        print_result(ladder_text(found.ladder))
    print_end(found, f"{found.ladder.matches:,} matches", head=f"{board}: ")


def ladder_text(found: "Ladder") -> str:
    """Lay out a ladder as tables."""
    names = [rung.policy for rung in found.rungs]
    rows = (
        (
            rung.policy,
            f"{rung.rating:+.0f} ±{rung.margin:.0f}",
            *(share_text(rung.against[name]) if name in rung.against else "" for name in names),
        )
        for rung in found.rungs
    )
    seats = ", ".join(f"{number}. {share_text(seat)}" for number, seat in enumerate(found.seats, start=1))
    facts = [
        f"{found.matches:,} matches of {found.players} players, seed {found.seed}, rules {found.preset}"
        + (f" with {', '.join(found.options)}" if found.options else ""),
        f"wins % by order of play: {seats}",
        "",
        table(("policy", "rating", *names), rows, right=range(1, len(names) + 2)),
    ]
    return "\n".join(facts)
