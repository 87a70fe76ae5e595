"""The report as a page: exact against report, route and charts; nothing from elsewhere; nothing slips out of a text."""

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Run

import mapkit
from mapkit.core.findings import Finding, Place, Severity
from mapkit.drawing.words.language import find_language
from mapkit.kinds.rail.model.board import SUMS, Board, DestinationChart, Payoffs
from mapkit.kinds.rail.model.network import Origin, TraceNote
from mapkit.kinds.rail.network.destination_chances import calculate_city_chances
from mapkit.kinds.rail.network.service import mileposts_by_railroad
from mapkit.kinds.rail.render.layout import clear_layout_cache, lay_out
from mapkit.kinds.rail.render.report_page import pictures, render_report_page
from mapkit.kinds.rail.render.report_page.data import collect_report_data
from mapkit.kinds.rail.render.report_page.drawing_pictures import draw_drawing_pictures
from mapkit.kinds.rail.render.words import in_language, words_in

VOID = {"meta", "input", "br", "link"}
NASTY = '</script><img src=x onerror=alert(1)> & "Quote" \'s <b>'


class Seen(HTMLParser):
    """Checks that elements are closed in order; collects ids, links, attributes and the cells of tables."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.names: list[tuple[str, str]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.starts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.starts.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.names += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag == "table":
            self.tables[dict(attrs).get("id") or ""] = []
        elif tag == "tr":
            list(self.tables.values())[-1].append([])
        elif tag in ("td", "th"):
            list(self.tables.values())[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            list(self.tables.values())[-1][-1][-1] += data


def seen(page: str) -> Seen:
    out = Seen()
    out.feed(page)
    out.close()
    assert out.open == []
    return out


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="ui-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def page_of(board: Board) -> str:
    return render_report_page(board, mapkit.report(board), mapkit.check(board))


@pytest.fixture(scope="module")
def page(usa: Board) -> str:
    return page_of(usa)


def test_the_policy_allows_only_the_page_s_own_script_and_style(page: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert found is not None
    policy = dict(part.strip().split(" ", 1) for part in found[1].split(";"))

    def hashes(pattern: str) -> list[str]:
        texts = re.findall(pattern, page, re.DOTALL)
        return [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts]

    assert policy == {
        "default-src": "'none'",
        "style-src": hashes(r"<style>(.*?)</style>")[0],
        "script-src": hashes(r"<script>(.*?)</script>")[0],
        "font-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert page.count("<style") == 1
    assert page.count("<script") == 2  # the other holds data
    assert '<script>"use strict";' in page


def test_the_page_needs_nothing_from_elsewhere(page: str) -> None:
    tags = seen(page)
    links = [value for name, value in tags.names if name in ("href", "src", "xlink:href", "srcset", "action")]
    assert links
    assert [link for link in links if not link.startswith("#")] == []
    assert [name for name, _ in tags.names if name == "style" or name.startswith("on")] == []
    assert re.findall(r"https?://(?!www\.w3\.org/)", page) == []
    assert re.findall(r"@import|url\((?!#|data:font/woff2;base64,)", page) == []
    assert len(page.encode()) < 3_000_000


def test_ids_are_unique_and_every_link_leads_somewhere(page: str) -> None:
    tags = seen(page)
    assert len(tags.ids) == len(set(tags.ids))
    targets = {value[1:] for name, value in tags.names if name == "href"}
    assert targets - set(tags.ids) == set()
    for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
        wanted = {word for key, value in tags.names if key == name for word in value.split()}
        assert wanted - set(tags.ids) == set()


def test_the_tables_say_what_the_report_says(page: str, usa: Board) -> None:
    report = mapkit.report(usa)
    tables = seen(page).tables
    short = {r.id: r.short for r in usa.railroads}
    mileposts = mileposts_by_railroad(usa)
    rows = tables["ui-railroads-table"][1:]
    for cells, row in zip(rows, report.railroads, strict=True):
        miles = sum(piece.miles for piece in usa.pieces if piece.railroad == row.railroad)
        assert cells[:8] == [
            row.short,
            row.name,
            f"${row.price:,}",
            str(len(row.cities)),
            str(len(mileposts[row.railroad])),
            f"{miles:,.0f}",
            f"{row.service:.2f}",
            f"{row.monopoly:.2f}",
        ]
        assert cells[9:] == [f"{row.service_per_thousand:.3f}", str(len(row.connects))]
    for name, combinations in (("ui-pairs", report.pairs), ("ui-triples", report.triples)):
        shown_rows = [
            [" + ".join(short[r] for r in c.railroads), f"${c.price:,}", f"{c.access:.2f}", f"{c.monopoly:.2f}"]
            for c in combinations
        ]
        assert tables[name][1:] == shown_rows
    regions = {r.id: r.name for r in usa.regions}
    for cells, city in zip(tables["ui-cities-table"][1:], report.cities, strict=True):
        served = " ".join(short[r] for r in city.railroads)
        assert cells == [
            city.name,
            regions[city.region],
            f"{city.chance:.3f}",
            "",
            str(len(city.railroads)),
            served,
        ]


def test_the_destination_charts_are_those_of_the_board(page: str, usa: Board) -> None:
    names = {r.id: r.name for r in usa.regions} | {c.id: c.name for c in usa.cities}
    rows = [
        [[unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
         for row in re.findall(r"<tr>(.*?)</tr>", table)[1:]]
        for table in re.findall(r'<table class="chart">(.*?)</table>', page, re.DOTALL)
    ]  # fmt: skip
    charts = [usa.destinations[key] for key in ("regions", *(r.id for r in usa.regions))]
    assert rows == [
        [[total, names[chart.odd[total] or ""], names[chart.even[total] or ""]] for total in SUMS] for chart in charts
    ]


def test_the_data_are_those_of_the_board_at_the_places_of_its_layout(page: str, usa: Board) -> None:
    data = data_of(page)
    layout = lay_out(usa)
    assert [m["id"] for m in data["mileposts"]] == [m.id for m in usa.mileposts]
    for sent in data["mileposts"]:
        assert (sent["x"], sent["y"]) == pytest.approx(layout.spots[sent["id"]], abs=0.0051)
    chances = calculate_city_chances(usa)
    for sent in data["cities"]:
        assert (sent["x"], sent["y"]) == pytest.approx(layout.squares[sent["id"]], abs=0.0051)
        assert sent["chance"] == pytest.approx(float(chances[sent["id"]] * 100), abs=5e-5)
    row = {city: k for k, city in enumerate(usa.payoffs.cities)}
    ids = [c["id"] for c in data["cities"]]
    assert data["payoffs"] == [[usa.payoffs.thousands[row[a]][row[b]] for b in ids] for a in ids]
    assert sum(s["miles"] for s in data["segments"]) == round(sum(s.miles for s in usa.segments) * 100)


def test_the_places_are_the_drawn_ones_when_mileposts_are_moved(tiny: Board) -> None:
    """A milepost's own x and y are where it was projected; the picture may have moved it."""
    layout = lay_out(tiny)
    moved = {ident: (x + 7.0, y - 3.0) for ident, (x, y) in layout.spots.items()}
    other = type(layout)(**{**vars(layout), "spots": moved})
    data = collect_report_data(other, mapkit.report(tiny), mapkit.check(tiny).findings)
    for sent in data.mileposts:
        assert (sent.x, sent.y) == pytest.approx(moved[sent.id], abs=0.0051)


