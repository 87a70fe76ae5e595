"""The board on the canvas as it is drawn for print: its colours, its themes, and what an edit does to it."""

from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from browsing import still, until
from editing import Editing, Served, panel, serving
from PIL import Image
from playwright.sync_api import Page, Route, expect
from test_editor_draw import Hand, Spot, done

from mapkit.drawing.theme.theme import CLASSIC, THEMES
from mapkit.kinds.rail.render.board_theme import apply_board_sizes
from mapkit.kinds.rail.render.screen.page_warp import solve_page
from mapkit.kinds.rail.render.spread.warps import Steps

DARK = THEMES["dark"]


@pytest.fixture
def served(example: Path) -> Iterator[Served]:
    with serving(example) as served:
        yield served


def colour(page: Page, at: Spot) -> str:
    red, green, blue = np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"))[round(at[1]), round(at[0])]
    return f"#{red:02x}{green:02x}{blue:02x}"


def shows(page: Page, at: Spot, wanted: str) -> None:
    until(page, lambda: colour(page, at) == wanted)


def sea(hand: Hand) -> Spot:
    """Return a place in the Atlantic, where nothing is."""
    return hand.screen(*hand.live.frame.to_page([(-69.8, 42.7)])[0])


def test_the_canvas_shows_water_land_and_symbols_as_they_are_printed_in_any_theme(
    editing: Editing, served: Served
) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        water, dot = sea(hand), hand.of("Springfield")
        shows(page, water, CLASSIC.water)
        shows(page, dot, CLASSIC.ink)
        panel(page, "Layers")
        page.get_by_label("Draw the board in the theme").select_option("dark")
        shows(page, water, DARK.water)
        shows(page, dot, DARK.ink)
        page.get_by_label("Land, water and regions", exact=True).uncheck()
        until(page, lambda: colour(page, water) not in (DARK.water, CLASSIC.water))
        # both are remembered
        page.reload()
        panel(page, "Layers")
        ground = page.get_by_label("Land, water and regions", exact=True)
        expect(ground).not_to_be_checked()
        ground.check()
        shows(page, water, DARK.water)


def test_in_the_dark_the_board_is_drawn_dark(editing: Editing, served: Served) -> None:
    with editing(served, dark=True) as page:
        shows(page, sea(Hand(page, served)), DARK.water)


