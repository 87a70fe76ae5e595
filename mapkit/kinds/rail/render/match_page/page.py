"""A match as one HTML file that fetches nothing: the drawn board, on which it is played step by step."""

from collections.abc import Sequence

from mapkit.drawing.theme.theme import FONT, Theme
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_script
from mapkit.formats.html import html_page, page_part, policy_for
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.render import page_map
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page.data import match_page_data
from mapkit.kinds.rail.render.match_page.drawing import COLOURS
from mapkit.kinds.rail.render.match_page.narrating import narrated
from mapkit.kinds.rail.render.own_theme import theme_of
from mapkit.kinds.rail.render.page_map.data import data_json, inline_board
from mapkit.kinds.rail.render.words import words_of
from mapkit.press.embed import font_rules
from mapkit.version import __version__


def render_match_page(
    board: Board, head: MatchHead, events: Sequence[MatchEvent], *, theme: Theme | None = None
) -> str:
    """Return a match as the text of an HTML file; the same match gives the same text.

    Args:
        board: What it was played on.
        head: The head of its log.
        events: Its events.
        theme: How the board is drawn; as its author chose by default.
    """
    theme = theme or theme_of(board)
    layout = lay_out(board, theme.sizes)
    words = words_of(board)
    data = match_page_data(layout, head, events, words)
    own = str(__package__)
    left, top, right, bottom = layout.area
    colours = [
        f":root {{ --font: {FONT}; --aspect: {right - left:g} / {bottom - top:g}; }}",
        *(f".player-{k} {{ --player: {colour}; }}" for k, colour in enumerate(COLOURS, start=1)),
    ]
    parts = [page_part(page_map.__name__, "page.css"), page_part(own, "page.css")]
    style = "\n".join([font_rules(), *parts, *colours])
    scripts = (words_script(), page_part(page_map.__name__, "map.js"), page_part(own, "page.js"))
    script = '"use strict";\n' + "\n".join(scripts)
    return html_page(
        own,
        "page.html.jinja",
        policy=policy_for(style, script),
        words=words,
        style=style,
        script=script,
        data=data_json(data),
        board=board,
        heading=_heading(board, head, words),
        sort=words(
            "match.sort",
            rules=head.rules.preset,
            turns=words.count("match.turns", sum(event.does == "turn" for event in events)),
            events=words.count("match.events", len(events)),
        ),
        head=head,
        speeds=(1, 4, 12, 40),
        board_svg=inline_board(draw_board(layout, theme=theme)),
        story=_turns(list(narrated(board, head, events, words))),
        version=__version__,
    )


def _heading(board: Board, head: MatchHead, words: Words) -> str:
    if head.seed is None or head.match is None:
        return words("match.title", board=board.title)
    return words("match.heading", board=board.title, match=head.match, seed=head.seed)


def _turns(lines: Sequence[str]) -> list[list[str]]:
    """Return lines in groups: what comes before the first turn, then each turn."""
    out: list[list[str]] = [[]]
    for line in lines:
        if line:
            out[-1].append(line.strip())
        else:
            out.append([])
    return [group for group in out if group]
