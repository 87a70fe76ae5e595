"""The report's tables as HTML. Links lead to elements of the board; the script shows these on the map."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from mapkit.model.board import REGIONS, SUMS, Board
from mapkit.model.findings import CheckReport, Finding
from mapkit.network.report import CombinationRow, Report
from mapkit.render.document import Document
from mapkit.render.railroad_styles import railroad_styles
from mapkit.render.report_page.data import PageData, by_city
from mapkit.render.report_page.pictures import share_bar
from mapkit.render.tracks import stroke

_SAMPLE_MM = 11.0


def table(name: str, caption: str, head: Sequence[tuple[str, str]], rows: Sequence[str], *, sort: str = "") -> str:
    """Return a table that scrolls by itself where it is too wide.

    Args:
        name: Its id.
        caption: What it is, for screen readers.
        head: Title and class of each column: `n` for numbers; one with `s` can be sorted.
        rows: The rows, as HTML.
        sort: The title of the column by which the rows are sorted, downward.
    """
    cells = []
    for title, kind in head:
        classes = "n" if "n" in kind else ""
        ordered = ' aria-sort="descending"' if title == sort else ""
        label = f'<button type="button" class="sort">{escape(title)}</button>' if "s" in kind else escape(title)
        cells.append(f'<th scope="col" class="{classes}"{ordered}>{label}</th>')
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {escape(caption)}"><table id="{name}">'
        f'<caption class="unseen">{escape(caption)}</caption><thead><tr>{"".join(cells)}</tr></thead><tbody>\n'
        + "\n".join(rows)
        + "\n</tbody></table></div>"
    )


def money(board: Board, amount: float) -> str:
    """Return an amount of the board's currency."""
    return f"{escape(board.units.symbol)}{amount:,.0f}"


def railroad_table(board: Board, report: Report, data: PageData, samples: Mapping[str, str]) -> str:
    """Return the table of railroads, by service."""
    drawn = {r.id: r for r in data.railroads}
    most = max((row.service for row in report.railroads), default=0.0)
    rows = []
    for row in report.railroads:
        figures = drawn[row.railroad]
        per = row.service_per_thousand
        price = "public" if row.public else money(board, row.price)
        rows.append(
            f'<tr><th scope="row"><a class="mark" href="#rr-{row.railroad}">{samples[row.railroad]}'
            f"<b>{escape(row.short)}</b></a></th><td>{escape(row.name)}</td>"
            f'<td class="n" data-v="{0 if row.public else row.price}">{price}</td>'
            f'<td class="n">{len(row.cities)}</td><td class="n">{figures.mileposts}</td>'
            f'<td class="n" data-v="{figures.miles}">{figures.miles:,.0f}</td>'
            f'<td class="n" data-v="{row.service}" title="{row.service_exact}">{row.service:.2f}</td>'
            f'<td class="n" data-v="{row.monopoly}" title="{row.monopoly_exact}">{row.monopoly:.2f}</td>'
            f'<td class="bars">{share_bar(row.service, row.monopoly, most)}</td>'
            f'<td class="n" data-v="{-1 if per is None else per}">{"" if per is None else f"{per:.3f}"}</td>'
            f'<td class="n" title="{escape(" ".join(data.railroads[k].short for k in figures.connects))}">'
            f"{len(row.connects)}</td></tr>"
        )
    head = (
        ("Railroad", "s"), ("Name", "s"), ("Price", "ns"), ("Cities", "ns"), ("Mileposts", "ns"), ("Miles", "ns"),
        ("Service %", "ns"), ("Monopoly %", "ns"), ("Service, monopoly dark", ""), ("% per thousand", "ns"),
        ("Connects", "ns"),
    )  # fmt: skip
    return table("ui-railroads-table", "Railroads", head, rows, sort="Service %")


def combination_table(name: str, caption: str, board: Board, rows: Sequence[CombinationRow]) -> str:
    """Return a table of railroads owned together."""
    short = {r.id: r.short for r in board.railroads}
    lines = []
    for row in rows:
        names = escape(" + ".join(short[r] for r in row.railroads))
        button = (
            f'<button type="button" class="show" data-railroads="{" ".join(row.railroads)}"'
            f' title="Show on the map">{names}</button>'
        )
        lines.append(
            f'<tr><th scope="row">{button}</th><td class="n" data-v="{row.price}">{money(board, row.price)}</td>'
            f'<td class="n" data-v="{row.access}" title="{row.access_exact}">{row.access:.2f}</td>'
            f'<td class="n" data-v="{row.monopoly}" title="{row.monopoly_exact}">{row.monopoly:.2f}</td></tr>'
        )
    head = (("Railroads", "s"), ("Price", "ns"), ("Access %", "ns"), ("Monopoly %", "ns"))
    return table(name, caption, head, lines, sort="Access %")


