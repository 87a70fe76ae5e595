"""The npm package `@mapkit/board`: packed, installed in a project of its own, and held against the library."""

import json
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browsing import Opened
from conftest import REPOSITORY
from optional import program, tsc
from sampling import is_long

import mapkit
from mapkit.core.errors import MapkitError
from mapkit.exchange.typescript import typescript_declarations
from mapkit.kinds.rail.exchange.engine.lookup import whole_money
from mapkit.kinds.rail.exchange.engine.schemas import board_schema
from mapkit.kinds.rail.model.board import REGIONS, SUMS, Board
from mapkit.kinds.rail.sources.board_file import read_board
from mapkit.version import __version__

WEB = REPOSITORY / "mapkit" / "editor" / "web"
BOARDS = sorted(
    path.parent.name
    for path in (REPOSITORY / "build").glob("*/board.json")
    if json.loads(path.read_bytes()).get("format") == "mapkit/board"
)
MOST_BYTES = 30_000
PROJECT = """\
import { destination, loadBoard, neighbours, payoff, route, type Board } from "@mapkit/board";
export function feeOfTwo(board: Board): number { return board.rules.fees.bank + 2 * board.rules.fees.opponent; }
const board = loadBoard("");
const places: number[] = board.mileposts.map((milepost) => milepost.drawn_x);
const start: [number, number][] = board.segments.map((segment) => segment.drawn_path[0] as [number, number]);
const ends: string[] = neighbours(board, "chicago").map((next) => next.milepost);
const amount: number | null = payoff(board, "chicago", "denver");
const city: string | null = destination(board, { coloured: 1, white: [2, 3] }, "plains");
// @ts-expect-error a route may be missing
export const miles: number = route(board, "chicago", "denver").miles;
export { amount, city, ends, places, start };
"""
SCRIPT = """\
import { readFileSync } from "node:fs";
import { destination, hitTest, loadBoard, neighbours, payoff, route } from "@mapkit/board";
const { board: file, cases } = JSON.parse(readFileSync(0, "utf8"));
const board = loadBoard(readFileSync(file, "utf8"));
console.log(JSON.stringify(cases.map(({ from, to, railroads, dice, chart }) => [
  route(board, from, to, railroads ? { railroads } : {}), payoff(board, from, to), destination(board, dice, chart),
  neighbours(board, from),
])));
"""
MISTAKES = """\
import { readFileSync } from "node:fs";
import { loadBoard } from "@mapkit/board";
const { board: file, changes } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(changes.map(([path, value]) => {
  const board = JSON.parse(readFileSync(file, "utf8"));
  const last = path.pop(), part = path.reduce((inner, key) => inner[key], board);
  if (value === null) delete part[last]; else part[last] = value;
  try { loadBoard(board); return ""; } catch (error) { return `${error.name}: ${error.path}: ${error.message}`; }
})));
"""


