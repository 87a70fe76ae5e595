"""The page of a payoff chart's check: self-contained, well-formed, the same bytes, with every cell and route."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY

import mapkit
from mapkit.drawing.words.languages import Language
from mapkit.kinds.rail.charts.payoffs.distances import great_circle
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis
from mapkit.kinds.rail.render.payoff_page.page import COLOURS, NO_AMOUNT, render_payoff_page, residual_class
from mapkit.kinds.rail.render.words import words_in

CHART = REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv"
VOID = {"meta", "input"}


class Outline(HTMLParser):
    """Collects tags, ids and links, and checks that elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.append((name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()


def outline(page: str) -> Outline:
    out = Outline()
    out.feed(page)
    assert out.open == []
    return out


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture(scope="module")
def classic() -> PayoffDiagnosis:
    return mapkit.check_payoffs(CHART, board="usa", workspace=REPOSITORY)


@pytest.fixture(scope="module")
def page(classic: PayoffDiagnosis, usa: mapkit.Board) -> str:
    return render_payoff_page(classic, board=usa)


def test_the_page_needs_nothing_from_elsewhere(page: str) -> None:
    seen = outline(page)
    assert [link for link in seen.links if not link.startswith("#")] == []
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page) == []
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert len(page.encode()) < 3_000_000


def test_ids_are_unique_and_links_lead_somewhere_without_scripts(page: str, classic: PayoffDiagnosis) -> None:
    seen = outline(page)
    assert len(seen.ids) == len(set(seen.ids))
    at = {city: k for k, city in enumerate(classic.cities)}
    flagged = [f for f in classic.findings if f.code == "P08"]
    assert len(flagged) > 20
    for finding in flagged:
        i, j = (at[city] for city in finding.elements)
        assert f"c-{i}-{j}" in seen.ids
        assert seen.links.count(f"#c-{i}-{j}") >= 1 + 2 * 2  # the list, and both halves in both orders
    assert {link[1:] for link in seen.links if link.startswith("#e")} <= set(seen.ids)


def test_every_cell_and_its_route_is_there(page: str, classic: PayoffDiagnosis) -> None:
    data = data_of(page)
    n = len(classic.cities)
    for name in ("value", "expected", "sd", "score", "slip", "suggested", "rail", "air"):
        assert len(data[name]) == n * (n - 1) // 2
    assert sum(value is not None for value in data["expected"]) == len(classic.cells) == 2209
    atlanta, casper = classic.cities.index("atlanta"), classic.cities.index("casper")
    k = atlanta * (2 * n - atlanta - 1) // 2 + casper - atlanta - 1
    assert (data["value"][k], data["suggested"][k], data["slips"][data["slip"][k]]) == (25.5, 15.5, "wrong digit")
    assert data["score"][k] > 0.99
    assert page.count("<title>Atlanta - Casper: 25.5, expected 15.4") == 2 * 3  # cell and both marks, in both orders


def test_the_order_by_region_holds_every_city_once(page: str, usa: mapkit.Board) -> None:
    orders = [list(map(int, found.split())) for found in re.findall(r'data-order="([\d ]+)"', page)]
    assert orders[0] == list(range(67))
    assert sorted(orders[1]) == orders[0]
    region = {city.id: city.region for city in usa.cities}
    regions = [region[usa.payoffs.cities[k]] for k in orders[1]]
    assert list(dict.fromkeys(regions)) == [r.id for r in usa.regions]
    assert sum(a != b for a, b in pairwise(regions)) == 6


def test_the_same_diagnosis_gives_the_same_page(classic: PayoffDiagnosis, page: str, usa: mapkit.Board) -> None:
    assert render_payoff_page(classic, board=usa) == page


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Payoff chart ", "2,209 pairs", "wrong digit", "2,617 miles by rail", "expected 15.4")),
        ("es", ("Tabla de pagos ", "2.209 parejas", "cifra equivocada", "2.617 millas por tren", "esperado 15,4")),
        (
            "pt",
            ("Tabela de pagamentos ", "2.209 pares", "algarismo errado", "2.617 milhas de comboio", "esperado 15,4"),
        ),
    ],
)
def test_the_page_speaks_a_language(
    classic: PayoffDiagnosis, usa: mapkit.Board, language: Language, said: tuple[str, ...]
) -> None:
    page = render_payoff_page(classic, board=usa, words=words_in(language))
    assert f'<html lang="{language}">' in page
    assert [text for text in said if text not in page] == []


def test_without_a_board_the_chart_alone_judges(classic: PayoffDiagnosis) -> None:
    page = render_payoff_page(classic.model_copy(update={"basis": "chart"}), words=words_in("es"))
    assert "Cada pago se juzga por todos los demás. Los demás predicen" in page
    assert '<svg class="board"' not in page


def test_names_cannot_write_into_the_page(tmp_path: Path) -> None:
    names = ["</script><script>alert(1)</script>", 'A "B" & <i>', *(f"City {k}" for k in range(10))]
    rng = np.random.default_rng(4)
    values = np.round(great_circle(rng.uniform(-90, -80, 12).tolist(), rng.uniform(30, 40, 12).tolist()) / 50) / 2 + 0.5
    values[2, 3] += 40
    values[4, 5] = values[5, 4] = np.nan
    np.fill_diagonal(values, 0)
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = [
        ",".join([q, *("" if np.isnan(v) else f"{v:g}" for v in row)]) for q, row in zip(quoted, values, strict=True)
    ]
    chart = tmp_path / "x.csv"
    chart.write_text("\n".join([",".join(["", *quoted]), *rows]), encoding="utf-8")
    out = tmp_path / "new" / "page.html"
    found = mapkit.check_payoffs(chart, out=out)
    page = out.read_text(encoding="utf-8")
    assert outline(page).open == []
    assert "alert(1)</script>" not in page.replace("&lt;/script&gt;", "")
    assert data_of(page)["names"][0] == names[0]
    assert {"P02", "P03"} <= {f.code for f in found.findings}
    assert page.count(f'class="k{NO_AMOUNT}"') >= 2


@pytest.mark.parametrize(
    ("value", "colour"), [(10.0, 4), (10.9, 4), (11.1, 5), (9.0, 4), (8.9, 3), (1.0, 0), (30.0, 8), (None, NO_AMOUNT)]
)
def test_colours_follow_residuals(value: float | None, colour: int) -> None:
    cell = JudgedCell(a="a", b="b", value=value, expected=10, sd=1, score=0, slip="", suggested=None)
    assert residual_class(cell) == colour


def test_the_scale_is_symmetric_in_lightness() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2)

    light = [lightness(colour) for colour in COLOURS]
    assert light[:5] == sorted(light[:5])
    assert light[4:] == sorted(light[4:], reverse=True)
    assert all(abs(a - b) < 0.12 for a, b in zip(light[:4], light[:4:-1], strict=True))