def test_each_finding_has_its_place(usa: Board, page: str) -> None:
    found = mapkit.check(usa).findings
    listed = data_of(page)["findings"]
    assert len(listed) == len(found) == page.count('<li class="finding ')
    layout = lay_out(usa)
    k = next(k for k, f in enumerate(found) if f.code == "N11" and "miami" in f.elements)
    ((x, y),) = listed[k]["points"]
    assert (x, y) == pytest.approx(layout.squares["miami"], abs=0.0051)
    assert [usa.railroads[r].id for r in listed[k]["railroads"]] == ["sal"]
    assert f'href="#c-miami" data-finding="{k}"' in page


def test_names_cannot_write_into_the_page(tiny: Board) -> None:
    nasty = tiny.model_copy(
        update={
            "title": NASTY,
            "mileposts": tuple(m.model_copy(update={"name": NASTY + m.id}) for m in tiny.mileposts),
            "cities": tuple(c.model_copy(update={"name": NASTY + c.id}) for c in tiny.cities),
            "regions": tuple(r.model_copy(update={"name": NASTY, "short": NASTY}) for r in tiny.regions),
            "railroads": tuple(r.model_copy(update={"name": NASTY, "short": NASTY + r.id}) for r in tiny.railroads),
            "units": tiny.units.model_copy(update={"symbol": "<"}),
            "provenance": tiny.provenance.model_copy(update={"credits": (NASTY,), "licence": NASTY}),
        }
    )
    page = page_of(nasty)
    tags = seen(page)
    assert "img" not in tags.starts
    assert "onerror" not in {name for name, _ in tags.names}
    assert tags.starts.count("script") == 2
    data = data_of(page)
    assert data["title"] == NASTY
    assert data["mileposts"][0]["name"] == NASTY + tiny.mileposts[0].id
    assert tags.tables["ui-railroads-table"][1][1] == NASTY
    assert sorted(row[0] for row in tags.tables["ui-cities-table"][1:]) == sorted(NASTY + c.id for c in tiny.cities)