def run(*command: str | Path, cwd: Path, given: str = "") -> str:
    done = subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tsc(WEB, "npm ci --prefix mapkit/editor/web")
    folder, npm = tmp_path_factory.mktemp("npm"), program("npm", "install Node.js")
    run(npm, "run", "package", "--", folder / "dist", cwd=WEB)
    (packed,) = json.loads(run(npm, "pack", "./dist", "--json", cwd=folder))
    assert (packed["name"], packed["version"]) == ("@mapkit/board", __version__)
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    run(npm, "install", "--offline", "--no-audit", "--no-fund", f"./{packed['filename']}", cwd=folder)
    for name, text in (("compare.mjs", SCRIPT), ("mistakes.mjs", MISTAKES), ("project.ts", PROJECT)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_package_is_small(project: Path) -> None:
    assert (project / "node_modules" / "@mapkit" / "board" / "index.js").stat().st_size <= MOST_BYTES


def test_its_types_hold_in_a_strict_project(project: Path) -> None:
    compiler = tsc(WEB, "npm ci --prefix mapkit/editor/web")
    options = ("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom")
    run(*compiler, *options, "project.ts", cwd=project)


def test_its_board_is_the_type_of_exports() -> None:
    types = (WEB / "board" / "src" / "board.ts").read_text(encoding="utf-8")
    assert types.startswith(typescript_declarations(board_schema()))


def expected_route(board: Board, start: str, end: str, railroads: list[str] | None) -> dict[str, object] | None:
    try:
        found = mapkit.route(board, start, end, railroads=railroads)
    except MapkitError:
        return None
    return found.model_dump(mode="json", exclude={"payoff"})


def expected_neighbours(board: Board, milepost: str) -> list[dict[str, object]]:
    return [
        {"milepost": s.b if s.a == milepost else s.a, "segment": s.id, "railroad": s.railroad, "miles": s.miles}
        for s in board.segments
        if milepost in (s.a, s.b)
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_it_finds_what_the_library_finds(project: Path, name: str) -> None:
    """With `--long`: 10,000 cases of all boards."""
    picked, file = random.Random(f"npm {name}"), REPOSITORY / "build" / name / "board.json"  # noqa: S311 - no secret
    board = read_board(file)
    cities, railroads = [city.id for city in board.cities], [railroad.id for railroad in board.railroads]
    cases: list[dict[str, Any]] = []
    for number in range(-(-10_000 // len(BOARDS)) if is_long() else 12):
        start, end = picked.sample(cities, 2)
        some = sorted(picked.sample(railroads, 1 + len(railroads) // 2)) if number % 3 == 0 else None
        dice = {"coloured": picked.randint(1, 6), "white": [picked.randint(1, 6), picked.randint(1, 6)]}
        chart = picked.choice(sorted(board.destinations))
        cases.append({"from": start, "to": end, "railroads": some, "dice": dice, "chart": chart})
    answers = json.loads(
        run("node", "compare.mjs", cwd=project, given=json.dumps({"board": str(file), "cases": cases}))
    )
    row_of, milepost_of = (
        {city: k for k, city in enumerate(board.payoffs.cities)},
        {c.id: c.milepost for c in board.cities},
    )
    for case, (way, amount, cell, moves) in zip(cases, answers, strict=True):
        assert way == expected_route(board, case["from"], case["to"], case["railroads"])
        assert amount == whole_money(board, board.payoffs.thousands[row_of[case["from"]]][row_of[case["to"]]])
        rolled = board.destinations[case["chart"]]
        column = rolled.odd if case["dice"]["coloured"] % 2 else rolled.even
        assert cell == column.get(str(sum(case["dice"]["white"])))
        assert moves == expected_neighbours(board, milepost_of[case["from"]])


def test_a_wrong_file_is_one_clear_error(project: Path) -> None:
    changes = [
        (["version"], 7),
        (["title"], 3),
        (["segments", 2, "miles"], "far"),
        (["segments", 2, "miles"], None),
        (["cities", 0, "milepost"], "atlantis"),
        (["cities", 0, "population"], 5),
        (["payoffs", "thousands", 1], [1.0]),
        (["destinations", REGIONS, "odd", SUMS[0]], "atlantis"),
    ]
    file = REPOSITORY / "build" / "usa" / "board.json"
    said = json.loads(
        run("node", "mistakes.mjs", cwd=project, given=json.dumps({"board": str(file), "changes": changes}))
    )
    assert all(text.startswith("BoardError: ") and "\n" not in text for text in said)
    assert [re.sub(r"^BoardError: [^:]*: ", "", text) for text in said[:6]] == [
        "version should be 2; it is 7",
        "title should be a string; it is 3",
        'segments[2].miles should be a number; it is "far"',
        "segments[2].miles should be there; it is missing",
        'cities[0].milepost should be the id of a milepost; it is "atlantis"',
        "cities[0].population should be left out, as no board has it; it is 5",
    ]
    assert said[7].startswith(f"BoardError: destinations.{REGIONS}.odd.2: ")


def test_marks_lie_where_the_drawing_has_places(opened: Opened, project: Path) -> None:
    library = (project / "node_modules" / "@mapkit" / "board" / "index.js").read_text(encoding="utf-8")
    file = REPOSITORY / "build" / "usa"
    script, _, names = library.rpartition("export{")
    exports = ",".join(f"{name}:{local}" for local, name in re.findall(r"(\w+) as (\w+)", names))
    page_path = project / "page.html"
    page_path.write_text(
        f"<!doctype html><meta charset=utf-8>{(file / 'board.svg').read_text(encoding='utf-8')}"
        f"<script type=module>{script}globalThis.mk={{{exports}}}</script>",
        encoding="utf-8",
    )
    with opened(page_path) as page:
        hit, marks, pawns = page.evaluate(
            """(data) => {
              const svg = document.querySelector("svg"), board = mk.loadBoard(data);
              const steps = mk.route(board, "chicago", "denver").steps;
              const clear = mk.highlight(svg, steps.map((step) => step.segment));
              const marks = [svg.querySelectorAll(".mk-highlight path").length];
              clear();
              marks.push(svg.querySelectorAll(".mk-highlight").length);
              mk.placePawn(svg, board, "red", "chicago");
              const box = mk.placePawn(svg, board, "red", "denver").getBoundingClientRect();
              const middle = mk.pagePoint(svg, box.x + box.width / 2, box.y + box.height / 2);
              return [mk.hitTest(board, ...middle).id, marks, svg.querySelectorAll(".mk-pawn").length];
            }""",
            (file / "board.json").read_text(encoding="utf-8"),
        )
    assert (hit, marks, pawns) == ("denver", [2, 0], 1)
