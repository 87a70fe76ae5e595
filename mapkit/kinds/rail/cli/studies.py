"""Studies of play-tests as tables."""

from typing import TYPE_CHECKING

from mapkit.console.printing import table
from mapkit.core.plurals import counted
from mapkit.playing.tables import mean_text, share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.model.study import Study, UseFigures

_PERCENT = 100
_SHOWN = 5


def study_text(board: "Board", study: "Study") -> str:
    """Lay out a study as tables."""
    symbol = board.units.symbol
    players = table(
        ("player", "policy", "wins %", "trips", "payoffs", "fees paid", "fees earned", "purchases", "bankrupt %"),
        (
            (
                number,
                p.policy,
                share_text(p.wins),
                mean_text(p.trips, 1),
                f"{symbol}{p.payoffs.mean:,.0f}",
                f"{symbol}{p.fees_paid.mean:,.0f}",
                f"{symbol}{p.fees_earned.mean:,.0f}",
                mean_text(p.purchases, 1),
                f"{_PERCENT * p.bankrupt.mean:.1f}",
            )
            for number, p in enumerate(study.players, start=1)
        ),
        right=(2, 3, 4, 5, 6, 7, 8),
        bars=2,
    )
    railroads = table(
        ("railroad", "price", "owner at the end wins %", "at sell-out %", "first buyer %", "fees a match"),
        (
            (
                r.short,
                f"{symbol}{r.price:,}",
                share_text(r.end),
                share_text(r.sell_out),
                share_text(r.first),
                f"{symbol}{r.income.mean:,.0f}",
            )
            for r in study.railroads
        ),
        right=(1, 2, 3, 4, 5),
        bars=2,
    )
    held = table(
        ("percent of destinations", "access: wins %", "monopoly: wins %"),
        (
            (f"{h.low} to {h.high}", share_text(h.access), share_text(h.monopoly))
            for h in study.holdings
            if h.access.of or h.monopoly.of
        ),
        right=(1, 2),
    )
    seats = ", ".join(f"{number}. {share_text(seat)}" for number, seat in enumerate(study.seats, start=1))
    rovers = sum(p.rovers.mean for p in study.players)
    facts = [
        f"{counted(study.matches, 'match', 'matches')} of {len(study.players)} players, seed {study.seed}, "
        f"rules {study.preset}" + (f" with {', '.join(study.options)}" if study.options else ""),
        f"rounds: {mean_text(study.rounds, 1)}, standard deviation {study.rounds.deviation:.1f}",
        f"wins % by order of play: {seats}",
        f"sold out in {share_text(study.sold_out)} % of matches; rovers a match: {rovers:.2f}",
    ]
    used = [
        "most used, times a match: " + ", ".join(f"{u.id} {u.times:.1f}" for u in _most(uses))
        for uses in (study.segments, study.cities)
    ]
    return "\n".join([*facts, "", players, "", railroads, "", "Railroads at the end of the match", held, "", *used])


def _most(uses: "Sequence[UseFigures]") -> "list[UseFigures]":
    return sorted(uses, key=lambda use: (-use.times, use.id))[:_SHOWN]
