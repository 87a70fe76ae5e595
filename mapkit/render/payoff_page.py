"""The page of a payoff chart's check: one HTML file with the heat map, every cell's figures, and its route.

It needs nothing from elsewhere. Without scripts it has both orders, texts on the cells, and a section with the route
for each suspect; with them any cell may be pointed at.
"""

import json
from collections import Counter
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import PurePath

from mapkit.charts.payoff_distances import board_distances
from mapkit.model.board import Board
from mapkit.model.findings import Finding, Severity
from mapkit.model.payoff_diagnosis import JudgedCell, PayoffDiagnosis
from mapkit.render.payoff_board import RouteBoard, route_board
from mapkit.render.payoff_heat import COLOURS, NO_AMOUNT, SIDE, HeatOrder, heat_svg, legend_html
from mapkit.version import __version__

MOST_DETAILS = 60
"""Suspects with a section of their own; the rest stand in the list."""
_PAIR = 2
_BY = {
    "board": "rail and great-circle miles of the board",
    "coordinates": "great-circle miles",
    "chart": "the chart alone",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

_HINTS = """<p class="quiet hint">Point at a cell for its figures and its route; click to keep it, arrow keys to
move.</p>
<noscript><p class="quiet">Without scripts: rest the pointer on a cell above the diagonal for its figures; outlined
cells lead to their sections below.</p></noscript>"""

_Pair = tuple[int, int]


def render_payoff_page(found: PayoffDiagnosis, *, board: Board | None = None) -> str:
    """Return the page as the text of an HTML file; the same diagnosis gives the same text.

    Args:
        found: What the check said.
        board: The board that judged, for the order by region and the routes; None leaves them out.
    """
    at = {city: k for k, city in enumerate(found.cities)}
    cells = {(at[cell.a], at[cell.b]): cell for cell in found.cells}
    drawn = route_board(board, found.cities) if board is not None else None
    miles = _miles(found, board)
    suspects, noted = _suspects(found.findings, at, cells)
    orders = _orders(found, board)
    title = f"{PurePath(found.chart).name}: payoff chart"
    script = json.dumps(_data(found, cells, drawn, miles), separators=(",", ":"), allow_nan=False).replace(
        "<", "\\u003c"
    )
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>",
        _resource("payoff_page.css"),
        *(f".k{k} {{ fill: {colour}; }}" for k, colour in enumerate(COLOURS)),
        f".k{NO_AMOUNT} {{ fill: #77756f; }}",
        *(
            f"#o-{o.key}:checked ~ .maps .map-{o.key} {{ display: block; }} "
            f'#o-{o.key}:checked ~ .tabs label[for="o-{o.key}"] {{ background: #1b1b1b; color: #fff; }} '
            f'#o-{o.key}:focus-visible ~ .tabs label[for="o-{o.key}"] {{ outline: 2px solid var(--route); }}'
            for o in orders
        ),
        "</style></head><body>",
        _head(found, board),
        '<div class="top"><div>',
        *_maps(orders, cells, found.names, suspects),
        legend_html(),
        "</div>",
        _panel(drawn),
        "</div>",
        _list(found.findings, at, cells),
        *_details(found, (suspects, noted), cells, drawn, miles),
        f'<script type="application/json" id="data">{script}</script>',
        f"<script>{_resource('payoff_page.js')}</script>",
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _resource(name: str) -> str:
    return files("mapkit.render").joinpath(name).read_text(encoding="utf-8").strip()


def _pair(finding: Finding, at: dict[str, int]) -> _Pair | None:
    """Return the cell of a finding; findings on rows have none."""
    if len(finding.elements) != _PAIR or finding.code in ("P09", "P10", "P11"):
        return None
    one, other = (at[city] for city in finding.elements)
    return min(one, other), max(one, other)


def _suspects(
    findings: Sequence[Finding], at: dict[str, int], cells: dict[_Pair, JudgedCell]
) -> tuple[list[_Pair], list[_Pair]]:
    """Return the cells that findings call wrong or suspicious, and those that only notes name."""
    named: tuple[list[_Pair], list[_Pair]] = ([], [])
    for finding in findings:
        pair = _pair(finding, at)
        if pair is not None and pair in cells:
            named[finding.severity is Severity.NOTE].append(pair)
    suspects = list(dict.fromkeys(named[0]))
    return suspects, [pair for pair in dict.fromkeys(named[1]) if pair not in suspects]


def _orders(found: PayoffDiagnosis, board: Board | None) -> list[HeatOrder]:
    everyone = tuple(range(len(found.cities)))
    out = [HeatOrder("chart", "in the order of the chart", everyone)]
    if board is not None and board.regions:
        region = {city.id: city.region for city in board.cities}
        order: list[int] = []
        groups = []
        for each in board.regions:
            groups.append((each.name, len(order)))
            order += [k for k in everyone if region[found.cities[k]] == each.id]
        if len(order) == len(everyone):
            out.append(HeatOrder("region", "by region", tuple(order), tuple(groups)))
    return out


def _head(found: PayoffDiagnosis, board: Board | None) -> str:
    counts = Counter(f.severity.value for f in found.findings)
    said = ", ".join(f"{counts[kind]} {kind}s" for kind in ("error", "warning", "note") if counts[kind])
    by = _BY[found.basis] + (f" ({escape(board.title)})" if board is not None else "")
    return (
        f"<h1>Payoff chart {escape(found.chart)}</h1><p>{len(found.cities)} cities, {len(found.cells)} pairs: "
        f"{said or 'nothing found'}. Every amount is judged by all others and by {by}; one is predicted to "
        f"{found.sd:.2f} thousand (1 standard deviation), so slips far smaller than {3 * found.sd:.1f} cannot be seen."
        f'</p><p class="quiet">A score is the chance that an amount is wrong, under the model. Low scores say look, '
        f"not wrong. mapkit {__version__}</p>"
    )


def _maps(
    orders: Sequence[HeatOrder], cells: dict[_Pair, JudgedCell], names: Sequence[str], suspects: Sequence[_Pair]
) -> list[str]:
    inputs = "".join(
        f'<input class="order" type="radio" name="order" id="o-{o.key}"{" checked" if k == 0 else ""}>'
        for k, o in enumerate(orders)
    )
    labels = "".join(f'<label for="o-{o.key}">{o.title}</label>' for o in orders)
    return [
        inputs,
        f'<div class="tabs">{labels}</div><div class="maps">',
        *(f'<div class="map map-{o.key}">{_groups(o)}{heat_svg(o, cells, names, suspects)}</div>' for o in orders),
        "</div>",
        _HINTS,
    ]


def _groups(order: HeatOrder) -> str:
    if not order.groups:
        return ""
    return f'<p class="quiet">From the top: {", ".join(escape(name) for name, _ in order.groups)}.</p>'


def _panel(drawn: RouteBoard | None) -> str:
    rows = "".join(
        f'<dt>{label}</dt><dd id="p-{key}"></dd>'
        for key, label in (
            ("value", "amount"), ("expected", "expected"), ("score", "score"), ("slip", "likely slip"),
            ("suggested", "perhaps"), ("route", "route"),
        )
    )  # fmt: skip
    board = ""
    if drawn is not None:
        box = " ".join(map(str, drawn.box))
        board = (
            f'<svg class="board" viewBox="{box}" role="img" aria-label="The route on the board">{drawn.svg}'
            '<use href="#board"/><g class="route" id="route"></g></svg>'
            '<p class="quiet hint">The shortest way by rail.</p>'
        )
    return f'<div class="panel empty" id="panel"><h2 id="p-name"></h2><dl>{rows}</dl>{board}</div>'


def _list(findings: Sequence[Finding], at: dict[str, int], cells: dict[_Pair, JudgedCell]) -> str:
    if not findings:
        return "<h2>Findings</h2><p>None.</p>"
    rows = []
    for finding in findings:
        pair = _pair(finding, at)
        cell = cells.get(pair) if pair else None
        link = f'<a href="#c-{pair[0]}-{pair[1]}">show</a>' if pair and cell else ""
        score = finding.data.get("score")
        suggested = finding.data.get("suggested")
        rows.append(
            f'<tr class="{finding.severity}"><td><b>{finding.code}</b> {finding.severity}</td>'
            f'<td class="n">{"" if score is None else escape(_score(score))}</td>'
            f"<td>{escape(finding.message)}</td>"
            f'<td class="n">{"" if suggested is None else f"{suggested:g}"}</td>'
            f"<td>{escape(_where(finding))}</td><td>{link}</td></tr>"
        )
    return (
        "<h2>Findings, the surest first</h2><table><thead><tr><th>code</th><th class='n'>score</th><th>what</th>"
        "<th class='n'>perhaps</th><th>where</th><th></th></tr></thead><tbody>" + "\n".join(rows) + "</tbody></table>"
    )


def _score(score: float) -> str:
    return "> 0.99" if score > 0.99 else f"{score:.2f}"  # noqa: PLR2004


def _where(finding: Finding) -> str:
    if finding.place.file is None:
        return ""
    name = PurePath(finding.place.file).name
    return name if finding.place.row is None else f"{name}:{finding.place.row}"


_Miles = tuple[list[list[float]], list[list[float]]]


def _miles(found: PayoffDiagnosis, board: Board | None) -> _Miles | None:
    """Return miles by rail, -1 where no railroad leads, and by air between all cities, rounded."""
    if board is None:
        return None
    distances = board_distances(board, found.cities)
    rail = distances.rail if distances.rail is not None else distances.ground * float("nan")
    return [[-1.0 if v != v else round(v) for v in row] for row in rail.tolist()], distances.ground.round().tolist()  # noqa: PLR0124


def _details(
    found: PayoffDiagnosis,
    pairs: tuple[Sequence[_Pair], Sequence[_Pair]],
    cells: dict[_Pair, JudgedCell],
    drawn: RouteBoard | None,
    miles: _Miles | None,
) -> list[str]:
    suspects, noted = pairs
    shown = [*suspects, *noted][:MOST_DETAILS]
    if not shown:
        return []
    more = len(suspects) + len(noted) - len(shown)
    tail = [f'<p class="details-head quiet">{more} more stand in the list alone.</p>'] if more else []
    return [
        '<h2 class="details-head">Suspects and their routes</h2><div class="details">',
        *(_detail(found, pair, cells[pair], drawn, miles, noted=pair in noted) for pair in shown),
        "</div>",
        *tail,
    ]


def _detail(  # noqa: PLR0913 - a cell, and what is drawn of it
    found: PayoffDiagnosis,
    pair: _Pair,
    cell: JudgedCell,
    drawn: RouteBoard | None,
    miles: _Miles | None,
    *,
    noted: bool,
) -> str:
    i, j = pair
    names = (found.names[i], found.names[j])
    flagged = cell.score is not None and cell.score >= found.flag
    rows = [
        ("amount", "none, or two that differ" if cell.value is None else f"{cell.value:g} thousand"),
        ("expected", f"{cell.expected:.1f} \u00b1 {cell.sd:.2f}"),
        ("score", "not judged by itself" if cell.score is None else _score(cell.score)),
        ("likely slip", cell.slip if flagged else "not suspected by itself"),
        ("perhaps", f"{cell.suggested:g} thousand" if flagged and cell.suggested is not None else "\u2013"),
    ]
    picture = ""
    if drawn is not None and miles is not None:
        steps = drawn.route(i, j)
        rows.append(
            ("route", f"{miles[0][i][j]:,.0f} miles by rail, {len(steps)} mileposts; {miles[1][i][j]:,.0f} by air")
        )
        picture = _picture(drawn, pair, names, steps)
    told = "".join(f"<dt>{label}</dt><dd>{escape(text)}</dd>" for label, text in rows)
    return (
        f'<section class="detail{" noted" if noted else ""}" id="c-{i}-{j}"><h3>{escape(names[0])} \u2013 '
        f"{escape(names[1])}</h3>"
        f"<dl>{told}</dl>{picture}</section>"
    )


def _picture(drawn: RouteBoard, pair: _Pair, names: tuple[str, str], steps: Sequence[int]) -> str:
    left, top, width, height = drawn.box
    ends = []
    for city, name in zip(pair, names, strict=True):
        x, y = drawn.places[drawn.trees.at[city]]
        right = x > left + width / 2
        ends.append(
            f'<path class="ends" d="M{x} {y}h0"/><text class="end-name" x="{x - 22 if right else x + 22}" y="{y - 16}" '
            f'text-anchor="{"end" if right else "start"}">{escape(name)}</text>'
        )
    uses = "".join(f'<use href="#e{step}"/>' for step in steps)
    return (
        f'<svg class="board" viewBox="{left} {top} {width} {height}" role="img" aria-label="The route on the board">'
        f'<use href="#board"/><g class="route">{uses}</g>{"".join(ends)}</svg>'
    )


def _data(
    found: PayoffDiagnosis, cells: dict[_Pair, JudgedCell], drawn: RouteBoard | None, miles: _Miles | None
) -> dict[str, object]:
    """Return what the script needs, a list a column: pairs above the diagonal, row by row; null for twins."""
    n = len(found.cities)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    inside = [cells.get(pair) for pair in pairs]
    slips = sorted({cell.slip for cell in found.cells})
    number = {slip: k for k, slip in enumerate(slips)}
    out: dict[str, object] = {
        "names": found.names,
        "side": SIDE,
        "flag": found.flag,
        "value": [cell and _short(cell.value, 3) for cell in inside],
        "expected": [cell and _short(cell.expected, 2) for cell in inside],
        "sd": [0 if cell is None else _short(max(cell.sd, 0.01), 2) for cell in inside],
        "score": [cell and _short(cell.score, 3) for cell in inside],
        "slips": slips,
        "slip": [0 if cell is None else number[cell.slip] for cell in inside],
        "suggested": [
            _short(cell.suggested, 3) if cell is not None and (cell.score or 0) >= found.flag else 0 for cell in inside
        ],
    }
    if drawn is not None and miles is not None:
        out |= {
            "rail": [_short(miles[0][i][j], 0) for i, j in pairs],
            "air": [_short(miles[1][i][j], 0) for i, j in pairs],
            "at": drawn.trees.at,
            "ways": drawn.ways(),
            "ends": [end for pair in drawn.steps for end in pair],
            "places": [v for place in drawn.places for v in place],
            "middle": drawn.box[0] + drawn.box[2] / 2,
        }
    return out


def _short(value: float | None, digits: int) -> float | int | None:
    """Return a number in as few characters as it takes."""
    if value is None:
        return None
    rounded = round(value, digits)
    return int(rounded) if rounded == int(rounded) else rounded
