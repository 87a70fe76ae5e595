"""Studies of play-tests, and comparisons of boards by play, as tables."""

from typing import TYPE_CHECKING

from mapkit.console.printing import draw_sparkline, print_message, print_result, table
from mapkit.core.plurals import count_noun
from mapkit.playing.tables import (
    clearest_of,
    compared_table,
    mean_text,
    part_text,
    print_end,
    print_study,
    share_text,
    sign_text,
    verdict_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mapkit.kinds.rail.api.replaying import MatchLog
    from mapkit.kinds.rail.api.validating import Validation
    from mapkit.kinds.rail.model.board import Board
    from mapkit.kinds.rail.model.comparison import Comparison, PlayedOn
    from mapkit.kinds.rail.model.study import Study
    from mapkit.playing.game import PlayCompared, PlayTested
    from mapkit.playing.paired_differences import FigureDifference
    from mapkit.playing.panels import PanelFigure

_PERCENT = 100
_SHOWN = 5


def show_study(tested: "PlayTested", board: str, *, as_json: bool) -> None:
    """Print a study, how it ended, and its files."""
    text = "" if as_json else study_text(tested.board, tested.study)
    print_study(tested, text, f"{tested.study.matches:,} matches", board)


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


def show_validation(found: "Validation") -> None:
    """Print published figures beside those of each style."""
    columns = ("published", "figure %", "mean", *found.styles, "")
    rows = (
        (
            f"{f.says} ({f.source})",
            f.published,
            *(f"{value:.1f}" for value in (sum(f.values) / len(f.values), *f.values)),
            "reached" if f.reached else "missed",
        )
        for f in found.figures
    )
    print_result(table(columns, rows, right=range(2, len(found.styles) + 3)))


def _style_table(study: "Study", symbol: str) -> str:
    """Lay out the means of each style of a panel as a table."""
    known = {(f.part, f.id, f.figure): f for f in study.panel}
    rounds, sold_out = known["match", "", "rounds"], known["match", "", "sold out"]
    of_players = {
        figure: [known["player", str(k + 1), figure].values for k in range(len(study.players))]
        for figure in ("trips", "payoffs", "fees paid", "purchases", "bankrupt")
    }
    means = {
        figure: [sum(values) / len(study.players) for values in zip(*by_player, strict=True)]
        for figure, by_player in of_players.items()
    }
    return table(
        ("style", "rounds", "sold out %", "trips", "payoffs", "fees paid", "purchases", "bankrupt %"),
        (
            (
                style,
                f"{rounds.values[k]:.1f}",
                f"{_PERCENT * sold_out.values[k]:.1f}",
                f"{means['trips'][k]:.1f}",
                f"{symbol}{means['payoffs'][k]:,.0f}",
                f"{symbol}{means['fees paid'][k]:,.0f}",
                f"{means['purchases'][k]:.1f}",
                f"{_PERCENT * means['bankrupt'][k]:.1f}",
            )
            for k, style in enumerate(study.styles)
        ),
        right=range(1, 8),
    )


def panel_rows(
    study: "Study", part: str, figure: str, names: "Mapping[str, str]"
) -> "list[tuple[str, str, str, str, str, str]]":
    """Return rows of win rates by style: name, estimate, both intervals, range, and styles on its side."""
    rows = sorted((f for f in study.panel if (f.part, f.figure) == (part, figure)), key=lambda f: (-f.estimate, f.id))
    return [
        (
            names.get(f.id, f.id),
            f"{_PERCENT * f.estimate:.1f}",
            f"±{_PERCENT * f.dice:.1f}",
            f"±{_PERCENT * f.players:.1f}",
            f"{_PERCENT * f.low:.1f} to {_PERCENT * f.high:.1f}",
            sign_text(f),
        )
        for f in rows
    ]


def panel_table(board: "Board", study: "Study", part: str, figure: str, head: str) -> str:
    """Lay out win rates by style as a table."""
    names = {r.id: r.short for r in board.railroads} | {c.id: c.name for c in board.cities}
    columns = (head, "wins %", "by dice", "by styles", "range over styles", "same side of an even share in")
    return table(columns, panel_rows(study, part, figure, names), right=(1, 2, 3, 4))


def _start_table(board: "Board", study: "Study", start: str) -> str:
    """Lay out the win rates by a start, the highest and the lowest."""
    names = {r.id: r.short for r in board.railroads} | {c.id: c.name for c in board.cities}
    known = {f.id: f for f in study.panel if (f.part, f.figure) == (start, "wins")}
    rows = sorted((s for s in study.starts if s.start == start), key=lambda s: (-s.wins.share, s.id))
    shown = rows if len(rows) <= 2 * _SHOWN else [*rows[:_SHOWN], *rows[-_SHOWN:]]
    return table(
        (start, "players", "wins %", "range over styles", "same side of an even share in"),
        (
            (
                names.get(s.id, s.id),
                f"{s.wins.of:,}",
                share_text(s.wins),
                f"{_PERCENT * f.low:.1f} to {_PERCENT * f.high:.1f}" if (f := known.get(s.id)) else "",
                sign_text(f) if f else "",
            )
            for s in shown
        ),
        right=(1, 2, 3),
    )


def study_text(board: "Board", study: "Study") -> str:
    """Lay out a study as tables."""
    symbol = board.units.symbol
    players = (
        _style_table(study, symbol)
        if study.panel
        else table(
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
    )
    railroads = (
        panel_table(board, study, "railroad", "wins of the owner at the end", "owner at the end")
        if (study.panel)
        else table(
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
    )
    holdings = [h for h in study.holdings if h.access.of or h.monopoly.of]
    held = table(
        ("percent of destinations", "access: wins %", "monopoly: wins %"),
        ((f"{h.low} to {h.high}", share_text(h.access), share_text(h.monopoly)) for h in holdings),
        right=(1, 2),
    )
    curves = "".join(
        f", {name} {curve}"
        for name, shares in (("access", [h.access for h in holdings]), ("monopoly", [h.monopoly for h in holdings]))
        if (curve := draw_sparkline(share.share for share in shares if share.of))
    )
    seats = ", ".join(f"{number}. {share_text(seat)}" for number, seat in enumerate(study.seats, start=1))
    rovers = sum(p.rovers.mean for p in study.players)
    facts = [
        f"{count_noun(study.matches, 'match', 'matches')} of {len(study.players)} players, seed {study.seed}, "
        f"rules {study.preset}" + (f" with {', '.join(study.options)}" if study.options else ""),
        *([f"panel of {len(study.styles)} styles: {', '.join(study.styles)}"] * bool(study.panel)),
        f"rounds: {mean_text(study.rounds, 1)}, standard deviation {study.rounds.deviation:.1f}",
        f"wins % by order of play: {seats}",
        (
            f"lead changes: {mean_text(study.lead_changes, 1)}; the winner leads for good from "
            f"{_PERCENT * study.last_doubt.mean:.0f} % of a match on; the others last lead at "
            f"{_PERCENT * (1 - study.hopeless.mean):.0f} %"
        ),
        f"sold out in {share_text(study.sold_out)} % of matches; rovers a match: {rovers:.2f}",
    ]
    starts = []
    for start in ("home", "first destination", "first purchase"):
        starts += ["", _start_table(board, study, start)]
    used = [
        "most used, times a match: "
        + ", ".join(f"{u.id} {u.times:.1f}" for u in sorted(uses, key=lambda use: (-use.times, use.id))[:_SHOWN])
        for uses in (study.segments, study.cities)
    ]
    return "\n".join(
        [*facts, "", players, "", railroads, *starts, "", f"Railroads at the end of the match{curves}", held, "", *used]
    )


def show_comparison(found: "PlayCompared", *, as_json: bool) -> None:
    """Print a comparison, and how it ended."""
    marks = {r.id: r.short for board in (found.one, found.other) for r in board.railroads}
    if not as_json:
        print_result(comparison_text(found.comparison, marks))
    print_end(found, f"{found.comparison.matches:,} matches")


def comparison_text(found: "Comparison", marks: dict[str, str]) -> str:
    """Lay out a comparison as tables; `marks` are those of railroads by id."""
    players = ", ".join(dict.fromkeys(found.policies))
    shown = [f for f in found.figures if f.part != "railroad"]
    railroads = clearest_of(f for f in found.figures if f.part == "railroad")
    tables = [compared_table(found, rows, _named(marks)) for rows in (shown, railroads)]
    called = f"in {len(found.policies)} styles: {players}" if found.panel else players
    return "\n".join(
        [
            f"A: {_called(found.a)}",
            f"B: {_called(found.b)}",
            f"{found.matches:,} matches of {found.players} players ({called}) on each",
            verdict_text(found.chance, different=found.different),
            "",
            tables[0],
            "",
            "Railroads: what differs most clearly",
            tables[1],
        ]
    )


def _named(marks: dict[str, str]) -> "Callable[[FigureDifference | PanelFigure], str]":
    """Return the name of a figure; railroads have their marks."""
    return lambda figure: (
        f"{marks[figure.id] if figure.part == 'railroad' else part_text(figure)} {figure.figure}".strip()
    )


def _called(played: "PlayedOn") -> str:
    rules = played.preset + (f" with {', '.join(played.options)}" if played.options else "")
    return f"{'+'.join([played.board, *played.variants])}, rules {rules}, seed {played.seed}"