def city_table(board: Board, report: Report) -> str:
    """Return the table of cities, by chance."""
    region = {r.id: (k, r.name) for k, r in enumerate(board.regions)}
    short = {r.id: r.short for r in board.railroads}
    most = max((row.chance for row in report.cities), default=0.0)
    rows = []
    for row in report.cities:
        index, name = region[row.region]
        marks = "".join(f'<a class="chip" href="#rr-{r}">{escape(short[r])}</a> ' for r in row.railroads)
        rows.append(
            f'<tr><th scope="row"><a href="#c-{row.city}">{escape(row.name)}</a></th>'
            f'<td><span class="tint region-{index}"></span>{escape(name)}</td>'
            f'<td class="n" data-v="{row.chance}" title="{row.chance_exact}">{row.chance:.3f}</td>'
            f'<td class="bars">{share_bar(row.chance, 0.0, most)}</td>'
            f'<td class="n" data-v="{len(row.railroads)}">{len(row.railroads)}</td>'
            f'<td class="chips">{marks.rstrip() or "nobody"}</td></tr>'
        )
    head = (
        ("City", "s"), ("Region", "s"), ("Chance %", "ns"), ("Chance", ""), ("Railroads", "ns"), ("Served by", ""),
    )  # fmt: skip
    return table("ui-cities-table", "Cities", head, rows, sort="Chance %")


def chart_tables(board: Board) -> str:
    """Return the destination charts, region chart first."""
    if REGIONS not in board.destinations:
        return ""
    index = {r.id: k for k, r in enumerate(board.regions)}
    names = {r.id: r.name for r in board.regions} | {REGIONS: "Regions"}
    words = names | {c.id: c.name for c in board.cities}
    region = {c.id: c.region for c in board.cities}
    out = []
    for chart in (REGIONS, *(r.id for r in board.regions if r.id in board.destinations)):
        rows = []
        for total in SUMS:
            cells = []
            for column in (board.destinations[chart].odd, board.destinations[chart].even):
                content = column.get(total)
                if content is None:
                    cells.append("<td>\u2013</td>")
                    continue
                tint = index.get(content if chart == REGIONS else region.get(content, ""), -1)
                word = escape(words.get(content, content))
                told = word if chart == REGIONS else f'<a href="#c-{content}">{word}</a>'
                cells.append(f'<td class="tinted region-{tint}">{told}</td>')
            rows.append(f'<tr><th scope="row" class="n">{total}</th>{"".join(cells)}</tr>')
        out.append(
            f'<table class="chart"><caption>{escape(names[chart])}</caption><thead><tr><th scope="col" class="n">Sum'
            f'</th><th scope="col">Odd</th><th scope="col">Even</th></tr></thead><tbody>{"".join(rows)}</tbody></table>'
        )
    return f'<div class="charts">{"".join(out)}</div>'


def finding_list(board: Board, checks: CheckReport, data: PageData) -> str:
    """Return the findings, most serious first, each with a link to its place on the map."""
    if not checks.findings:
        return "<p>None: every check passed.</p>"
    items = []
    for k, finding in enumerate(checks.findings):
        where = ":".join(str(part) for part in (finding.place.file, finding.place.row) if part is not None)
        told = f'<span class="where">{escape(where)}</span>' if where else ""
        accepted = f'<p class="quiet">Accepted: {escape(finding.accepted)}</p>' if finding.accepted is not None else ""
        seen = data.findings[k]
        link = (
            f'<a class="show" href="#{_target(board, finding)}" data-finding="{k}">Show on the map'
            f'<span class="unseen">: {escape(finding.message)}</span></a>'
            if seen.points or seen.railroads
            else ""
        )
        kind = "accepted" if finding.accepted is not None else finding.severity.value
        items.append(
            f'<li class="finding {kind}"><p><b class="code">{finding.code}</b> <span class="kind">{kind}</span> '
            f"{told}</p><p>{escape(finding.message)}</p>{accepted}{link}</li>"
        )
    return f'<ol class="findings">{"".join(items)}</ol>'


def _target(board: Board, finding: Finding) -> str:
    """Return the id of a drawn element of a finding, for a browser without scripts; the map if there is none."""
    for prefix, members in (
        ("c", board.cities), ("m", board.mileposts), ("j", board.junctions), ("s", board.segments),
        ("p", board.pieces), ("rr", board.railroads),
    ):  # fmt: skip
        known = {member.id for member in members}
        for element in finding.elements:
            if element in known:
                return f"{prefix}-{element}"
    return "ui-map"


def line_samples(document: Document, board: Board) -> dict[str, str]:
    """Return a short stretch of each railroad's line, as it is drawn on the board."""
    out = {}
    styles = railroad_styles(board, document.theme)
    for railroad in board.railroads:
        group = document.group(document.group(document.layers["legend"], {}), {"fill": "none"})
        line = np.array([(0.6, 1.5), (_SAMPLE_MM - 0.6, 1.5)])
        stroke(document, group, styles[railroad.id], {"sample": line}, {"sample": {"class": "sample"}})
        out[railroad.id] = (
            f'<svg class="sample" viewBox="0 0 {_SAMPLE_MM:g} 3" aria-hidden="true" focusable="false">'
            f"{group.tostring()}</svg>"
        )
    return out


def region_rows(board: Board, report: Report) -> str:
    """Return the chance of each region as a bar of its tint, likeliest first."""
    of_city = by_city(report)
    total: dict[str, float] = {r.id: 0.0 for r in board.regions}
    for city in board.cities:
        total[city.region] += of_city[city.id].chance
    most = max(total.values(), default=0.0) or 1.0
    order = sorted(enumerate(board.regions), key=lambda item: (-total[item[1].id], item[0]))
    rows = "".join(
        f'<li><span class="region-name">{escape(region.name)}</span><svg class="bar" viewBox="0 0 100 10" '
        f'preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="region-bar region-{k}" '
        f'width="{100 * total[region.id] / most:.2f}" height="10"/></svg><span class="n">{total[region.id]:.2f} %'
        "</span></li>"
        for k, region in order
    )
    return f'<ol class="region-odds">{rows}</ol>'
