"""Sheets say exactly what board and rules say, and every text keeps to its place."""

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY, Run
from defusedxml.ElementTree import fromstring
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_boards import boards
from sampling import examples
from sheet_boxes import Text, problems, texts
from tiny import tiny_board

import mapkit
from mapkit.core.errors import UnknownNameError
from mapkit.core.outputs.owners import RECORD
from mapkit.drawing.colours.colour import contrast
from mapkit.drawing.fit import FLOOR, Room, fit_text
from mapkit.drawing.inks import ink_on
from mapkit.drawing.sheet import CARD, PAPERS, Paper, Sheet
from mapkit.drawing.text_width import text_width
from mapkit.drawing.theme.theme import CLASSIC, THEMES
from mapkit.kinds.rail.model.board import SUMS, Board, City, DestinationChart, Payoffs, Railroad
from mapkit.kinds.rail.network.report import report
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.render.sheets import GROUPS, sheets
from mapkit.kinds.rail.render.sheets.chips import PLAYERS
from mapkit.kinds.rail.render.sheets.title_deeds import join_runs
from mapkit.kinds.rail.render.words import words_of
from mapkit.kinds.rail.rules.rules import Rules


@pytest.fixture(scope="module")
def usa_sheets(usa: Board) -> tuple[Sheet, ...]:
    return sheets(usa)


@pytest.fixture(scope="module", params=["mexico", "portugal"])
def other(request: pytest.FixtureRequest) -> Board:
    return mapkit.load(request.param, workspace=REPOSITORY)


def with_rules(board: Board, **changes: Any) -> Board:
    return board.model_copy(update={"rules": Rules.model_validate(changes)})


def group(board: Board, name: str, paper: Paper = "a4") -> list[Sheet]:
    return list(sheets(board, CLASSIC, paper, only=[name]))


def said(found: list[Sheet]) -> list[Text]:
    return [text for sheet in found for text in texts(sheet.svg)]


def joined(found: list[Text], *keys: str) -> dict[tuple[str, ...], str]:
    """Return the text of the groups that have these `data-` attributes, its lines joined."""
    out: dict[tuple[str, ...], str] = {}
    for text in found:
        if all(key in text.data for key in keys):
            place = tuple(text.data[key] for key in keys)
            out[place] = f"{out[place]} {text.text}" if place in out else text.text
    return out


def crowded() -> Board:
    """120 cities in one region, 60 railroads, in letters of several scripts, with names too long for any box."""
    board = tiny_board()
    places = sorted({m.id for m in board.mileposts})
    words = ("Νέα Σμύρνη", "Нижний Новгород", "東京都新宿区", "Llanfairpwllgwyngyllgogerychwyrndrobwll", "Ōmiya & <Co>")
    cities = tuple(
        City(id=f"c{n:03}", name=f"{words[n % 5]} {n}", region="west", milepost=places[n % len(places)])
        for n in range(120)
    )
    red = [p for p in board.pieces if p.railroad == "red"]
    segments = [s for s in board.segments if s.railroad == "red"]
    base = board.railroads[0]
    railroads = tuple(
        Railroad(
            id=f"r{n:02}",
            name=f"{words[n % 5]} and {words[(n + 3) % 5]} Railroad {n}",
            short=f"{words[n % 3][:4]}{n}",
            price=1_000 * n + 1,
            public=n % 7 == 0,
            style=base.style,
        )
        for n in range(60)
    )
    ids = [city.id for city in cities]
    chart = {total: ids[n] for n, total in enumerate(SUMS)}
    more = {total: ids[n + 60] for n, total in enumerate(SUMS)}
    return board.model_copy(
        update={
            "title": "Ein sehr langer Name für ein Spielbrett der Eisenbahnen von überall her und noch weiter",
            "units": board.units.model_copy(update={"currency": "CHF", "symbol": "CHF "}),
            "regions": (board.regions[0].model_copy(update={"id": "west", "name": "東北地方 " * 6}),),
            "mileposts": tuple(m.model_copy(update={"kind": "city"}) for m in board.mileposts),
            "cities": cities,
            "railroads": railroads,
            "pieces": tuple(
                p.model_copy(update={"id": f"{r.id}{p.id}", "railroad": r.id}) for r in railroads for p in red
            ),
            "segments": tuple(
                s.model_copy(
                    update={"id": f"{r.id}{s.id}", "railroad": r.id, "pieces": tuple(f"{r.id}{p}" for p in s.pieces)}
                )
                for r in railroads
                for s in segments
            ),
            "junctions": (),
            "destinations": {
                "regions": DestinationChart(odd=dict.fromkeys(SUMS, "west"), even=dict.fromkeys(SUMS, "west")),
                "west": DestinationChart(odd=dict(chart), even=dict(more)),
            },
            "payoffs": Payoffs(
                cities=tuple(ids),
                thousands=tuple(
                    tuple(None if (a + b) % 11 == 1 else (abs(a - b) * 9 % 250) / 2 for b in range(120))
                    for a in range(120)
                ),
            ),
        }
    )


