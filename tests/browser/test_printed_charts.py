"""Charts that a browser prints from web pages, in layouts of other people's programs: every cell is read as printed.

The browser lays out tables, breaks names and pages, and writes the PDF; none of that is mapkit's. The font is that of
the editor's page, the same on every machine.
"""

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import REPOSITORY
from optional import built_page
from scans.chart_pages import Chart, chart_of
from scans.destination_pages import Charts, charts_of

import mapkit
from mapkit.editor.server.app import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BOARD = "mexico"


def printed(browser: "Browser", style: str, body: str, path: Path, size: str = "A4") -> Path:
    """Print a page and return the PDF."""
    built_page()
    font = b64encode((STATIC / "inter-latin-wght-normal.woff2").read_bytes()).decode()
    face = f"@font-face{{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,{font})}}"
    page = browser.new_page()
    page.set_content(
        f"<!doctype html><meta charset=utf-8><style>{face}{style} *{{font-family:Inter!important}}</style><body>{body}"
    )
    page.evaluate("document.fonts.ready")
    page.pdf(path=path, format=size, margin={"top": "8mm", "right": "8mm", "bottom": "8mm", "left": "8mm"})
    page.close()
    return path


def row(cells: Sequence[str], tag: str = "td") -> str:
    """Return a row of a table."""
    return "<tr>" + "".join(f"<{tag}>{cell}" for cell in cells) + "</tr>"


# Destination charts


def between(name: str, rows: Sequence[tuple[str, str, str]]) -> str:
    """A table as wide as its names, the sums in the middle."""
    lines = [row((escape(odd), total, escape(even))) for total, odd, even in rows]
    head = f"<tr><th colspan=3>{escape(name)}</th></tr>" + row(("Odd", "", "Even"), "th")
    return f"<table>{head}{''.join(lines)}</table>"


def in_two_columns(charts: Charts) -> tuple[str, str]:
    """Tables of any width below each other, in two columns, shaded."""
    style = "body{font:11px serif;columns:2} table{break-inside:avoid} tr:nth-child(odd){background:#e8f0d0}"
    return style, "".join(between(name, rows) for name, rows in charts)


def floating(charts: Charts) -> tuple[str, str]:
    """Tables that fill lines as they fit; the end of the page may cut them."""
    parts = []
    for name, rows in charts:
        lines = [row((total, escape(odd), escape(even))) for total, odd, even in rows]
        head = row(("Roll", "Odd", "Even"), "th")
        parts.append(f"<table><caption><b>{escape(name)}</b></caption>{head}{''.join(lines)}</table>")
    style = "body{font:10px sans-serif} div{display:flex;flex-wrap:wrap;gap:14px} td{text-align:center;padding:1px 4px}"
    return style, f"<div>{''.join(parts)}</div>"


def narrow(charts: Charts) -> tuple[str, str]:
    """Three columns with the sums last; names go on below, and rows stand in the middle."""
    parts = []
    for name, rows in charts:
        lines = [row((escape(odd), escape(even), total)) for total, odd, even in rows]
        parts.append(
            f"<section><b>{escape(name)}</b><table>{row(('ODD', 'EVEN', ''), 'th')}{''.join(lines)}</table></section>"
        )
    style = "body{font:8px sans-serif;columns:3} section{break-inside:avoid;width:150px} td{padding:1px 3px}"
    return style, "".join(parts)


@pytest.mark.parametrize("layout", [in_two_columns, floating, narrow])
def test_destination_charts(browser: "Browser", layout: Callable[[Charts], tuple[str, str]], tmp_path: Path) -> None:
    board = mapkit.load(BOARD, workspace=REPOSITORY)
    style, body = layout(charts_of(board))
    found = mapkit.check_destinations(
        printed(browser, style, body, tmp_path / "chart.pdf"), board=BOARD, workspace=REPOSITORY
    )
    assert found.charts == board.destinations


# Payoff charts