def test_the_same_board_gives_the_same_page(tiny: Board) -> None:
    first = page_of(tiny)
    clear_layout_cache()
    assert first == page_of(tiny)


def without(board: Board, **changes: object) -> Board:
    return board.model_copy(update=changes)


def bare(board: Board) -> Board:
    """The board without charts: no odds, no payoffs."""
    empty: dict[str, str | None] = dict.fromkeys(SUMS)
    charts = {key: DestinationChart(odd=dict(empty), even=dict(empty)) for key in board.destinations}
    return without(board, destinations=charts, payoffs=Payoffs(cities=(), thousands=()))


def test_a_board_without_charts_has_a_page_without_odds_and_payoffs(tiny: Board) -> None:
    tags = seen(page := page_of(bare(tiny)))
    assert {"ui-odds", "ui-payoffs", "ui-heat"} & set(tags.ids) == set()
    assert {"ui-map", "ui-railroads", "ui-cities", "ui-charts", "ui-findings"} <= set(tags.ids)
    assert data_of(page)["payoffs"] == []
    assert '<a href="#ui-payoffs">' not in page


def test_a_board_with_one_city_has_a_page(tiny: Board) -> None:
    one = without(
        bare(tiny),
        cities=tiny.cities[:1],
        payoffs=Payoffs(cities=("ash",), thousands=((0.0,),)),
    )
    tags = seen(page := page_of(one))
    assert [row[0] for row in tags.tables["ui-cities-table"][1:]] == ["Ash"]
    assert [c["id"] for c in data_of(page)["cities"]] == ["ash"]


def test_a_board_with_nothing_on_it_has_a_page(tiny: Board) -> None:
    nothing = without(
        bare(tiny), regions=(), mileposts=(), cities=(), railroads=(), junctions=(), pieces=(), segments=()
    )
    nothing = without(nothing, destinations={"regions": nothing.destinations["regions"]})
    tags = seen(page := page_of(nothing))
    assert "ui-railroads" not in tags.ids
    assert data_of(page)["mileposts"] == []
    assert "0 railroads, 0 cities in 0 regions, 0 mileposts, 0 segments" in page


def test_the_histogram_counts_trips_by_their_chance() -> None:
    payoffs: list[list[float | None]] = [[0.0, 2.0, 4.5], [2.0, 0.0, None], [4.5, None, 0.0]]
    found = pictures.count_trips_by_payoff(payoffs, [0.5, 0.25, 0.25])
    # trips 0-1 and 0-2 have weight 0.125 each way, 1-2 has 0.0625 each way and no amount
    assert found == pictures.Histogram(1, (0.0, 0.0, 50.0, 0.0, 50.0), 3.25, 0.8)
    assert pictures.count_trips_by_payoff(payoffs, [0.0, 0.0, 0.0]).known == pytest.approx(4 / 6, abs=1e-6)
    assert pictures.count_trips_by_payoff([[0.0]], [1.0]).shares == ()


