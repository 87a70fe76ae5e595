"""Themes: contrast, steps, files of a user's own, and the SVG's contract in every one."""

from pathlib import Path
from typing import get_args

import pytest
from boards import shipped
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from svg_client import read_board_svg
from tiny import tiny_board

from mapkit.core.errors import SourceError, UnknownNameError, WorkspaceError
from mapkit.drawing.colours.colour import contrast, luminance
from mapkit.drawing.theme.files import find_theme, parse_theme
from mapkit.drawing.theme.sizes import ThemeName
from mapkit.drawing.theme.steps import adjust_theme
from mapkit.drawing.theme.theme import CLASSIC, DARK, THEMES, Theme
from mapkit.kinds.rail.model.board import Board, Pattern, Style
from mapkit.kinds.rail.render.board import draw_board
from mapkit.kinds.rail.render.checks import find_alike_railroads, find_faint_lines, find_faint_texts
from mapkit.kinds.rail.render.colours.railroad_styles import assign_ink_patterns, choose_railroad_styles, visible_tint
from mapkit.kinds.rail.render.layout import Layout, lay_out

STEPS = [(b, c) for b in (-1, 0, 1) for c in (0, 1)]
PRINT = THEMES["print"]
EVERY = [adjust_theme(theme, b, c) for theme in THEMES.values() for b, c in STEPS]


@pytest.fixture(scope="module")
def boards(usa: Board) -> tuple[Board, ...]:
    return (usa, shipped("portugal"), shipped("mexico"))


@pytest.fixture(scope="module")
def layout() -> Layout:
    return lay_out(tiny_board())


def test_there_are_eight_themes_and_six_steps_of_each() -> None:
    assert list(THEMES) == list(get_args(ThemeName))
    assert len(STEPS) == 6
    assert adjust_theme(CLASSIC, 0, 0) == CLASSIC


def test_names_and_legend_can_be_read_in_every_step(boards: tuple[Board, ...]) -> None:
    assert [(b.id, find_faint_texts(b, theme)) for b in boards for theme in EVERY if find_faint_texts(b, theme)] == []


def test_lines_stand_out_in_every_theme(boards: tuple[Board, ...]) -> None:
    assert [
        (b.id, t.name, find_faint_lines(b, t)) for b in boards for t in THEMES.values() if find_faint_lines(b, t)
    ] == []


def test_no_railroads_that_touch_are_too_much_alike(boards: tuple[Board, ...]) -> None:
    for board in boards:
        for name in THEMES:  # in black alone, too, patterns tell the eleven railroads at Chicago apart
            assert find_alike_railroads(board, THEMES[name]) == (), (board.id, name)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_steps_of_brightness_go_their_way(theme: Theme) -> None:
    darker, same, brighter = (luminance(adjust_theme(theme, b).land) for b in (-1, 0, 1))
    assert darker < same
    assert brighter > same or same == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_step_of_contrast_lifts_it(theme: Theme, boards: tuple[Board, ...]) -> None:
    strong = adjust_theme(theme, 0, 1)
    assert contrast(strong.quiet_ink, strong.land) >= 7
    assert min(contrast(c, strong.land) for c in (strong.coast, strong.border, strong.region_edge, strong.river)) >= 3
    for region in boards[0].regions:
        assert contrast(strong.ink, visible_tint(region, strong)) >= contrast(theme.ink, visible_tint(region, theme))


def test_another_step_is_refused() -> None:
    with pytest.raises(SourceError, match="brightness is 2; it is -1"):
        adjust_theme(CLASSIC, 2)
    with pytest.raises(SourceError, match="contrast is -1; it is 0 or 1"):
        adjust_theme(CLASSIC, 0, -1)