def bare() -> Board:
    """A board without charts, railroads or prices to speak of."""
    board = tiny_board()
    return board.model_copy(
        update={
            "destinations": {},
            "payoffs": Payoffs(cities=(), thousands=()),
            "railroads": tuple(r.model_copy(update={"price": 0, "public": True}) for r in board.railroads),
        }
    )


def assert_in_place(found: tuple[Sheet, ...]) -> None:
    wrong = []
    for sheet in found:
        wrong += [f"{sheet.id}: {p}" for p in problems(sheet.svg, sheet.width_mm, sheet.height_mm)]
        if sheet.back is not None:
            wrong += [f"{sheet.id} back: {p}" for p in problems(sheet.back, sheet.width_mm, sheet.height_mm)]
    assert wrong == []


def assert_charts(board: Board) -> None:
    """Charts read back from the sheets are those of the board."""
    found = said(group(board, "destinations"))
    cells = joined(found, "chart", "column", "sum")
    idents = {(t.data["chart"], t.data["column"], t.data["sum"]): t.data.get("of") for t in found if "sum" in t.data}
    read: dict[str, dict[str, dict[str, str | None]]] = {}
    names = {r.id: r.name for r in board.regions} | {c.id: c.name for c in board.cities}
    for (chart, column, total), text in cells.items():
        ident = idents[chart, column, total]
        read.setdefault(chart, {"odd": {}, "even": {}})[column][total] = ident
        assert text == (names[ident] if ident else "-")
    assert read == {name: {"odd": c.odd, "even": c.even} for name, c in board.destinations.items()}
    amounts = [t for t in said(group(board, "payoffs")) if "row" in t.data]
    spots = Counter((t.data["row"], t.data["column"]) for t in amounts)
    payoffs = board.payoffs
    expected = {
        (a, b): payoffs.thousands[i][j]
        for i, a in enumerate(payoffs.cities)
        for j, b in enumerate(payoffs.cities[:i])
        if payoffs.thousands[i][j] is not None
    }
    point = words_of(board).table.numbers.point
    read_back = {(t.data["row"], t.data["column"]): float(t.text.replace(point, ".")) for t in amounts}
    assert read_back == expected
    assert set(spots.values()) == {1}


def test_text_keeps_to_its_place_on_the_classic_board(usa_sheets: tuple[Sheet, ...]) -> None:
    assert_in_place(usa_sheets)


def test_other_boards_are_drawn_as_well(other: Board) -> None:
    for paper in PAPERS:
        assert_in_place(sheets(other, CLASSIC, paper))
    assert_charts(other)


def test_charts_of_the_classic_board_read_back(usa: Board) -> None:
    assert_charts(usa)


def test_empty_cells_stay_empty(tiny: Board) -> None:
    west, rows = tiny.destinations["west"], tiny.payoffs.thousands
    board = tiny.model_copy(
        update={
            "destinations": tiny.destinations | {"west": west.model_copy(update={"odd": west.odd | {"7": None}})},
            "payoffs": tiny.payoffs.model_copy(update={"thousands": (*rows[:-1], (None,) * len(rows))}),
        }
    )
    assert_charts(board.model_copy(update={"payoffs": tiny.payoffs}))
    last = board.payoffs.cities[-1]
    drawn = {t.data["column"]: t.text for t in said(group(board, "payoffs")) if t.data.get("row") == last}
    above = {a: f"{row[-1]:g}" for a, row in zip(board.payoffs.cities, rows, strict=True) if a != last}
    assert drawn == above


