"""Charts in nested data of any shape, in JSON and as literals of JavaScript, Rust, Python and PHP."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import REPOSITORY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples

from mapkit.core.errors import SourceError
from mapkit.document.workspace import open_workspace
from mapkit.formats.cells.literals import looks_like_code, parse_literals
from mapkit.kinds.rail.model.board import SUMS, Board
from mapkit.kinds.rail.sources.board_cities import board_cities
from mapkit.kinds.rail.sources.destinations.files import KnownNames, read_destination_file
from mapkit.kinds.rail.sources.payoffs.files import read_payoff_file

CITIES = board_cities(open_workspace(REPOSITORY), "usa").cities
SHIPPED = read_payoff_file(REPOSITORY / "sources" / "usa" / "charts" / "payoffs.csv", cities=CITIES).chart
CHOSEN = CITIES[10:19]
NAMES = [city.name for city in CHOSEN]
AMOUNTS = [
    [float(SHIPPED.matrix[SHIPPED.cities.index(a.id), SHIPPED.cities.index(b.id)]) for b in CHOSEN] for a in CHOSEN
]
PAIRS = [(i, j) for i in range(len(NAMES)) for j in range(i)]


def objects() -> dict[str, dict[str, float]]:
    return {a: dict(zip(NAMES, row, strict=True)) for a, row in zip(NAMES, AMOUNTS, strict=True)}


def rows_of(i: int) -> list[dict[str, Any]]:
    return [{"to": NAMES[j], "pays": AMOUNTS[i][j]} for j in range(len(NAMES)) if j != i]


PAYOFFS: dict[str, Callable[[], Any]] = {
    "objects of objects": objects,
    "by region": lambda: {"regions": {f"R{k}": dict(list(objects().items())[k::3]) for k in range(3)}},
    "a record for each city": lambda: {
        "cities": [{"name": a, "population": 1000 + k, "payoffs": objects()[a]} for k, a in enumerate(NAMES)]
    },
    "a record for each city, with lists of records": lambda: [
        {"city": a, "region": "North", "trips": rows_of(i)} for i, a in enumerate(NAMES)
    ],
    "lists of records by city": lambda: {a: rows_of(i) for i, a in enumerate(NAMES)},
    "lists of amounts by city": lambda: dict(zip(NAMES, AMOUNTS, strict=True)),
    "triangle of amounts by city": lambda: {a: AMOUNTS[i][: i + 1] for i, a in enumerate(NAMES)},
    "pairs with other figures": lambda: [
        {"from": NAMES[i], "to": NAMES[j], "miles": 100 + i * j, "payoff": AMOUNTS[i][j]} for i, j in PAIRS
    ],
    "records with other texts": lambda: [
        {"id": k, "city": a, "state": "XX", **objects()[a]} for k, a in enumerate(NAMES)
    ],
    "named ends": lambda: [
        {"start": {"name": NAMES[i]}, "goal": {"name": NAMES[j]}, "payoff": AMOUNTS[i][j]} for i, j in PAIRS
    ],
    "entries": lambda: [[a, list(row.items())] for a, row in objects().items()],
}  # fmt: skip


def as_js(data: object) -> str:
    if isinstance(data, dict):
        inner = ", ".join(f"{key if key.isidentifier() else repr(key)}: {as_js(v)}" for key, v in data.items())
        return f"{{ {inner}, }}" if data else "{}"
    if isinstance(data, list):
        return "[" + ", // next\n".join(map(as_js, data)) + "]"
    return repr(data) if isinstance(data, str) else json.dumps(data)


def as_rust(data: object) -> str:
    if isinstance(data, dict):
        if all(key.isidentifier() and key.islower() for key in data):
            return "Row { " + ", ".join(f"{k}: {as_rust(v)}" for k, v in data.items()) + " }"
        return "HashMap::from([" + ", ".join(f"({json.dumps(k)}, {as_rust(v)})" for k, v in data.items()) + "])"
    if isinstance(data, list | tuple):
        return "vec![" + ", ".join(map(as_rust, data)) + "]"
    return f"{json.dumps(data)}.to_string()" if isinstance(data, str) else f"{data}_f64"


def as_php(data: object) -> str:
    if isinstance(data, dict):
        return "array(" + ",\n".join(f"{json.dumps(k)} => {as_php(v)}" for k, v in data.items()) + ")"
    if isinstance(data, list):
        return "[" + ", ".join(map(as_php, data)) + "]"
    return json.dumps(data)


LANGUAGES: dict[str, Callable[[object], str]] = {
    "json": json.dumps,
    "js": lambda data: (
        f"// The chart.\nimport x from 'y';\nexport const table: Chart<A, B> = {as_js(data)} as const;\n"
        "export function pay(a, b) { return table[a][b] * 1000; }\n"
    ),
    "rs": lambda data: f"use std::collections::HashMap;\npub fn chart() {{ let table = {as_rust(data)}; }}\n",
    "py": lambda data: f'"""A chart."""\n\nTABLE = {data!r}\n',
    "php": lambda data: f"<?php\n$table = {as_php(data)};\n",
}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("shape", sorted(PAYOFFS))
def test_payoffs_of_any_shape(shape: str, language: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.txt"
    path.write_text(LANGUAGES[language](PAYOFFS[shape]()), encoding="utf-8")
    found = read_payoff_file(path, cities=CITIES)
    assert found.kind == ("json" if language == "json" else "code")
    order = [found.chart.cities.index(city.id) for city in CHOSEN]
    assert len(order) == len(found.chart.cities)
    assert np.array_equal(found.chart.matrix[np.ix_(order, order)], AMOUNTS)
    assert [*found.missing, *found.not_read, *found.asymmetric] == []


@pytest.mark.parametrize("shape", ["objects of objects", "by region", "pairs with other figures", "entries"])
def test_without_a_board_cities_are_names_at_both_places(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.json"
    path.write_text(json.dumps(PAYOFFS[shape]()), encoding="utf-8")
    found = read_payoff_file(path)
    assert sorted(found.chart.cities) == sorted(city.id for city in CHOSEN)


def test_two_figures_of_the_same_cities_are_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "chart.json"
    path.write_text(json.dumps([{"from": "Albany", "to": "Boston", "miles": 2, "hours": 3}]), encoding="utf-8")
    with pytest.raises(SourceError, match=r"several figures for the same two cities: miles, hours; keep one, or call"):
        read_payoff_file(path, cities=CITIES)


CELL = {"odd": "odd", "even": "even"}
DESTINATIONS: dict[str, Callable[[dict[str, dict[str, list[str]]]], Any]] = {
    "lists by column": lambda charts: charts,
    "column first": lambda charts: {p: {name: chart[p] for name, chart in charts.items()} for p in CELL},
    "sums, then columns": lambda charts: {
        "tables": {n: {s: {p: c[p][k] for p in CELL} for k, s in enumerate(SUMS)} for n, c in charts.items()}
    },
    "rolls": lambda charts: {
        n: {f"{p} {s}": c[p][k] for p in CELL for k, s in enumerate(SUMS)} for n, c in charts.items()
    },
    "records": lambda charts: [
        {"region": n, "parity": p, "sum": int(s), "city": c[p][k]}
        for n, c in charts.items() for p in CELL for k, s in enumerate(SUMS)
    ],
    "records of charts": lambda charts: [
        {"name": n, "odd": dict(zip(SUMS, c["odd"], strict=True)), "even": dict(zip(SUMS, c["even"], strict=True))}
        for n, c in charts.items()
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize("shape", sorted(DESTINATIONS))
def test_destinations_of_any_shape(shape: str, language: str, usa: Board, tmp_path: Path) -> None:
    names = {r.id: r.name for r in usa.regions} | {c.id: c.name for c in usa.cities} | {"regions": "Regions"}
    charts = {
        names[ident]: {p: [names[getattr(chart, p)[s]] for s in SUMS] for p in CELL}
        for ident, chart in usa.destinations.items()
    }
    known = KnownNames([(r.id, r.name) for r in usa.regions], CITIES, usa.title)
    path = tmp_path / ("charts.txt" if language != "json" else "charts.json")
    path.write_text(LANGUAGES[language](DESTINATIONS[shape](charts)), encoding="utf-8")
    assert read_destination_file(path, known=known).charts == usa.destinations


CODE = {
    "function f(a) { return a * 2; }\nfor (let i = 0; i < 3; i++) {}\n": r"chart\.js: source code without a literal",
    "const a = [1, 2 + 3, f(4)];": r"chart\.js:1:17: '\+' is not part of a literal, and code is not run; write",
    "const a = {x: 1, ...other};": r"chart\.js:1:18: '\.' is not part of a literal",
    "const a = " + "[" * 60 + "]" * 60: r"nests deeper than 32 levels",
    "const a = {Albany: {Boston: 1, Boston: 2}}": r"key 'Boston' appears twice in one object",
    "const a = [1, 2, 3];": r"no payoff chart in this data; two cities must name each amount",
    'const a = {"Albany": {"Boston": 1}': r"chart\.js: source code without a literal",
}


@pytest.mark.parametrize("text", sorted(CODE))
def test_code_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.js"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=CODE[text]) as caught:
        read_payoff_file(path, file="chart.js", cities=CITIES)
    assert "\n" not in str(caught.value)


def test_a_program_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "copied.txt"
    lines = "const keys = {left: 37, right: 39};\nlet n = 0;\nfunction step(k) { n += keys[k] * 2; }\n"
    path.write_text(lines * 1000, encoding="utf-8")
    with pytest.raises(SourceError, match=r"no payoff chart in this data") as caught:
        read_payoff_file(path, cities=CITIES)
    assert "\n" not in str(caught.value)


def test_a_table_of_something_else_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    rows = [f"item {k},{k},{k + 1},{k + 2}" for k in range(300)]
    path.write_text("\n".join(["what,cost,price,weight", *rows]), encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        read_payoff_file(path, cities=CITIES)
    assert "\n" not in str(caught.value)


PARTS = ["const a = ", "{", "}", "[", "]", "(", ")", ",", ":", "=>", "=", "'x'", '"', "`", "1", "2.5e3", "vec!", "Some",
         "Albany", "//", "/*", "*/", "#", "\n", " ", "&", "'static", "-", "null", ".into()", "\\"]  # fmt: skip


@settings(max_examples=examples(150))
@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_any_code_is_data_or_refused_in_words(text: str) -> None:
    looks_like_code(text)
    try:
        found = parse_literals(text, file="x.js")
    except SourceError as error:
        assert str(error).startswith("x.js")  # noqa: PT017 - most are refused
    else:
        assert isinstance(found, dict)
        assert found


VALUES = st.recursive(
    st.sampled_from(["Albany", "it's", 'a "b"', "x\\y", 1.0, 2.5, 7.0]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["Albany", "St. Paul", "k"]), inner),
)


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.lists(VALUES, min_size=1) | st.dictionaries(st.just("a"), VALUES, min_size=1),
    language=st.sampled_from(["js", "py"]),
)
def test_literals_are_what_they_say(data: Any, language: str) -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items()}
        return [plain(v) for v in value] if isinstance(value, list) else float(value) if digits(value) else str(value)

    def digits(value: object) -> bool:
        return not isinstance(value, str) or type(value) is not str

    found = parse_literals(LANGUAGES[language](data), file="x")
    assert plain(next(iter(found.values()))) == plain(data)  # type: ignore[union-attr]