def test_the_mean_payoff_is_that_of_the_charts(usa: Board, page: str) -> None:
    chances = {c: float(p) for c, p in calculate_city_chances(usa).items()}
    row = {city: k for k, city in enumerate(usa.payoffs.cities)}
    trips = [
        (chances[a] * chances[b], usa.payoffs.thousands[row[a]][row[b]] or 0.0) for a, b in product(row, row) if a != b
    ]
    mean = sum(w * v for w, v in trips) / sum(w for w, _ in trips)
    assert f"${mean * 1000:,.0f} on average" in page


def test_heat_colours_are_equal_steps() -> None:
    assert [pictures.payoff_class(v, 35.0) for v in (0.0, 4.9, 5.0, 29.9, 30.0, 35.0, None)] == [0, 0, 1, 5, 6, 6, -1]
    assert pictures.payoff_class(0.0, 0.0) == 0


def test_every_cell_of_the_heat_map_is_painted_once(usa: Board, page: str) -> None:
    heat = re.search(r'<svg id="ui-heat".*?</svg>', page, re.DOTALL)
    assert heat is not None
    painted: dict[tuple[int, int], int] = {}
    for colour, d in re.findall(r'<path class="heat-(\d)" d="([^"]+)"', heat[0]):
        for x, y, w in re.findall(r"M(\d+) (\d+)h(\d+)v10h-\d+z", d):
            for c in range(int(x) // 10, (int(x) + int(w)) // 10):
                assert painted.setdefault((int(y) // 10, c), int(colour)) == int(colour)
    order, groups = pictures.order_by_region(usa, words_in("en"))
    assert [name for name, _ in groups] == [r.name for r in usa.regions]
    row = {city: k for k, city in enumerate(usa.payoffs.cities)}
    at = [row[usa.cities[k].id] for k in order]
    values = usa.payoffs.thousands
    most = max(v for line in values for v in line if v is not None)
    wanted = {
        (r, c): pictures.payoff_class(values[i][j], most)
        for (r, i), (c, j) in product(enumerate(at), enumerate(at))
        if i != j and values[i][j] is not None
    }
    assert painted == wanted


def test_the_page_says_what_was_read_from_drawings_left_out_and_repaired(tiny: Board) -> None:
    first, second = sorted(tiny.segments, key=lambda segment: segment.id)[:2]
    origins = {
        first.id: Origin(how="traced", file="lines/a.csv", row=2, feature="drawings/a.svg#1"),
        second.id: Origin(how="traced", file="lines/b.csv", row=2, feature="drawings/a.svg#2"),
    }
    notes = (
        TraceNote(kind="left out", message="drawings/a.svg: 3 shapes; left out <b>", feature="drawings/a.svg"),
        TraceNote(
            kind="repair", message="drawings/b.svg#1: repaired: spike, 2.00 miles long", feature="drawings/b.svg#1"
        ),
        TraceNote(kind="spacing", message="milepost 1 has no free name"),
        TraceNote(kind="position", message="Boston is far off", feature="cities.csv#boston"),
    )
    provenance = tiny.provenance.model_copy(update={"elements": {"segments": origins}, "notes": notes})
    board = tiny.model_copy(update={"provenance": provenance})
    text = render_report_page(board, mapkit.report(board), mapkit.check(board))
    short = {railroad.id: railroad.short for railroad in board.railroads}
    owners = " ".join(short[railroad] for railroad in sorted({first.railroad, second.railroad}))
    assert seen(text).tables["ui-drawings-table"][1:] == [
        ["drawings/a.svg", "2", "2", owners, "1", "0", "0"],
        ["drawings/b.svg", "0", "0", "", "0", "1", "0"],
    ]
    listed = re.findall(r'<details class="notes"><summary>(.*?)</summary><ul lang="en">(.*?)</ul>', text)
    assert listed == [
        ("Left out: 1 note", "<li>drawings/a.svg: 3 shapes; left out &lt;b&gt;</li>"),
        ("Repaired: 1 note", "<li>drawings/b.svg#1: repaired: spike, 2.00 miles long</li>"),
        ("In doubt: 1 note", "<li>milepost 1 has no free name</li>"),
    ]
    assert f"<code>mapkit undo {board.id}</code>" in text
    assert "ui-drawings" not in render_report_page(tiny, mapkit.report(tiny), mapkit.check(tiny))


def test_the_command_writes_the_page(usa: Board, page: str, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "new" / "usa.html"
    done = run("report", "usa", "--html", out, "--workspace", REPOSITORY)
    assert (done.code, done.out) == (0, f"{out}\n")
    assert "needs no network" in done.err
    assert out.read_text(encoding="utf-8") == page
    summary = json.loads(run("report", "usa", "--html", out, "--json", "--workspace", REPOSITORY).out)
    assert summary == {
        "board": "usa", "variants": [], "file": str(out), "bytes": out.stat().st_size,
        "findings": dict(Counter(f.severity.value for f in mapkit.check(usa).findings)),
    }  # fmt: skip


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, run: Run) -> None:
    done = run("report", "usa", "--html", tmp_path / "usa.txt", "--workspace", REPOSITORY)
    assert done.code == 1
    assert "ends in .html" in done.err
    done = run("report", "usa", "--html", tmp_path / "usa.html", "--railroads", "PA", "--workspace", REPOSITORY)
    assert done.code == 2
    assert "--railroads" in done.err
    done = run("report", "usa", "--language", "es", "--workspace", REPOSITORY)
    assert (done.code, "give --html FILE too" in done.err) == (2, True)
    done = run("report", "usa", "--html", tmp_path / "usa.html", "--language", "sp", "--workspace", REPOSITORY)
    assert (done.code, "languages are en, es, es-MX, pt, pt-BR" in done.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("language", ["es", "pt"])
def test_words_and_figures_of_a_page_are_in_its_language(tiny: Board, language: str) -> None:
    """What a reader sees or hears has no English text of the page's own groups; data of the board may."""
    page = page_of(in_language(tiny, language))
    data = data_of(page)
    english, other = words_in("en").texts, words_in(find_language(language) or "en").texts
    groups = ("report", "map", "severity", "destinations")
    foreign = {
        text for name, text in english.items()
        if name.partition(".")[0] in groups and isinstance(text, str) and text not in other.values() and "{" not in text
    }  # fmt: skip
    shown = re.sub(r"<(script|style|svg id=.ui-board).*?</(script|style|svg)>", "", page, flags=re.DOTALL)
    texts = {unescape(text).strip() for text in re.findall(r">([^<]+)<", shown)}
    texts |= {unescape(text) for text in re.findall(r'(?:aria-label|title|aria-roledescription)="([^"]+)"', shown)}
    assert sorted(texts & foreign) == []
    assert f'<html lang="{language}">' in page
    assert data["words"]["texts"]["map.miles"] == [other["map.miles"].one, other["map.miles"].other]  # type: ignore[union-attr]
    assert seen(page).tables["ui-railroads-table"][1][6] == f"{mapkit.report(tiny).railroads[0].service:.2f}".replace(
        ".", ","
    )


def test_a_finding_about_a_drawing_has_a_picture_of_its_place(tmp_path: Path) -> None:
    """The line that is not painted is dashed, over the part of the drawing around it."""
    (tmp_path / "drawings").mkdir()
    (tmp_path / "drawings" / "in.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><g fill="none" stroke="red">'
        '<path d="M0 100H400"/><path stroke="none" d="M100 50V150"/></g></svg>',
        encoding="utf-8",
    )
    message = "drawings/in.svg: not painted (no stroke, width or opacity), left out: path[2]"
    findings = [
        Finding(code="G02", severity=Severity.WARNING, elements=("x",), place=Place(file=file), message=message)
        for file in ("drawings/in.svg", "drawings/gone.svg", "cities.csv")
    ]
    picture = draw_drawing_pictures(findings, tmp_path)[message]
    assert re.findall('<path d="([^"]*)"', picture) == ["M0.0 150.0L133.3 150.0", "M66.7 66.7L66.7 233.3"]
    assert 'width="133" height="300"' in picture