def test_crowded_boards_in_any_script_have_room() -> None:
    board = crowded()
    found = sheets(board)
    assert_in_place(found)
    amounts = joined([t for s in found for t in texts(s.svg)], "row", "column")
    whole = [v for i, row in enumerate(board.payoffs.thousands) for v in row[:i] if v is not None]
    assert sorted(map(float, amounts.values())) == sorted(whole)
    deeds = [s for s in found if s.kind == "card" and s.id.startswith("deed-")]
    assert {s.id for s in deeds} == {f"deed-r{n:02}" for n in range(60)}
    assert sum("Public" in [t.text for t in texts(s.svg)] for s in deeds) == 9
    prices = joined(said([s for s in found if s.id.startswith("reference")]), "price")
    assert prices["r01",] == "CHF 1,001"
    assert len(prices) == 60


def test_boards_without_charts_have_no_sheets_of_them() -> None:
    found = sheets(bare())
    assert_in_place(found)
    assert not [s.id for s in found if s.id.startswith(("destinations", "payoffs"))]
    assert "Destinations" not in [t.text for s in found if s.id.startswith("deed") for t in texts(s.svg)]
    assert sheets(bare().model_copy(update={"railroads": (), "pieces": (), "segments": ()}))


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.too_slow])
@given(boards())
def test_text_keeps_to_its_place_on_any_board(board: Board) -> None:
    assert_in_place(sheets(board))


def test_sheets_are_what_they_say(usa_sheets: tuple[Sheet, ...]) -> None:
    assert len({s.id for s in usa_sheets}) == len(usa_sheets)
    for sheet in usa_sheets:
        root = fromstring(sheet.svg)
        assert (root.get("width"), root.get("height")) == (f"{sheet.width_mm:g}mm", f"{sheet.height_mm:g}mm")
        assert sheet.kind == ("card" if (sheet.width_mm, sheet.height_mm) == CARD else "page")
        assert (sheet.back is not None) == (sheet.kind == "card")
        families = {e.get("font-family") for e in root.iter() if e.get("font-family")}
        assert families == {root.get("font-family")}
        assert not {"style", "tspan", "image", "script"} & {e.tag.rpartition("}")[2] for e in root.iter()}


def test_the_same_board_gives_the_same_bytes(tiny: Board) -> None:
    first = sheets(tiny)
    clear_layout_cache()
    assert first == sheets(tiny_board())


def test_letter_pages_are_of_their_size(tiny: Board) -> None:
    sizes = {(s.width_mm, s.height_mm) for s in sheets(tiny, CLASSIC, "letter") if s.kind == "page"}
    assert sizes <= {(215.9, 279.4), (279.4, 215.9)}


def test_large_payoff_charts_go_over_pages_with_their_heads(usa: Board) -> None:
    pages = group(usa, "payoffs")
    names = {c.id: c.name for c in usa.cities}
    assert len(pages) == 2
    for number, sheet in enumerate(pages, 1):
        found = texts(sheet.svg)
        heads = Counter(t.text for t in found if "row" not in t.data)
        rows = {names[t.data["row"]] for t in found if "row" in t.data}
        columns = {names[t.data["column"]] for t in found if "row" in t.data}
        assert all(heads[name] == (name in rows) + 2 * (name in columns) for name in rows | columns)
        foot = "Twins, one milepost and no payoff between them: Minneapolis and St. Paul, Oakland and San Francisco."
        assert heads[f"{foot} page {number} of 2"] == 1
    assert "In thousands: 33.5 is $33,500." in [t.text for t in texts(pages[0].svg)]


def test_odds_below_charts_are_exact(tiny: Board) -> None:
    found = said(group(tiny, "destinations"))
    text = " ".join(t.text for t in found if "sum" not in t.data).replace("\u00a0", " ")
    for chart in tiny.destinations.values():
        weights: dict[str, int] = {}
        for column in (chart.odd, chart.even):
            for total, ident in column.items():
                if ident:
                    weights[ident] = weights.get(ident, 0) + 6 - abs(int(total) - 7)
        names = {r.id: r.name for r in tiny.regions} | {c.id: c.name for c in tiny.cities}
        for ident, weight in weights.items():
            assert f"{names[ident]} {Fraction(weight, 72)}" in text


