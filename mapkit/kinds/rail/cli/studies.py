"""Studies of play-tests as tables."""

from typing import TYPE_CHECKING

from mapkit.console.printing import print_message, print_result, table
from mapkit.core.plurals import counted
from mapkit.playing.tables import mean_text, share_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mapkit.kinds.rail.api.comparing import PlayCompared
    from mapkit.kinds.rail.api.players.ladders import Laddered
    from mapkit.kinds.rail.api.playtesting import PlayTested, PolicyAbout
    from mapkit.kinds.rail.api.replaying import MatchLog
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.model.study import Study, UseFigures
    from mapkit.kinds.rail.refereeing.log import Judgement

_PERCENT = 100
_SHOWN = 5


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study, how it ended, and its files."""
    if not as_json:
        print_result(study_text(tested.board, tested.study))
    show_end(tested, f"{board}: ", tested.study.matches)
    for file in tested.files:
        print_message(f"{board}: {file} written")


def show_end(found: "PlayTested | PlayCompared | Laddered", head: str, matches: int) -> None:
    """Say whether matches ended early or were not kept."""
    if found.stopped:
        print_message(f"{head}stopped after {matches:,} matches")
    if found.unsaved:
        print_message(f"error: {found.unsaved}")


def show_match(
    found: "MatchLog",
    board: str,
    match: int,
    seed: int,
    show_log: "Path | None",
    html: "Path | None",
    svg: "Path | None",
    log: "Path | None",
    language: str,
) -> None:
    """Print a match in words, or the files of it."""
    written = [str(path) for path in (show_log, html, svg) if path is not None]
    print_result("\n".join(written or found.in_words("en" if language == "board" else language)))
    if written:
        which = f"{log}" if log else f"match {match} of seed {seed}"
        print_message(f"{board}: {len(found.events):,} events of {which}")


def show_policies(found: "Mapping[str, PolicyAbout]") -> None:
    """Print computer players with their weights."""
    print_result(table(("policy", "what it does"), ((name, policy.about) for name, policy in found.items())))
    weights = [policy.weights for policy in found.values()]
    rows = ((name, *(f"{one[name]:g}" for one in weights)) for name in weights[0])
    print_result("\n" + table(("weight", *found), rows, right=range(1, len(found) + 1)))


def show_judgement(found: "Judgement") -> None:
    """Print the first step that breaks a rule, or who wins."""
    if found.broken is not None:
        rule = f" ({found.broken.rule})" if found.broken.rule else ""
        print_result(f"{found.file}:{found.broken.line}: {found.broken.message}{rule}")
        return
    end = "the match is not over" if found.winner is None else f"player {found.winner} wins"
    print_result(f"{found.file}: {found.events:,} events, {found.turns:,} turns on {found.board}: all legal; {end}")


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
