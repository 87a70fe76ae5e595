"""Page of a match: one HTML file that fetches nothing, with the drawn board to replay it step by step."""

from collections.abc import Sequence

from mapkit.drawing.embedded_fonts import font_rules
from mapkit.drawing.theme.theme import FONT
from mapkit.drawing.words.script import words_script
from mapkit.formats.html import content_security_policy, read_page_part, render_html
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.match import MatchEvent, MatchHead
from mapkit.kinds.rail.render import page_map
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.board_theme import get_board_theme
from mapkit.kinds.rail.render.layout import lay_out
from mapkit.kinds.rail.render.match_page.data import collect_match_data
from mapkit.kinds.rail.render.match_page.drawing import COLOURS
from mapkit.kinds.rail.render.match_page.narration import narrate_match
from mapkit.kinds.rail.render.page_map.data import format_inline_board, format_script_json
from mapkit.kinds.rail.render.words import words_of
from mapkit.version import __version__


def render_match_page(board: Board, head: MatchHead, events: Sequence[MatchEvent]) -> str:
    """Render a match as the text of an HTML file; the same match gives the same text.

    Args:
        board: What it was played on.
        head: The head of its log.
        events: Its events.
    """
    theme = get_board_theme(board)
    board_layout = lay_out(board, theme.sizes)
    words = words_of(board)
    page_data = collect_match_data(board_layout, head, events, words)
    own_package = str(__package__)
    left, top, right, bottom = board_layout.area
    colour_rules = [
        f":root {{ --font: {FONT}; --aspect: {right - left:g} / {bottom - top:g}; }}",
        *(f".player-{k} {{ --player: {colour}; }}" for k, colour in enumerate(COLOURS, start=1)),
    ]
    style_parts = [read_page_part(page_map.__name__, "page.css"), read_page_part(own_package, "page.css")]
    page_style = "\n".join([font_rules(), *style_parts, *colour_rules])
    map_script = (read_page_part(page_map.__name__, name) for name in ("places.js", "map.js"))
    script_parts = (words_script(), *map_script, read_page_part(own_package, "page.js"))
    page_script = '"use strict";\n' + "\n".join(script_parts)
    return render_html(
        own_package,
        "page.html.jinja",
        policy=content_security_policy(page_style, page_script),
        words=words,
        style=page_style,
        script=page_script,
        data=format_script_json(page_data),
        board=board,
        heading=(
            words("match.title", board=board.title)
            if head.seed is None or head.match is None
            else words("match.heading", board=board.title, match=head.match, seed=head.seed)
        ),
        sort=words(
            "match.sort",
            rules=head.rules.preset,
            turns=words.count("match.turns", sum(event.does == "turn" for event in events)),
            events=words.count("match.events", len(events)),
        ),
        head=head,
        speeds=(1, 4, 12, 40),
        board_svg=format_inline_board(draw_board(board_layout, theme=theme)),
        story=_group_turns(list(narrate_match(board, head, events, words))),
        version=__version__,
    )


def _group_turns(lines: Sequence[str]) -> list[list[str]]:
    """Group lines: those before the first turn, then each turn."""
    line_groups: list[list[str]] = [[]]
    for line in lines:
        if line:
            line_groups[-1].append(line.strip())
        else:
            line_groups.append([])
    return [group for group in line_groups if group]