def test_deeds_say_what_the_report_says(usa: Board) -> None:
    deeds = {s.id.removeprefix("deed-"): texts(s.svg) for s in group(usa, "deeds")}
    names = {c.id: c.name for c in usa.cities}
    short = {r.id: r.short for r in usa.railroads}
    rows = {row.railroad: row for row in report(usa).railroads}
    assert deeds.keys() == rows.keys()
    for ident, row in rows.items():
        found = deeds[ident]
        lines = [t.text for t in found]
        assert joined(found, "price") == {(ident,): f"${row.price:,}"}
        assert joined(found, "name") == {(ident,): row.name}
        assert lines[lines.index("Half price") + 1] == f"${row.price // 2:,}"
        assert lines[lines.index("Destinations") + 1] == f"{row.service:.1f} %"
        assert lines[lines.index("By it alone") + 1] == f"{row.monopoly:.1f} %"
        start, end = next(n for n, t in enumerate(lines) if t.startswith("Serves ")), lines.index("Meets")
        assert sorted(" ".join(lines[start + 1 : end]).split(", ")) == sorted(names[c] for c in row.cities)
        assert sorted(" ".join(lines[end + 1 :]).split(", ")) == sorted(short[r] for r in row.connects)


def test_deeds_take_shares_from_the_rules(tiny: Board) -> None:
    board = with_rules(tiny, auction={"sell_back_percent": 40, "opening_percent": 75})
    deed = next(s for s in group(board, "deeds") if s.id == "deed-red")
    lines = [t.text for t in texts(deed.svg)]
    price = next(r.price for r in board.railroads if r.id == "red")
    assert lines[lines.index("Bank pays") + 1] == f"${price * 40 // 100:,}"
    assert lines[lines.index("First bid") + 1] == f"${price * 75 // 100:,}"
    assert "Half price" not in lines


def test_a_deed_has_its_own_map(usa: Board) -> None:
    colours = {r.id: r.style.colour for r in usa.railroads}
    for deed in group(usa, "deeds"):
        root = fromstring(deed.svg)
        (little,) = [e for e in root.iter() if e.get("class") == "little-map"]
        strokes = {e.get("stroke") for e in little.iter() if e.get("stroke")}
        assert strokes & set(colours.values()) == {colours[deed.id.removeprefix("deed-")]}


def test_engines_follow_the_rules(tiny: Board) -> None:
    assert Counter(s.id.split("-")[1] for s in group(tiny, "engines")) == {"express": 6, "superchief": 6}
    board = with_rules(tiny, preset="ici", options={"superchief_by_players": True}, purchase={"express_price": 5_000})
    found = group(board, "engines")
    assert Counter(s.id.split("-")[1] for s in found)["freight"] == 6
    express = next(texts(s.svg) for s in found if s.id == "engine-express-1")
    assert joined(express, "price") == {("express",): "$5,000"}
    lines = [t.text for s in found if s.id == "engine-superchief-1" for t in texts(s.svg)]
    table = [lines[n + 1] for n, line in enumerate(lines) if line.endswith(" players")]
    assert table == [f"${board.rules.superchief_price(n):,}" for n in range(2, 7)]


def test_each_engine_card_is_of_a_pawns_colour(tiny: Board) -> None:
    """RB-P15: six cards of a kind differ by colour and number; a seventh belongs to no pawn."""
    cards = {s.id: s.svg for s in group(with_rules(tiny, setup={"engine_titles": 7}), "engines")}
    for engine in ("express", "superchief"):
        assert len({cards[f"engine-{engine}-{n}"] for n in range(1, 8)}) == 7
        for n, colour in enumerate(PLAYERS, 1):
            found = texts(cards[f"engine-{engine}-{n}"])
            assert colour in cards[f"engine-{engine}-{n}"]
            assert str(n) in [t.text for t in found]
        assert not any(colour in cards[f"engine-{engine}-7"] for colour in PLAYERS)


