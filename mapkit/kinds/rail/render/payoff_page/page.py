"""The page of a payoff chart's check: one HTML file with the heat map, every cell's figures, and its route.

It loads nothing. Without scripts it has both orders, texts on the cells, and a section with the route
for each suspect; with them any cell may be pointed at.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from mapkit.core.findings import Finding, Severity
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.script import words_for_script, words_script
from mapkit.formats.html import html_page, page_part, policy_for
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.slips import Slip
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedCell, PayoffDiagnosis, judged
from mapkit.kinds.rail.render.payoff_page.board import RouteBoard, route_board
from mapkit.kinds.rail.render.payoff_page.heat import COLOURS, NO_AMOUNT, SIDE, HeatOrder, heat_svg, legend
from mapkit.kinds.rail.render.words import words_of
from mapkit.version import __version__

MOST_DETAILS = 60
"""Suspects with a section of their own; the rest stand in the list."""
_PAIR = 2
_FIGURES = ("value", "expected", "score", "slip", "suggested", "route")
"""What the panel says of a cell, in order."""
_SURE = 0.99

_Pair = tuple[int, int]


def render_payoff_page(found: PayoffDiagnosis, *, board: Board | None = None, words: Words | None = None) -> str:
    """Return the page as the text of an HTML file; the same diagnosis gives the same text.

    Args:
        found: What the check said. Its findings are English in every language.
        board: The board that judged, for the order by region and the routes; None leaves them out.
        words: The language; the board's by default, English without a board.
    """
    words = words or words_of(board)
    at = {city: k for k, city in enumerate(found.cities)}
    cells = {(at[cell.a], at[cell.b]): cell for cell in found.cells}
    drawn = route_board(board, found.cities) if board is not None else None
    miles = _miles(found, board)
    suspects, noted = _suspects(found.findings, at, cells)
    orders = _orders(found, board, words)
    data = json.dumps(
        _data(found, cells, drawn, miles, words), ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    shown = [*suspects, *noted][:MOST_DETAILS]
    style = "\n".join([page_part(__package__, "payoff_page.css"), *_rules(orders)])
    script = "\n".join(['"use strict";', words_script(), page_part(__package__, "payoff_page.js")])
    return html_page(
        __package__,
        "page.html.jinja",
        words=words,
        title=words("checking.title", chart=PurePath(found.chart).name),
        policy=policy_for(style, script),
        style=style,
        script=script,
        data=data.replace("<", "\\u003c"),
        no_amount=NO_AMOUNT,
        legend=legend(words),
        found=found,
        about=_about(found, board, words),
        maps=[(order, heat_svg(order, cells, found.names, suspects, words)) for order in orders],
        figures=_FIGURES,
        drawn=drawn,
        findings=[_finding_row(finding, at, cells, words) for finding in found.findings],
        details=[_detail(found, pair, cells[pair], drawn, miles, words) for pair in shown],
        noted=noted,
        more=len(suspects) + len(noted) - len(shown),
        version=__version__,
    )


def _rules(orders: Sequence[HeatOrder]) -> list[str]:
    """Return the rules of colours and of the choice of an order."""
    return [
        *(f".k{k} {{ fill: {colour}; }}" for k, colour in enumerate(COLOURS)),
        f".k{NO_AMOUNT} {{ fill: #77756f; }}",
        *(
            f"#o-{order.key}:checked ~ .maps .map-{order.key} {{ display: block; }}\n"
            f'#o-{order.key}:checked ~ .tabs label[for="o-{order.key}"] '
            "{ background: var(--ink); color: var(--page); }\n"
            f'#o-{order.key}:focus-visible ~ .tabs label[for="o-{order.key}"] {{ outline: 3px solid var(--route); }}'
            for order in orders
        ),
    ]


def _about(found: PayoffDiagnosis, board: Board | None, words: Words) -> str:
    """Return how much was judged, by what, and how exactly."""
    counts = words(
        "checking.counts",
        cities=words.count("board.cities", len(found.cities)),
        pairs=words.count("checking.pairs", len(found.cells)),
        findings=_counted(found.findings, words),
    )
    by = words(f"checking.by_{found.basis}", **({"board": board.title} if board is not None else {}))
    sd = found.sd or 0.0
    exact = words("checking.predicted", sd=words.number(sd, 2), least=words.number(3 * sd, 1))
    return f"{counts} {by} {exact}"


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


def _orders(found: PayoffDiagnosis, board: Board | None, words: Words) -> list[HeatOrder]:
    everyone = tuple(range(len(found.cities)))
    out = [HeatOrder("chart", words("checking.as_chart"), everyone)]
    if board is not None and board.regions:
        region = {city.id: city.region for city in board.cities}
        order: list[int] = []
        groups = []
        for each in board.regions:
            groups.append((each.name, len(order)))
            order += [k for k in everyone if region[found.cities[k]] == each.id]
        if len(order) == len(everyone):
            out.append(HeatOrder("region", words("checking.by_region"), tuple(order), tuple(groups)))
    return out


def _counted(findings: Sequence[Finding], words: Words) -> str:
    """Return how many findings there are of each severity, and how many are accepted, in words."""
    counts = Counter("kept" if f.accepted is not None else f"{f.severity.value}s" for f in findings)
    said = [
        words.count(f"severity.{kind}", counts[kind])
        for kind in ("errors", "warnings", "notes", "kept")
        if counts[kind]
    ]
    return ", ".join(said) or words("checking.none")


@dataclass(frozen=True)
class FindingLine:
    """A finding as its row says it; `cell` is what it leads to."""

    finding: Finding
    cell: _Pair | None
    score: str
    suggested: str
    where: str


def _finding_row(finding: Finding, at: dict[str, int], cells: dict[_Pair, JudgedCell], words: Words) -> FindingLine:
    pair = _pair(finding, at)
    data = judged(finding)
    score, suggested = data.get("score"), data.get("suggested")
    return FindingLine(
        finding,
        pair if pair in cells else None,
        "" if score is None else _score(score, words),
        "" if suggested is None else words.plain(suggested),
        _where(finding),
    )


def _score(score: float, words: Words) -> str:
    return f"> {words.number(_SURE, 2)}" if score > _SURE else words.number(score, 2)


def _slip(cell: JudgedCell, words: Words) -> str:
    return words(f"slip.{Slip(cell.slip).name.lower()}") if cell.slip else ""


def _where(finding: Finding) -> str:
    if finding.place.file is None:
        return ""
    return finding.place.model_copy(update={"file": PurePath(finding.place.file).name}).text


_Miles = tuple[list[list[float]], list[list[float]]]


def _miles(found: PayoffDiagnosis, board: Board | None) -> _Miles | None:
    """Return miles by rail, -1 where no railroad leads, and by air between all cities, rounded."""
    if board is None:
        return None
    distances = board_distances(board, found.cities)
    rail = distances.rail if distances.rail is not None else distances.ground * float("nan")
    return [[-1.0 if v != v else round(v) for v in row] for row in rail.tolist()], distances.ground.round().tolist()  # noqa: PLR0124


@dataclass(frozen=True)
class RouteEnd:
    """The name of an end of a route in a picture, on the side where there is room."""

    name: str
    x: float
    y: float
    left_of: bool


@dataclass(frozen=True)
class CellDetail:
    """A suspect's section: its figures, and its route by the steps of the board; None without a board."""

    pair: _Pair
    names: tuple[str, str]
    figures: tuple[tuple[str, str], ...]
    steps: tuple[int, ...] | None
    ends: tuple[RouteEnd, ...]


