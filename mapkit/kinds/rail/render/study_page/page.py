"""Study page: one HTML file that fetches nothing and runs no script."""

from itertools import pairwise
from typing import Final

from mapkit.drawing.inks import HEAT
from mapkit.formats.html import content_security_policy, render_html
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.study_page import maps
from mapkit.playing.figures import Share
from mapkit.playing.panels import PanelFigure
from mapkit.playing.study_page import plots
from mapkit.playing.study_page.page import page_style
from mapkit.version import __version__

_SECTION_TITLES: Final = {
    "railroads": "Railroads",
    "use": "The board by use",
    "income": "The board by income",
    "holdings": "Access and monopoly",
    "starts": "Homes, first destinations and purchases",
    "course": "Course of a match",
    "styles": "Styles of players",
    "players": "Players and seats",
}
_OWNERSHIP_MOMENTS: Final = ("First buyer", "Owner at sell-out", "Owner at the end")
_MOST_ROWS: Final = 12
"""Segments and cities in tables."""


def render_study_page(board: Board, study: Study) -> str:
    """Render a study as the text of an HTML file; the same study gives the same text.

    Args:
        board: The board that was played.
        study: The results of the matches.
    """
    theme = get_board_theme(board)
    board_layout = lay_out(board, theme.sizes)
    style = page_style("".join(f".heat-{k} {{ stroke: {colour}; }} " for k, colour in enumerate(HEAT)))
    even_share = 1 / len(study.players)
    most_income = max((row.income.mean for row in study.railroads), default=0.0)
    edge_texts = [f"{board.units.symbol}{most_income * k / len(HEAT):,.0f}" for k in range(len(HEAT) + 1)]
    holding_rows = [row for row in study.holdings if row.access.of or row.monopoly.of]
    return render_html(
        __package__,
        "page.html.jinja",
        policy=content_security_policy(style, ""),
        style=style,
        board=board,
        study=study,
        symbol=board.units.symbol,
        sections=_SECTION_TITLES,
        moments=_OWNERSHIP_MOMENTS,
        played=describe_matches(study),
        facts=_match_facts(board, study),
        keys=[plots.draw_key_mark(k) for k in range(len(_OWNERSHIP_MOMENTS))],
        railroad_plot=plots.draw_row_plot(
            "Win rates of the owners of each railroad; the table below has the figures",
            [plots.PlotRow(row.short, (row.first, row.sell_out, row.end)) for row in study.railroads],
            even=even_share,
            axis="of matches in which a player owned it",
        ),
        holding_plot=plots.draw_column_plot(
            "Win rates by access and monopoly at the end; the table below has the figures",
            [plots.PlotRow(str(row.low), (row.access, row.monopoly)) for row in holding_rows],
            even=even_share,
            axis="percent of destinations, in classes of five",
        ),
        seat_plot=plots.draw_row_plot(
            "Win rates by order of play: "
            + ", ".join(f"{k} {100 * seat.share:.1f} %" for k, seat in enumerate(study.seats, start=1)),
            [plots.PlotRow(f"seat {k}", (seat,)) for k, seat in enumerate(study.seats, start=1)],
            even=even_share,
            axis="of matches",
        ),
        player_plot=plots.draw_row_plot(
            "Win rates of players; the table below has the figures",
            [plots.PlotRow(f"player {k}", (p.wins,)) for k, p in enumerate(study.players, start=1)],
            even=even_share,
            axis="of matches",
        ),
        use_map=maps.draw_use_map(board_layout, study),
        income_map=maps.draw_income_map(board_layout, study),
        income_key=list(pairwise(edge_texts)),
        holdings=holding_rows,
        start_rows=_start_rows(board, study),
        panel_rows=_panel_rows(board, study),
        segments=_top_segments(board, study),
        cities=_top_cities(board, study),
        ground=maps.draw_ground_layers(board_layout, theme),
        version=__version__,
    )


