"""Every kind of page that mapkit writes: axe finds no fault in light and dark, it fits a phone, and it prints."""

import csv
import io
import re
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import Opened
from conftest import REPOSITORY
from optional import pdftotext
from playwright.sync_api import Page
from sampling import sample

import mapkit

KINDS = ("report", "web", "payoffs", "rules", "match", "study")
PRINTABLE = {"A4": 703, "Letter": 725}
"""Width of the paper less margins of 12 mm, in CSS pixels."""

CUT_OFF = """() => [...document.querySelectorAll('header, main, footer, table, svg, figure, section, p, li')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.unseen, svg svg, #ui-map svg *'))
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
  .map((e) => e.outerHTML.slice(0, 100))"""
COLOURS = """() => ['html', 'body', 'h2', 'td, li'].map((what) => {
  const style = getComputedStyle(document.querySelector(what));
  return [what, style.backgroundColor, style.color];
})"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, in Portuguese; the payoff chart has an amount that cannot be right."""
    folder = tmp_path_factory.mktemp("pages")
    out = {kind: folder / f"{kind}.html" for kind in KINDS}
    board = mapkit.load("portugal", workspace=REPOSITORY)
    mapkit.report_page(board, out=out["report"])
    mapkit.export(board, to="web", out=folder / "web")
    out["web"] = folder / "web" / "index.html"
    mapkit.rules_sheet("portugal", out=out["rules"], workspace=REPOSITORY)
    tested = mapkit.playtest(
        "portugal", mapkit.PlayTest(policies=("balanced",), matches=3, workers=1, anyway=True), workspace=REPOSITORY
    )
    mapkit.write_study(tested, html=out["study"])
    rows = list(csv.reader((REPOSITORY / "build/portugal/payoffs.csv").read_text(encoding="utf-8").splitlines()))
    rows[3][20] = rows[20][3] = "1"
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    chart = folder / "chart.csv"
    chart.write_text(text.getvalue(), encoding="utf-8")
    mapkit.check_payoffs(chart, board="portugal", out=out["payoffs"], workspace=REPOSITORY)
    show = mapkit.Shown(html=out["match"])
    mapkit.replay("portugal", mapkit.PlayTest(seed=3), show=show, workspace=REPOSITORY)
    return out


def busy(page: Page, kind: str) -> None:
    """Have it show what it shows only when asked."""
    if kind == "report":
        page.select_option("#ui-from", "lisboa")
        page.select_option("#ui-to", "faro")
        page.locator("#ui-railroads-table tbody a").first.click()
        page.fill("#ui-find", "a")
    elif kind == "web":
        page.select_option("#ui-from", "lisboa")
        page.select_option("#ui-to", "faro")
        page.click("#ui-dice")
        assert page.inner_text("#ui-fees h3") == "Taxas desta rota"
    elif kind == "payoffs":
        page.locator(".heat").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.inner_text("#p-name") == "Porto \u2013 Braga"
        assert page.inner_text("#said").startswith("Porto \u2013 Braga: 2,5 mil, esperado ")
    elif kind == "match":
        page.keyboard.press("End")
        assert page.inner_text("#ui-said").startswith("Jogador ")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("kind", sample(list(KINDS), 2))
def test_axe_finds_no_fault(opened: Opened, pages: dict[str, Path], kind: str, dark: bool) -> None:  # noqa: FBT001
    with opened(pages[kind], dark=dark) as page:
        busy(page, kind)
        found = Axe().run(page).response["violations"]
        assert [(v["id"], v["impact"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found] == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_fits_a_phone(opened: Opened, pages: dict[str, Path], kind: str) -> None:
    with opened(pages[kind], width=390) as page:
        busy(page, kind)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("paper", PRINTABLE)
@pytest.mark.parametrize("kind", sample(list(KINDS), 2))
def test_on_paper_nothing_is_cut_off_and_the_ground_is_white(
    opened: Opened, pages: dict[str, Path], kind: str, paper: Literal["A4", "Letter"]
) -> None:
    with opened(pages[kind], width=PRINTABLE[paper], dark=True) as page:
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(CUT_OFF) == []
        for what, ground, ink in page.evaluate(COLOURS):
            assert ground in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), what
            assert max(map(int, re.findall(r"\d+", ink)[:3])) < 150, what
        # heads that sort and marks of pairs are buttons that look like text
        controls = "button:not(.sort, .show):visible, input:not(.order):visible, select:visible, .panel:visible"
        assert page.locator(controls).count() == 0


def test_heads_of_tables_stand_on_every_page(opened: Opened, pages: dict[str, Path], tmp_path: Path) -> None:
    printed = tmp_path / "report.pdf"
    with opened(pages["report"]) as page:
        page.pdf(path=printed, format="A4")
    text = subprocess.run(
        [pdftotext(), "-layout", str(printed), "-"], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    sheets = text.stdout.split("\f")
    with_rows = [
        k for k, sheet in enumerate(sheets) if re.search(r"^ *(Faro|Miranda do Douro) .*\d,\d{3}", sheet, re.MULTILINE)
    ]
    assert len(with_rows) == 2
    for k in with_rows:
        assert re.search(r"Cidade +Região +Probabilidade %.* +Companhias +Servida por", sheets[k])


def test_search_knows_letters_without_their_accents(opened: Opened, pages: dict[str, Path]) -> None:
    with opened(pages["report"]) as page:
        page.fill("#ui-find", "evora")
        page.keyboard.press("Enter")
        assert page.inner_text("#ui-detail h3") == "Évora"


def test_figures_and_names_are_in_the_language(opened: Opened, pages: dict[str, Path]) -> None:
    with opened(pages["report"]) as page:
        page.select_option("#ui-from", "lisboa")
        page.select_option("#ui-to", "braga")
        assert page.inner_text("#ui-route .pays") == "13.000 $"
        assert page.inner_text("#ui-route .length") == "28 pontos, 235 milhas"
        page.locator("#ui-cities-table button", has_text="Cidade").click()
        names = page.locator("#ui-cities-table tbody th").all_inner_texts()
        assert names[names.index("Évora") - 1 : names.index("Évora") + 2] == ["Espinho", "Évora", "Faro"]
    with opened(pages["payoffs"]) as page:
        assert page.inner_text("h1") == f"Tabela de pagamentos {pages['payoffs'].with_name('chart.csv')}"
        page.locator("a[href^='#c-']:visible").first.click()
        assert page.inner_text("#p-value") == "1 mil"
        assert re.fullmatch(r"\d+,\d ± \d,\d\d \(a -\d+,\d desvios\)", page.inner_text("#p-expected"))
        assert re.fullmatch(r"\d+ milhas de comboio, \d+ pontos; \d+ milhas em linha reta", page.inner_text("#p-route"))