def _detail(
    found: PayoffDiagnosis,
    pair: _Pair,
    cell: JudgedCell,
    drawn: RouteBoard | None,
    miles: _Miles | None,
    words: Words,
) -> CellDetail:
    i, j = pair
    names = (found.names[i], found.names[j])
    flagged = cell.score is not None and cell.score >= found.flag

    def thousand(amount: float) -> str:
        return words("cell.thousand", amount=words.plain(amount))

    close = words("cell.close_to", expected=words.number(cell.expected, 1), sd=words.number(cell.sd, 2))
    rows = [
        ("value", words("cell.none_or_two") if cell.value is None else thousand(cell.value)),
        ("expected", close),
        ("score", words("cell.not_judged") if cell.score is None else _score(cell.score, words)),
        ("slip", _slip(cell, words) if flagged else words("cell.not_suspected")),
        ("suggested", thousand(cell.suggested) if flagged and cell.suggested is not None else "\u2013"),
    ]
    titled = [(words(f"cell.{name}"), text) for name, text in rows]
    if drawn is None or miles is None:
        return CellDetail(pair, names, tuple(titled), None, ())
    steps = tuple(drawn.route(i, j))
    titled.append((words("cell.route"), _way(miles[0][i][j], len(steps), miles[1][i][j], words)))
    left, _, width, _ = drawn.box
    ends = []
    for city, name in zip(pair, names, strict=True):
        x, y = drawn.places[drawn.trees.at[city]]
        ends.append(RouteEnd(name, x, y, left_of=x > left + width / 2))
    return CellDetail(pair, names, tuple(titled), steps, tuple(ends))


def _way(rail: float, mileposts: int, air: float, words: Words) -> str:
    by_air = words.count("map.miles", round(air))
    if rail < 0:
        return words("cell.no_way", air=by_air)
    on_board = words.count("board.mileposts", mileposts)
    return words("cell.way", miles=words.count("map.miles", round(rail)), mileposts=on_board, air=by_air)


def _data(
    found: PayoffDiagnosis, cells: dict[_Pair, JudgedCell], drawn: RouteBoard | None, miles: _Miles | None, words: Words
) -> dict[str, object]:
    """Return what the script needs, a list a column: pairs above the diagonal, row by row; null for twins."""
    n = len(found.cities)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    inside = [cells.get(pair) for pair in pairs]
    slips = sorted({_slip(cell, words) for cell in found.cells})
    number = {slip: k for k, slip in enumerate(slips)}
    out: dict[str, object] = {
        "words": words_for_script(words, ("cell", "map", "board")).model_dump(mode="json"),
        "names": found.names,
        "side": SIDE,
        "flag": found.flag,
        "value": [cell and _short(cell.value, 3) for cell in inside],
        "expected": [cell and _short(cell.expected, 2) for cell in inside],
        "sd": [0 if cell is None else _short(max(cell.sd, 0.01), 2) for cell in inside],
        "score": [cell and _short(cell.score, 3) for cell in inside],
        "slips": slips,
        "slip": [0 if cell is None else number[_slip(cell, words)] for cell in inside],
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