def test_dark_lines_are_light_and_printed_lines_black(usa: Board) -> None:
    dark = choose_railroad_styles(usa, DARK)
    assert all(contrast(style.colour, DARK.casing) >= 4.5 for style in dark.values())
    assert {i: s.pattern for i, s in dark.items()} == {r.id: r.style.pattern for r in usa.railroads}
    assert {style.colour for style in choose_railroad_styles(usa, PRINT).values()} == {"#000000"}


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_whole_graph_is_in_every_theme(theme: Theme, layout: Layout) -> None:
    plain = read_board_svg(draw_board(layout).to_text())
    text = draw_board(layout, theme=theme).to_text()
    assert read_board_svg(text) == plain
    assert theme.water in text
    assert text == draw_board(layout, theme=theme).to_text()


def test_print_has_no_colour(layout: Layout) -> None:
    import re  # noqa: PLC0415

    used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6})"', draw_board(layout, theme=PRINT).to_text()))
    assert used <= {"#000000", "#ffffff", PRINT.river, PRINT.border} | {r.colour for r in layout.board.regions}
    assert PRINT.river[1:3] == PRINT.river[3:5] == PRINT.river[5:7]


def test_a_file_changes_what_it_says_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "sepia.toml"
    path.write_text('base = "atlas"\nland = "#f1e7d0"\n[sizes]\ncity_text = 4.4\n', encoding="utf-8")
    theme = find_theme("sepia.toml", folder=tmp_path)
    atlas = THEMES["atlas"]
    sizes = atlas.sizes.model_copy(update={"city_text": 4.4})
    changes = {"name": "sepia", "about": "sepia.toml, from atlas", "land": "#f1e7d0", "sizes": sizes}
    assert theme == atlas.model_copy(update=changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("land = ", "not valid TOML"),
        ('base = "clasic"', r"base is 'clasic' \(did you mean 'classic'\?\); it is one of classic, atlas"),
        ('lnad = "#ffffff"', r"unknown key 'lnad' \(did you mean 'land'\?\)"),
        ("[sizes]\ncity_txt = 3", r"unknown key 'sizes.city_txt' \(did you mean 'city_text'\?\)"),
        ('land = "white"', "land is 'white': .*write a colour as #rrggbb"),
        ("tint_opacity = 2", "tint_opacity is 2: "),
        ("[sizes]\ncity_text = 900", "sizes.city_text is 900; it is 0.05 to 50 millimetres"),
        ('[sizes]\nfamily = "Futura"', "sizes.family is 'Futura'"),
        ("sizes = 3", r"sizes is 3; write a table \[sizes\]"),
        (f'name = "{"x" * 201}"', "name is longer than 200"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deep|not valid TOML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        parse_theme(text)


def test_a_theme_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no theme is named 'drak' \(did you mean 'dark'\?\)"):
        find_theme("drak")
    with pytest.raises(WorkspaceError, match="cannot be read"):
        find_theme("none.toml", folder=tmp_path)
    (tmp_path / "big.toml").write_bytes(b"#" * 70_000)
    with pytest.raises(SourceError, match="70000 bytes is more than the limit of 65536"):
        find_theme("big.toml", folder=tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(SourceError, match="save the file as UTF-8"):
        find_theme("latin.toml", folder=tmp_path)


@given(
    st.integers(min_value=1, max_value=30),
    st.lists(st.sampled_from(["solid", "dash", "dot"]), min_size=30, max_size=30),
)
@settings(max_examples=examples(20), deadline=None)
def test_print_uses_every_pattern_before_one_repeats(count: int, own: list[Pattern]) -> None:
    """Railroads that touch or not: thirteen patterns for up to thirteen railroads, and then evenly."""
    first, board = tiny_board().railroads[0], tiny_board()
    more = [
        first.model_copy(update={"id": f"line-{i}", "style": Style(colour="#123456", pattern=own[i])})
        for i in range(count)
    ]
    patterns = list(assign_ink_patterns(board.model_copy(update={"railroads": (*board.railroads, *more)})).values())
    used = sorted(patterns.count(pattern) for pattern in get_args(Pattern))
    assert used[-1] - used[0] <= 1