def test_fees_to_the_bank_are_one_line_where_they_are_one_sum(tiny: Board) -> None:
    def costs(own: int) -> dict[str, str]:
        (sheet,) = group(with_rules(tiny, fees={"own": own}), "reference")
        rows = {e.get("data-label") or "": e.get("data-value") or "" for e in fromstring(sheet.svg).iter()}
        return {label: value for label, value in rows.items() if "own" in label or "bank's" in label or "both" in label}

    assert costs(1_000) == {"A turn on the bank's railroads, your own, or both": "$1,000"}
    assert costs(0) == {"A turn on the bank's railroads": "$1,000", "On your own": "free"}
    assert costs(500) == {
        "A turn on the bank's railroads": "$1,000",
        "On your own": "$500",
        "On both, the larger": "$1,000",
    }


def test_the_reference_sheet_follows_board_and_rules(usa: Board) -> None:
    board = with_rules(usa, preset="ici", fees={"bank": 1_500}, winning={"cash": 123_000})
    (sheet,) = group(board, "reference")
    root = fromstring(sheet.svg)
    facts = {e.get("data-label"): e.get("data-value") or "" for e in root.iter() if e.get("class") == "fact"}
    assert facts["A turn on the bank's railroads"] == "$1,500"
    assert facts["On your own"] == "free"
    assert facts["To declare and win"] == "$123,000"
    assert facts["Express, $4,000"] == "bonus on any double"
    shown = {label: " ".join(t.text for t in texts(sheet.svg) if t.data.get("label") == label) for label in facts}
    assert shown == {label: f"{label} {value}".strip() for label, value in facts.items()}
    prices = joined(texts(sheet.svg), "price")
    in_order = sorted(board.railroads, key=lambda r: r.name.casefold())
    assert list(prices.items()) == [((r.id,), f"${r.price:,}") for r in in_order]


@pytest.mark.parametrize("preset", ["ah", "ici", "ah-faq"])
def test_rule_pages_hold_every_word_of_the_rule_sheet(usa: Board, preset: str) -> None:
    board = with_rules(usa, preset=preset)
    words = make_rule_sheet(board.rules, board=board)
    found = said(group(board, "rules"))
    points = joined([t for t in found if t.text != "•"], "section", "point")
    assert points == {
        (str(at), str(n)): point for at, section in enumerate(words.sections) for n, point in enumerate(section.points)
    }
    heads = [t.text for t in found if "section" in t.data and "point" not in t.data]
    assert heads == [section.title for section in words.sections]


def test_pads_list_every_railroad(usa: Board) -> None:
    for sheet, count in zip(group(usa, "pads"), (2, 4), strict=True):
        found = Counter(t.text for t in texts(sheet.svg))
        assert {r.short: found[r.short] for r in usa.railroads} == {r.short: count for r in usa.railroads}
        assert found["Home city"] == found["Destination"] == found["Payoff"] == count


def test_chips_are_for_as_many_players_as_may_play(tiny: Board) -> None:
    board = with_rules(tiny, setup={"max_players": 4})
    found = Counter(t.text for t in said(group(board, "chips")))
    assert (found["Pawn"], found["Departure"], found["Destination"], found["4"], found["5"]) == (4, 4, 4, 3, 0)


def test_only_some_groups(tiny: Board) -> None:
    assert [s.id for s in sheets(tiny, only=["pads", "reference"])] == ["reference", "pad-2", "pad-4"]
    with pytest.raises(UnknownNameError, match="did you mean 'deeds'"):
        sheets(tiny, only=["deed"])
    groups = ["reference", "rules", "destinations", "payoffs", "deeds", "engines", "chips", "pads", "money"]
    assert list(GROUPS) == groups


