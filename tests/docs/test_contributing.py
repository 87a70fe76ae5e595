"""The walks of CONTRIBUTING.md, carried out in a copy of the package: what each adds is there and works."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import REPOSITORY

WEB = Path("mapkit") / "editor" / "web"
WALKS = ("Add a check", "Add a format", "Add a command and its button", "Add a theme", "Add a kind")
FENCE = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)


def walk(title: str) -> str:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"\n### {title}\n" in text
    return re.split(r"\n##", text.partition(f"\n### {title}\n")[2])[0]


def steps(title: str) -> list[tuple[str, str, str]]:
    """Return path, language and text of each block of a walk; a block belongs to the last path named before it."""
    out = []
    path = ""
    for part in re.split(r"(```\w+\n.*?\n```)", walk(title), flags=re.DOTALL):
        if found := FENCE.fullmatch(part):
            out.append((path, found[1], found[2]))
        elif named := re.findall(r"`(mapkit/[\w/]+\.\w+)`", part):
            path = named[-1]
    return out


def carry_out(title: str, home: Path) -> None:
    for path, language, text in steps(title):
        file = home / path
        if language != "diff":
            assert not (REPOSITORY / path).exists(), f"{path} is there already"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + "\n", encoding="utf-8")
            continue
        lines = text.splitlines()
        old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
        new = "\n".join(line[1:] for line in lines if not line.startswith("-"))
        content = file.read_text(encoding="utf-8")
        assert content.count(old) == 1, f"{path} does not hold: {old}"
        file.write_text(content.replace(old, new), encoding="utf-8")


COPY = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from mapkit.cli.app import main

for line in sys.stdin:
    sys.argv, out, err, code = ["mapkit", *json.loads(line)], io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""
"""Runs a command for every line that it reads: the copy is imported once, and beside it no other mapkit can be."""


@dataclass(frozen=True)
class Home:
    """A copy of the package after all walks, and a process that runs its commands."""

    folder: Path
    process: "subprocess.Popen[str]"

    def mapkit(self, *words: str) -> str:
        """Run a command of the copy; return what it printed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        code, out, err = json.loads(self.process.stdout.readline())
        assert code in (0, 1), err
        assert code == 0 or "check" in words, err
        return str(out)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A copy of the package after all walks, with a board to work on."""
    folder = tmp_path_factory.mktemp("walks")
    ignored = shutil.ignore_patterns("node_modules", "__pycache__", "static")
    shutil.copytree(REPOSITORY / "mapkit", folder / "mapkit", ignore=ignored)
    for title in WALKS:
        carry_out(title, folder)
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", COPY], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:  # fmt: skip
        home = Home(folder, process)
        home.mapkit("new", "mymap")
        yield home
        process.kill()


def test_every_walk_is_carried_out() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^### (.+)$", text, re.MULTILINE)) == WALKS
    assert {title: len(steps(title)) for title in WALKS} == dict(zip(WALKS, (4, 2, 3, 1, 3), strict=True))


def test_the_command_and_the_check(home: Home) -> None:
    """An odd price is found; the command rounds it, and nothing is found any more."""
    table = home.folder / "sources" / "mymap" / "railroads.csv"
    railroad = table.read_text(encoding="utf-8").splitlines()[1].split(",")[0]
    home.mapkit("do", "mymap", json.dumps({"kind": "edit-railroad", "id": railroad, "price": 12345}))

    def found() -> list[tuple[str, list[str], str]]:
        findings = json.loads(home.mapkit("check", "mymap", "--json"))["findings"]
        return [(one["code"], one["elements"], one["message"]) for one in findings if one["code"] == "N15"]

    [(_, elements, message)] = found()
    assert elements == [railroad]
    assert "costs $12,345, not a multiple of $500; round the price" in message
    home.mapkit("do", "mymap", '{"kind": "round-prices"}')
    assert found() == []
    assert "Round prices to multiples of $500" in home.mapkit("journal", "mymap")


def test_the_format(home: Home) -> None:
    assert "List of cities" in home.mapkit("formats")
    home.mapkit("export", "mymap", "--to", "city-list", "--out", "lists")
    [file] = (home.folder / "lists").rglob("*.cities.txt")
    rows = (home.folder / "sources" / "mymap" / "cities.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(rows)


def test_the_theme(home: Home) -> None:
    assert "brown ink on old paper" in home.mapkit("themes")
    home.mapkit("draw", "mymap", "--theme", "sepia", "--out", "sepia.svg")
    assert "#f1e7d0" in (home.folder / "sepia.svg").read_text(encoding="utf-8")


def test_the_kind(home: Home) -> None:
    home.mapkit("new", "board", "--kind", "pegs")
    home.mapkit("do", "board", '{"kind": "add-peg", "id": "north", "x": 10, "y": 20}')
    home.mapkit("build", "board")
    drawn = home.folder / "build" / "board" / "board.svg"
    assert '<text x="10" y="20">North</text>' in drawn.read_text(encoding="utf-8")


PAGE = """
globalThis.HTMLElement ??= class {};
globalThis.navigator ??= { platform: "" };
globalThis.location ??= { search: "", hash: "", href: "http://localhost/" };
const { actions } = await import("./src/actions.ts");
const { menus } = await import("./src/shell/menus.ts");
await import("./src/prices.ts");
const [draw] = menus.value.filter((menu) => menu.label === "Draw");
console.log(JSON.stringify([draw.actions, actions.value.get("round-prices").label]));
"""


def test_the_button(home: Home) -> None:
    """The module of the page is bundled and run: its action is in the menu, as the page would list it."""
    modules = REPOSITORY / WEB / "node_modules"
    node = shutil.which("node")
    if node is None or not (modules / "esbuild").is_dir():
        pytest.skip("Node.js or the packages of the page are missing; run npm ci in mapkit/editor/web")
    web = home.folder / WEB
    (web / "node_modules").symlink_to(modules)
    (web / "listed.ts").write_text(PAGE, encoding="utf-8")
    bundle = [str(modules / ".bin" / "esbuild"), "listed.ts", "--bundle", "--format=esm", "--platform=node"]
    options = ["--jsx=automatic", "--jsx-import-source=preact", "--loader:.css=empty", "--outfile=listed.mjs"]
    subprocess.run([*bundle, *options, "--log-level=error"], cwd=web, check=True)
    done = subprocess.run([node, "listed.mjs"], cwd=web, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    listed, label = json.loads(done.stdout)
    assert "round-prices" in listed
    assert label == "Round the prices"