def describe_matches(study: Study) -> str:
    """Describe the played matches in words."""
    policy_names = sorted({player.policy for player in study.players})
    rules_text = study.preset + (f" with {', '.join(study.options)}" if study.options else "")
    variants_text = f", variants {', '.join(study.variants)}" if study.variants else ""
    return (
        f"{study.matches:,} matches of {len(study.players)} players ({', '.join(policy_names)}), rules "
        f"{rules_text}{variants_text}, seed {study.seed}"
    )


def _match_facts(board: Board, study: Study) -> list[tuple[str, str, str]]:
    """Return name, value and interval of the figures of the whole match."""
    player_count, currency_symbol = len(study.players), board.units.symbol

    def of_all(name: str, form: str) -> str:
        return format(sum(getattr(player, name).mean for player in study.players), form)

    half_interval = (study.rounds.high - study.rounds.low) / 2
    sold_share = study.sold_out
    return [
        (
            "Rounds",
            f"{study.rounds.mean:.1f}",
            f"±{half_interval:.2f}; standard deviation {study.rounds.deviation:.1f}",
        ),
        ("Lead changes", f"{study.lead_changes.mean:.1f}", "by net worth"),
        ("Led for good from", f"{100 * study.last_doubt.mean:.0f} %", "of a match on, by the winner"),
        ("Last lead of the others", f"{100 * (1 - study.hopeless.mean):.0f} %", "of a match"),
        ("Trips a player", f"{sum(p.trips.mean for p in study.players) / player_count:.1f}", ""),
        ("Payoffs in a match", f"{currency_symbol}{of_all('payoffs', ',.0f')}", ""),
        ("Fees in a match", f"{currency_symbol}{of_all('fees_paid', ',.0f')}", "between players"),
        ("Purchases in a match", of_all("purchases", ".1f"), ""),
        ("Bankruptcies in a match", of_all("bankrupt", ".2f"), ""),
        ("Rovers in a match", of_all("rovers", ".2f"), "declared trains caught"),
        ("Sold out", f"{100 * sold_share.share:.1f} %", f"of matches, ±{50 * (sold_share.high - sold_share.low):.1f}"),
    ]


def _name_elements(board: Board) -> dict[str, str]:
    return {r.id: r.short for r in board.railroads} | {c.id: c.name for c in board.cities}


def _start_rows(board: Board, study: Study) -> list[tuple[str, str, Share]]:
    """Return kind, name and wins of each start, the most wins first."""
    names = _name_elements(board)
    starts = sorted(study.starts, key=lambda s: (-s.wins.share, s.id))
    kinds = dict.fromkeys(s.start for s in study.starts)
    return [(kind, names.get(s.id, s.id), s.wins) for kind in kinds for s in starts if s.start == kind]


def _panel_rows(board: Board, study: Study) -> list[tuple[str, PanelFigure]]:
    """Return name and figure of a panel: seats, and owners of railroads at the end."""
    names = _name_elements(board)
    return [
        (f"{names[f.id] if f.part == 'railroad' else f'{f.part} {f.id}'} {f.figure}", f)
        for f in study.panel
        if f.part in ("seat", "railroad") and f.figure in ("wins", "wins of the owner at the end")
    ]


def _top_segments(board: Board, study: Study) -> list[tuple[str, float]]:
    reporting_marks = {r.id: r.short for r in board.railroads}
    names = {m.id: m.name for m in board.mileposts}
    segment_names = {s.id: f"{reporting_marks[s.railroad]}: {names[s.a]} - {names[s.b]}" for s in board.segments}
    most_ridden = sorted(study.segments, key=lambda use: (-use.times, use.id))[:_MOST_ROWS]
    return [(segment_names[use.id], use.times) for use in most_ridden]


def _top_cities(board: Board, study: Study) -> list[tuple[str, float]]:
    names = {c.id: c.name for c in board.cities}
    return [
        (names[use.id], use.times) for use in sorted(study.cities, key=lambda use: (-use.times, use.id))[:_MOST_ROWS]
    ]