def standing(chart: Chart) -> tuple[str, str]:
    """A square with ruled cells and standing names, in whole money."""
    names = [escape(name) for name in chart.names]
    lines = [
        f"<tr><th>{names[i]}" + "".join(f"<td>{1000 * pays:,.0f}" if pays else "<td>\N{EN DASH}" for pays in amounts)
        for i, amounts in enumerate(chart.amounts)
    ]
    style = (
        "body{font:8px serif} table{border-collapse:collapse} td,th{border:1px dotted #888;padding:1px} "
        "thead th{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left} th{white-space:nowrap}"
    )
    return style, f"<table><thead>{row(['', *names], 'th')}</thead>{''.join(lines)}</table>"


def with_regions(chart: Chart) -> tuple[str, str]:
    """A triangle with slanted, numbered names; before the rows a number, a region for every six, and the city."""
    lines = []
    for i, name in enumerate(chart.names):
        region = f"<td rowspan={min(6, len(chart.names) - i)}>Zone {'ABCDEFGHIJ'[i // 6]}" if i % 6 == 0 else ""
        cells = "".join(
            f"<td>{chart.text(i, j)}" if j < i else "<td>-" if i == j else "<td>" for j in range(len(chart.names))
        )
        lines.append(f"<tr><td>{i + 1}{region}<td class=l>{escape(name)}{cells}</tr>")
    heads = "".join(f"<th class=v><div>{k} {escape(name)}</div>" for k, name in enumerate(chart.names, start=1))
    style = (
        "body{font:8px sans-serif} td{padding:0 2px;text-align:right;border-bottom:0.3px solid #aaa} "
        ".l{text-align:left;white-space:nowrap} .v{height:90px;vertical-align:bottom;white-space:nowrap;width:18px} "
        ".v div{transform:rotate(-60deg);transform-origin:8px 8px;width:14px}"
    )
    return style, f"<h3>Payoff chart</h3><table><tr><th>No<th>Region<th>City{heads}</tr>{''.join(lines)}</table>"


def pairs(chart: Chart) -> tuple[str, str]:
    """Pairs with a dash between the names and dotted lines to the amounts, in four columns."""
    lines = [
        f"<div class=p><span>{escape(one)} \N{EN DASH} {escape(chart.names[j])}</span><i></i><span>"
        f"${1000 * chart.amounts[i][j]:,.0f}</span></div>"
        for i, one in enumerate(chart.names)
        for j in range(i)
    ]
    style = (
        "body{font:8px sans-serif} .all{columns:4} .p{display:flex} "
        ".p i{flex:1;border-bottom:1px dotted #555;margin:0 3px}"
    )
    return style, f"<h3>What trips pay</h3><div class=all>{''.join(lines)}</div>"


def wrapped(chart: Chart) -> tuple[str, str]:
    """A square in small print; names go on below in columns that are as wide as their longest word."""
    lines = [row((f"<b>{escape(name)}</b>", *(f"{pays:g}" if pays else "-" for pays in amounts)))
             for name, amounts in zip(chart.names, chart.amounts, strict=True)]  # fmt: skip
    heads = row(["", *map(escape, chart.names)], "th")
    style = "body{font:6px sans-serif} td{text-align:right} td,th{padding:1px}"
    return style, f"<table><thead>{heads}</thead>{''.join(lines)}</table>"


@pytest.mark.parametrize(
    ("layout", "board", "size"),
    [(standing, BOARD, "A3"), (with_regions, BOARD, "A3"), (pairs, BOARD, "A4"), (wrapped, "portugal", "A3")],
)
def test_payoff_charts(
    browser: "Browser", layout: Callable[[Chart], tuple[str, str]], board: str, size: str, tmp_path: Path
) -> None:
    chart = chart_of(board)
    style, body = layout(chart)
    found = mapkit.read_payoffs(
        printed(browser, style, body, tmp_path / "chart.pdf", size),
        board=board,
        workspace=REPOSITORY,
    )
    cities = {city.id: city.name for city in mapkit.load(board, workspace=REPOSITORY).cities}
    at = {name: k for k, name in enumerate(chart.names)}
    wrong = [
        (reading.where, reading.value)
        for reading in found.chart.readings
        for i, j in [[at[cities[found.chart.cities[k]]] for k in (reading.row, reading.col)]]
        if reading.value != chart.amounts[i][j]
    ]
    assert wrong == []
    assert (found.missing, found.not_read, found.in_doubt) == ((), (), ())