def test_what_is_moved_is_drawn_where_it_is_now_and_nowhere_else(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        was = hand.of("Springfield")
        shows(page, was, CLASSIC.ink)
        now = (was[0] - 25, was[1] - 60)
        hand.drag(was, now)
        done(page, "Move Springfield")
        page.mouse.move(*sea(hand))
        page.keyboard.press("Escape")
        shows(page, now, CLASSIC.ink)
        until(page, lambda: colour(page, was) != CLASSIC.ink)


def test_a_step_is_not_seen_twice_while_the_board_is_drawn_again(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        was = hand.of("Springfield")
        shows(page, was, CLASSIC.ink)
        held: list[Route] = []
        page.route("**/api/ask/drawing", lambda route: held.append(route))  # noqa: PLW0108
        now = (was[0] - 25, was[1] - 60)
        hand.drag(was, now)
        done(page, "Move Springfield")
        page.mouse.move(*sea(hand))
        page.keyboard.press("Escape")
        until(page, lambda: colour(page, was) != CLASSIC.ink)
        shows(page, now, CLASSIC.ink)
        assert held
        assert page.locator("#board").get_attribute("data-track") == "0"
        page.unroute("**/api/ask/drawing")  # lets them go on
        expect(page.locator("#board")).to_have_attribute("data-track", "1")
        shows(page, now, CLASSIC.ink)


def test_a_city_square_is_8_to_20_pixels_wide_at_every_zoom_unless_at_print_size(
    editing: Editing, served: Served
) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        shows(page, hand.of("Springfield"), CLASSIC.ink)
        for layer in ("Railroads", "Names", "Land, water and regions"):
            page.get_by_label(layer, exact=True).uncheck()

        def width(x: float, y: float) -> int:
            """Return how many pixels of ink are in the row through the middle of the city."""
            still(page)
            x, y = round(x), round(y)
            row = np.asarray(Image.open(BytesIO(page.screenshot())).convert("L"))[y, x - 150 : x + 150] < 90
            return int(np.argmin(row[:150][::-1])) + int(np.argmin(row[150:]))

        assert 8 <= width(*hand.of("Springfield")) <= 20
        page.keyboard.press("Control+k")
        page.get_by_role("combobox", name="Find a command").fill("Springfield")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        box = page.locator("#board").bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for times in (1, 3, 5, 7):
            for _ in range(times):
                page.get_by_role("button", name="Zoom in").click()
            assert 8 <= width(*middle) <= 20
        page.get_by_label("Symbols at print size").check()
        assert width(*middle) > 20
        page.reload()
        expect(page.get_by_label("Symbols at print size")).to_be_checked()


def test_while_a_city_is_dragged_its_miles_follow_as_the_server_then_has_them(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        x, y = hand.of("Springfield")
        figures = page.locator(".drag-card")  # hidden from screen readers, which hear the same
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 12, y - 30, steps=4)
        expect(figures).to_contain_text("Springfield")
        expect(figures.get_by_text("was").first).to_be_visible()
        shown = {row.split("\n")[0]: row for row in figures.locator("li").all_inner_texts()}
        page.mouse.move(*sea(hand), steps=4)
        expect(figures).to_contain_text("In the water.")
        page.mouse.move(x - 12, y - 30, steps=4)
        expect(figures.get_by_text("In the water.")).to_have_count(0)
        page.mouse.up()
        done(page, "Move Springfield")
        expect(figures).to_have_count(0)
        board = hand.live.recompile(served.session.document).board
        names = {milepost.id: milepost.name for milepost in board.mileposts}
        here = next(ident for ident, name in names.items() if name.startswith("Springfield"))
        ways = [s for s in board.segments if here in (s.a, s.b)]
        assert shown.keys() == {names[s.a if s.b == here else s.b] for s in ways}
        for segment in ways:
            said = shown[names[segment.a if segment.b == here else segment.b]]
            miles = float(said.partition(" mi")[0].rpartition("\n")[2])
            assert miles == pytest.approx(segment.miles, abs=0.6)


def test_all_cities_are_named_where_the_whole_page_is_seen(editing: Editing, served: Served) -> None:
    with editing(served) as page:
        hand = Hand(page, served)
        shows(page, sea(hand), CLASSIC.water)
        panel(page, "Layers")
        for layer in ("Railroads", "Mileposts and cities", "Land, water and regions"):
            page.get_by_label(layer, exact=True).uncheck()

        def dark_near(name: str) -> int:
            """Return how many dark pixels, of text alone, are near a city."""
            x, y = (round(part) for part in hand.of(name))
            near = Image.open(BytesIO(page.screenshot())).convert("L").crop((x - 120, y - 30, x + 120, y + 30))
            return sum(near.histogram()[:90])

        for city in ("Albany", "Boston", "Portland", "New Haven", "Burlington", "Springfield"):
            until(page, partial(lambda city: dark_near(city) > len(city) * 8, city))
        page.get_by_label("Names", exact=True).uncheck()
        for city in ("Boston", "Springfield"):
            until(page, partial(lambda city: dark_near(city) == 0, city))


@pytest.fixture
def crowded(example: Path) -> Iterator[Served]:
    """The example, with so much room asked for round mileposts that its printed page moves them."""
    file = example / "board.toml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n[drawing.sizes]\nleast_gap = 20\n", encoding="utf-8")
    with serving(example) as served:
        yield served


def test_edits_on_the_printed_page_land_under_the_hand_and_another_layout_waits_to_be_asked_for(
    editing: Editing, crowded: Served
) -> None:
    with editing(crowded) as page:
        hand = Hand(page, crowded)
        board = hand.live.board
        warp = Steps(solve_page(board, apply_board_sizes(None, board).sizes).steps)

        def printed(place: Spot) -> Spot:
            ((x, y),) = warp(np.array([place])).tolist()
            return hand.screen(x, y)

        was = printed(hand.mm_of("Springfield"))
        assert np.hypot(*np.subtract(was, hand.of("Springfield"))) > 8
        shows(page, hand.of("Springfield"), CLASSIC.ink)
        page.get_by_role("button", name="Printed page").click()
        shows(page, was, CLASSIC.ink)
        now = (was[0] - 25, was[1] - 60)
        hand.drag(was, now)
        done(page, "Move Springfield")
        (place,) = (
            (m.x, m.y) for m in hand.live.recompile(crowded.session.document).board.mileposts if m.name == "Springfield"
        )
        assert np.hypot(*np.subtract(printed(place), now)) < 1
        page.keyboard.press("Escape")
        page.mouse.move(*sea(hand))
        shows(page, now, CLASSIC.ink)
        page.get_by_role("button", name="Lay out again").click()
        expect(page.get_by_text("on the printed page, ")).to_be_visible()
        expect(page.get_by_role("button", name="Lay out again")).to_have_count(0)
        page.get_by_role("button", name="True map").click()
        shows(page, hand.screen(*place), CLASSIC.ink)