def test_the_command_writes_files_and_lists_them(
    example: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(example.parent.parent)
    done = run("sheets", "example", "--only", "payoffs,deeds", "--paper", "letter", "--out", tmp_path / "out")
    assert done.code == 0
    listed = json.loads((tmp_path / "out" / "sheets.json").read_text(encoding="utf-8"))
    on_disk = {p.name for p in (tmp_path / "out").iterdir()} - {RECORD}
    assert on_disk == {r["file"] for r in listed} | {r["back"] for r in listed if r["back"]} | {"sheets.json"}
    assert all(row["file"] in done.out for row in listed)
    assert {(r["width_mm"], r["height_mm"]) for r in listed if r["kind"] == "card"} == {CARD}
    assert "back-deed.svg" in on_disk
    board = mapkit.load("example")
    assert len([r for r in listed if r["id"].startswith("deed-")]) == len(board.railroads)


def test_the_command_goes_to_a_folder_of_the_board(example: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = example.parent.parent
    monkeypatch.chdir(root)
    assert run("sheets", "example", "--only", "reference", "--variant", "own-track-free", "--json").code == 0
    text = (root / "sheets" / "example+own-track-free" / "reference.svg").read_text(encoding="utf-8")
    assert 'data-label="On your own" data-value="free"' in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "deed"), "no group of sheets is called 'deed' (did you mean 'deeds'?)"),
        (("--paper", "a3"), "no paper is called 'a3'"),
        (("--theme", "clasic"), "no theme is named 'clasic' (did you mean 'classic'?)"),
    ],
)
def test_what_is_not_there_is_named(example: Path, run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("sheets", "example", "--workspace", example.parent.parent, *arguments)
    assert done.code == 2
    assert message in done.err
    assert not (example.parent.parent / "sheets").exists()


def test_the_judge_of_boxes_sees_what_is_wrong(tiny: Board) -> None:
    """What `problems` is for: it says nothing only where nothing is wrong."""
    svg = next(s.svg for s in sheets(tiny, only=["reference"]))
    assert problems(svg, 210, 297) == []
    assert problems(svg, 100, 297)
    assert any(" is over " in p for p in problems(svg.replace("</svg>", _OVER + "</svg>"), 210, 297))
    small = re.sub(r'font-size="7\.\d+"', 'font-size="1.9"', svg)
    assert problems(small, 210, 297) == ["'Reference' is of 1.9 mm"]


_OVER = '<text x="12" y="17" font-size="4">Reference</text>'


@given(st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}"))
def test_text_on_any_colour_has_contrast(fill: str) -> None:
    assert contrast(ink_on(fill), fill) >= 4.5


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=60), st.integers(3, 90))
def test_fitted_text_is_in_its_room(text: str, width: int) -> None:
    room = Room(float(width), 9.0, 2)
    fitted = fit_text(text, room, 4.0, bold=True)
    assert FLOOR - 0.01 <= fitted.size <= 4.0
    assert fitted.height <= room.height + 0.01
    assert all(text_width(line, fitted.size, bold=True) <= width + 0.01 for line in fitted.lines if len(line) > 2)
    if not fitted.lines or not fitted.lines[-1].endswith("…"):
        assert "".join(fitted.lines).replace(" ", "") == "".join(text.split(" "))


def test_a_little_map_draws_a_railroad_as_runs_in_a_fine_line(usa: Board) -> None:
    """Patterns run on through mileposts; only where three lines meet do they begin anew."""
    one, two, three = (np.array(line, dtype=float) for line in ([(0, 0), (5, 0)], [(5, 0), (9, 1)], [(9, 1), (9, 9)]))
    assert len(join_runs([one, two, three])) == 1
    assert len(join_runs([one, two, three, np.array([(5.0, 0.0), (5.0, 5.0)])])) == 3
    assert join_runs([]) == []
    deed = next(s.svg for s in sheets(usa, only=["deeds"]) if s.id == "deed-pa")
    own = deed[deed.index('class="little-map"') :]
    track = own[own.index('class="track"') :]
    track = track[: track.index("</g>")]
    assert 'stroke-width="0.39"' in track  # the saw of a line of 0.7 mm
    assert track.count("<path") < len([p for p in usa.pieces if p.railroad == "pa"])


def test_sheets_for_a_black_and_white_printer_have_no_colours() -> None:
    """Chips, engine cards and paper money too, whose colours no theme states; their texts tell them apart."""
    for only in ((), ("money",)):
        for sheet in sheets(tiny_board(), THEMES["print"], only=only):
            used = set(re.findall("#[0-9a-f]{6}", sheet.svg + (sheet.back or "")))
            assert {c for c in used if not c[1:3] == c[3:5] == c[5:7]} == set(), sheet.id
