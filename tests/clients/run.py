"""Open exports in the programs that they are for, and compare what is seen with the last time.

    python tests/clients/run.py                   every program that this machine has
    python tests/clients/run.py QGIS Tiled        these
    python tests/clients/run.py --write           keep what is seen, in seen.json
    python tests/clients/run.py --pictures DIR    keep the pictures too, to look at

The exports are written by `mapkit export` and `mapkit print`. Counts must be those of the last time; a picture may
differ in a tenth of the signs of its hash, and is compared where the version is the same. A program that is missing is
skipped, with the package that has it. `tools/make_docs.py` writes `docs/reference/clients.md` from seen.json. Exit
code 1 if something fails.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

import networkx as nx
from PIL import Image

import mapkit

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from firefox import firefox  # noqa: E402
from vassal_engine import GET, JAR  # noqa: E402

SEEN: Final = Path(__file__).with_name("seen.json")
RAIL, HEX, CARDS = "portugal", "portugal-hex", "barons"
HASH_SIDE: Final = 16
MOST_SIGNS: Final = HASH_SIDE**2 // 10
DEBIAN_PYTHON: Final = "/usr/bin/python3"
ICC: Final = Path("/usr/share/color/icc/ghostscript/default_cmyk.icc")
QUIET: Final = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "CI": ""}

Figures = dict[str, Any]


class MissingError(Exception):
    """A program is not on this machine; the text is how to get it."""


class FailedError(Exception):
    """A program could not do what was asked of it."""


@dataclass
class Exports:
    """Files written for programs, each format of a board once, and the pictures that programs draw of them."""

    folder: Path
    pictures: Path
    written: set[Path] = field(default_factory=set)

    def format(self, board: str, name: str) -> Path:
        """Return the folder of an export."""
        return self._write(f"{board}-{name}", "export", board, "--to", name, "--out")

    def printed(self, board: str, *options: str) -> Path:
        """Return a printout."""
        folder = self.folder / "-".join((board, *(Path(option).name for option in options)))
        return self._write(f"{folder.name}.pdf", "print", board, *options, "--out")

    def picture(self, name: str) -> Path:
        """Return where a picture goes."""
        return self.pictures / f"{name}.png"

    def _write(self, name: str, *command: str) -> Path:
        path = self.folder / name
        if path not in self.written:
            run(sys.executable, "-m", "mapkit", *command, str(path), "--workspace", str(ROOT))
            self.written.add(path)
        return path


@dataclass(frozen=True)
class Client:
    """A program, the exports that it opens, the steps that are taken, how to get it, and its version here."""

    exports: str
    steps: str
    package: str
    find_version: Callable[[], str]
    open: Callable[[Exports], Figures]


CLIENTS: dict[str, Client] = {}


def client(name: str, exports: str, steps: str, package: str, *version: str) -> Callable[..., Any]:
    """Register a function that opens exports in a program.

    Args:
        name: Name of the program.
        exports: The exports that it opens.
        steps: Description of the function's steps.
        package: How to get the program.
        version: Command that prints its version.
    """

    def register(function: Callable[[Exports], Figures]) -> Callable[[Exports], Figures]:
        CLIENTS[name] = Client(exports, steps, package, partial(find_version, package, *version), function)
        return function

    return register


def run(*command: str | Path, check: bool = True) -> str:
    """Return what a command prints.

    Raises:
        FailedError: It fails, and `check` is true.
    """
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        errors="replace",
        env=QUIET,
        timeout=300,
    )
    if check and done.returncode:
        raise FailedError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout + done.stderr


def find_version(package: str, *command: str) -> str:
    """Return the version that a program prints.

    Raises:
        MissingError: There is no such program.
    """
    program = shutil.which(command[0])
    printed = run(program, *command[1:], check=False) if program else ""
    numbers = re.search(r"\d+(\.\d+)+", printed)
    if not program or numbers is None:
        raise MissingError(package)
    return numbers.group()


def picture_hash(path: Path) -> str:
    """Return the signs of the differences between neighbours in a small grey copy of a picture (dHash), as hex."""
    with Image.open(path) as picture:
        grey = picture.convert("RGB").convert("L").resize((HASH_SIDE + 1, HASH_SIDE), Image.Resampling.BOX)
    rows = [grey.tobytes()[at : at + HASH_SIDE + 1] for at in range(0, len(grey.tobytes()), HASH_SIDE + 1)]
    signs = "".join(str(int(left < right)) for row in rows for left, right in pairwise(row))
    return f"{int(signs, 2):0{HASH_SIDE**2 // 4}x}"


def compare(last: Mapping[str, Any], seen: Mapping[str, Any]) -> list[str]:
    """Return the figures of a program that differ from the last time; pictures if its version is the same."""
    differences = []
    for name in sorted({*last["figures"], *seen["figures"]}):
        old, new = last["figures"].get(name), seen["figures"].get(name)
        if name.endswith("picture") and old is not None and new is not None:
            signs = (int(old, 16) ^ int(new, 16)).bit_count()
            if last["version"] == seen["version"] and signs > MOST_SIGNS:
                differences.append(f"{name}: {signs} of {HASH_SIDE**2} signs differ, {MOST_SIGNS} may")
        elif old != new:
            differences.append(f"{name}: {new!r}, last time {old!r}")
    return differences


def cities_in(text: str) -> int:
    """Return how many cities of the railroad board a text names."""
    words = set(text.split())
    return sum(set(city.name.split()) <= words for city in mapkit.load(RAIL, workspace=ROOT).cities)


@client("poppler", "`pdf`, `mapkit print`", "fonts, texts and pages; draws a page", "poppler-utils", "pdfinfo", "-v")
def open_in_poppler(exports: Exports) -> Figures:
    board = exports.format(RAIL, "pdf") / f"{RAIL}.pdf"
    printed, target = exports.printed(RAIL, "--paper", "a4"), exports.picture("poppler")
    run("pdftoppm", "-r", "40", "-png", "-singlefile", board, target.with_suffix(""))
    fonts = run("pdffonts", printed).splitlines()[2:]
    return {
        "cities": cities_in(run("pdftotext", "-layout", board, "-")),
        "pages": int(re.findall(r"Pages:\s+(\d+)", run("pdfinfo", printed))[0]),
        "fonts not embedded": sum(line.split()[-5] != "yes" for line in fonts),
        "picture": picture_hash(target),
    }


@client(
    "Ghostscript", "`pdf`, `mapkit print --cmyk`", "draws a page; ink of each colour", "ghostscript", "gs", "--version"
)
def open_in_ghostscript(exports: Exports) -> Figures:
    board, target = exports.format(RAIL, "pdf") / f"{RAIL}.pdf", exports.picture("ghostscript")
    quiet = ("gs", "-q", "-dBATCH", "-dNOPAUSE")
    run(*quiet, "-sDEVICE=png16m", "-r40", f"-sOutputFile={target}", board)
    figures: Figures = {"picture": picture_hash(target)}
    if ICC.is_file():
        press = exports.printed(RAIL, "--paper", "poster", "--only", "board", "--cmyk", str(ICC))
        ink = run(*quiet, "-sDEVICE=ink_cov", "-o-", press).split()[:4]
        figures["ink"] = dict(zip("CMYK", (round(float(share), 1) for share in ink), strict=True))
    return figures


@client(
    "LibreOffice", "`xlsx`", "saves the workbook as ODS and as XLSX, which mapkit reads; draws the first sheet",
    "libreoffice-calc", "soffice", "--version",
)  # fmt: skip
def open_in_libreoffice(exports: Exports) -> Figures:
    book = exports.format(RAIL, "xlsx") / f"{RAIL}.xlsx"
    folder, target = book.parent / "saved", exports.picture("libreoffice")
    office = ("soffice", "--headless", f"-env:UserInstallation={(exports.folder / 'office').as_uri()}")
    run(*office, "--convert-to", "ods", "--outdir", folder, book)
    run(*office, "--convert-to", "xlsx", "--outdir", folder, folder / f"{RAIL}.ods")
    run(*office, "--convert-to", "pdf", "--outdir", folder, book)
    run("pdftoppm", "-r", "40", "-png", "-singlefile", folder / f"{RAIL}.pdf", target.with_suffix(""))
    saved, board = mapkit.load(folder / f"{RAIL}.xlsx"), mapkit.load(RAIL, workspace=ROOT)
    run(*office, "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1",
        "--outdir", folder, book)  # fmt: skip
    with (folder / f"{RAIL}-payoffs.csv").open(encoding="utf-8", newline="") as chart:
        rows = list(csv.reader(chart))
    return {
        "same board": saved == board,
        "sheets": len(list(folder.glob("*.csv"))),
        "rows of payoffs": len(rows),
        "picture": picture_hash(target),
    }


@client(
    "QGIS", "`gpkg`, `geojson`, `kml`, `topojson`, `gpkg` of hexagons",
    "opens the project and draws its map; adds every layer of each file", "python3-qgis",
    DEBIAN_PYTHON, "-c", "from qgis.core import Qgis; print(Qgis.version())",
)  # fmt: skip
def open_in_qgis(exports: Exports) -> Figures:
    names = ("gpkg", "geojson", "kml", "topojson")
    files = [exports.format(RAIL, name) / f"{RAIL}.{name}" for name in names]
    files.append(exports.format(HEX, "gpkg") / f"{HEX}.gpkg")
    target, script = exports.picture("qgis"), Path(__file__).with_name("qgis_open.py")
    printed = run(DEBIAN_PYTHON, script, f"geopackage:{files[0]}?projectName={RAIL}", target, *files)
    seen = next(json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    figures: Figures = {
        **seen["project"],
        **dict(zip((*names, "gpkg of hexagons"), seen["files"], strict=True)),
    }
    return {**figures, "picture": picture_hash(target)}


@client(
    "Tiled",
    "`tiled`, `tiled-json`",
    "draws the map; saves it as JSON, which mapkit reads",
    "tiled",
    "tiled",
    "--version",
)
def open_in_tiled(exports: Exports) -> Figures:
    figures: Figures = {}
    for name, ending in (("tiled", "tmx"), ("tiled-json", "tmj")):
        file, target = exports.format(HEX, name) / f"{HEX}.{ending}", exports.picture(name)
        saved = file.with_name("saved.tmj")
        run("tmxrasterizer", file, target)
        run("tiled", "--export-map", "json", file, saved)
        again = run(sys.executable, "-m", "mapkit", "import", saved, "--into", HEX, "--dry-run", "--workspace", ROOT)
        figures[f"{ending} rows changed"] = int(re.findall(r"(\d+) rows would change", again)[0])
        figures[f"{ending} picture"] = picture_hash(target)
    return figures


@client("Inkscape", "`svg`", "draws the board; lists its layers", "inkscape", "inkscape", "--version")
def open_in_inkscape(exports: Exports) -> Figures:
    drawing, target = exports.format(RAIL, "svg") / f"{RAIL}.svg", exports.picture("inkscape")
    run("inkscape", drawing, "--export-type=png", "--export-width=800", f"--export-filename={target}")
    elements = run("inkscape", "--query-all", drawing)
    return {
        "layers": len(re.findall(r"^layer-", elements, re.MULTILINE)),
        "railroads": len(re.findall(r"^rr-", elements, re.MULTILINE)),
        "picture": picture_hash(target),
    }


@client("librsvg", "`svg`", "draws the board", "librsvg2-bin", "rsvg-convert", "--version")
def open_in_librsvg(exports: Exports) -> Figures:
    target = exports.picture("librsvg")
    run("rsvg-convert", "-w", "800", "-o", target, exports.format(RAIL, "svg") / f"{RAIL}.svg")
    return {"picture": picture_hash(target)}


@client(
    "Chromium", "`svg`, `web`", "draws the board and the page to look things up", "chromium", "chromium", "--version"
)
def open_in_chromium(exports: Exports) -> Figures:
    figures: Figures = {}
    for name, file in (("svg", f"{RAIL}.svg"), ("web", "index.html")):
        path, target = exports.format(RAIL, name) / file, exports.picture(f"chromium-{name}")
        run("chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1000,1000",
            "--virtual-time-budget=4000", f"--screenshot={target}", path.as_uri())  # fmt: skip
        figures[f"{name} picture"] = picture_hash(target)
    return figures


@client(
    "Firefox", "`svg`, `web`", "draws the board and the page to look things up", "firefox-esr", "firefox", "--version"
)
def open_in_firefox(exports: Exports) -> Figures:
    figures: Figures = {}
    for name, file in (("svg", f"{RAIL}.svg"), ("web", "index.html")):
        path, target = exports.format(RAIL, name) / file, exports.picture(f"firefox-{name}")
        home = exports.folder / f"firefox-{name}"
        home.mkdir()
        with firefox(home) as page:
            page.open(path.as_uri(), width=1000, height=1000)
            page.until("document.querySelector('svg path') !== null")
            target.write_bytes(page.screenshot())
        figures[f"{name} picture"] = picture_hash(target)
    return figures


@client(
    "igraph", "`graphml`", "reads the graph", "python3-igraph", DEBIAN_PYTHON, "-c",
    "import igraph; print(igraph.__version__)",
)  # fmt: skip
def open_in_igraph(exports: Exports) -> Figures:
    script = (
        "import igraph, json, sys; g = igraph.Graph.Read_GraphML(sys.argv[1])\n"
        "print(json.dumps({'nodes': g.vcount(), 'edges': g.ecount(), 'railroads': len(set(g.es['railroad'])),"
        "'connected': g.is_connected()}))"
    )
    path = exports.format(RAIL, "graphml") / f"{RAIL}.graphml"
    seen: Figures = json.loads(run(DEBIAN_PYTHON, "-c", script, path).splitlines()[-1])
    return seen


@client(
    "networkx", "`gexf`, `graphml`, `node-link`", "reads the graph", "networkx", sys.executable, "-c",
    "import networkx; print(networkx.__version__)",
)  # fmt: skip
def open_in_networkx(exports: Exports) -> Figures:
    gexf = nx.read_gexf(exports.format(RAIL, "gexf") / f"{RAIL}.gexf")
    graphml = nx.read_graphml(exports.format(RAIL, "graphml") / f"{RAIL}.graphml")
    text = (exports.format(RAIL, "node-link") / f"{RAIL}.node-link.json").read_text(encoding="utf-8")
    graphs = {"gexf": gexf, "graphml": graphml, "node-link": nx.node_link_graph(json.loads(text), edges="edges")}
    return {name: {"nodes": len(graph), "edges": graph.size()} for name, graph in graphs.items()}


@client("Ruby", "`18xx-games`", "loads the map", "ruby", "ruby", "--version")
def open_in_ruby(exports: Exports) -> Figures:
    path = exports.format(HEX, "18xx-games") / f"{HEX}-map.rb"
    script = (
        "require 'json'; load ARGV[0]; h = Map::HEXES.values.flat_map { |places| places.keys.flatten }\n"
        "puts({hexagons: h.size, twice: h.size - h.uniq.size, cities: Map::LOCATION_NAMES.size,"
        "unplaced: (Map::LOCATION_NAMES.keys - h).size}.to_json)"
    )
    seen: Figures = json.loads(run("ruby", "-e", script, path))
    return seen


def register_tests(name: str, exports: str, steps: str, package: str, version: Callable[[], str], *tests: str) -> None:
    """Register a program that tests drive: pytest runs them, and none may be skipped."""

    def open_in_tests(_: Exports) -> Figures:
        printed = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(ROOT / test for test in tests),
                      check=False)  # fmt: skip
        summary = {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed|skipped|error)", printed)}
        reasons = re.findall(r"^(?:SKIPPED|FAILED|ERROR).*", printed, re.MULTILINE)
        if set(summary) != {"passed"}:
            if set(summary) <= {"passed", "skipped"} and reasons:
                raise MissingError(f"{package} ({reasons[0][:160]})")
            raise FailedError(" ".join(reasons)[:500] or printed[-500:])
        return {"tests passed": summary["passed"]}

    CLIENTS[name] = Client(exports, steps, package, version, open_in_tests)


def vassal_version() -> str:
    """Return the version that the manifest of VASSAL's engine has for its parts."""
    if not JAR.is_file():
        raise MissingError(GET)
    with ZipFile(JAR) as jar:
        manifest = jar.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "")
    numbers = re.search(r"vassal-deprecation-([\d.]+\d)", manifest)
    if numbers is None:
        raise FailedError(f"{JAR} has no version")
    return numbers.group(1)


def package_version(folder: str, name: str) -> str:
    """Return the version of a package in the tests' own `node_modules`."""
    path = ROOT / folder / "node_modules" / name / "package.json"
    if not path.is_file():
        raise MissingError(f"npm ci --prefix {folder}")
    return str(json.loads(path.read_text(encoding="utf-8"))["version"])


register_tests(
    "VASSAL", "`vassal` of all kinds",
    "opens the module in its own classes, drops pieces, draws cards, rolls, looks up payoffs, paints maps",
    GET, vassal_version,
    "tests/exchange/vassal/test_vassal_engine.py", "tests/hex/test_hex_vassal.py",
    "tests/cards/test_card_exchange.py::test_vassal_opens_the_module_and_finds_every_card",
)  # fmt: skip
register_tests(
    "PHP", "`bga` of railroads and cards", "loads the data as a project of the studio does", "php-cli",
    partial(find_version, "php-cli", "php", "--version"),
    "tests/exchange/test_board_game_arena.py::test_php_has_the_data_of_the_board",
    "tests/cards/test_card_exchange.py::test_php_has_the_data_of_the_game",
)  # fmt: skip
register_tests(
    "TypeScript", "`engine`, `json`", "compiles boards as their types, strictly", "npm ci --prefix mapkit/editor/web",
    partial(package_version, "mapkit/editor/web", "typescript"),
    "tests/exchange/test_engine_files.py::test_types_and_schemas_are_true_of_what_is_written",
)  # fmt: skip
register_tests(
    "18xx-maker's schema", "`18xx-maker`", "validates games", "npm ci --prefix tests/hex/clients",
    partial(package_version, "tests/hex/clients", "@18xx-maker/schemas"),
    "tests/hex/test_hex_clients.py::test_18xx_maker_takes_the_game",
    "tests/cards/test_card_exchange.py::test_18xx_maker_takes_the_game",
)  # fmt: skip
register_tests(
    "d3-hexjson, Honeycomb", "`hexjson`, `json` of hexagons", "places and neighbours",
    "npm ci --prefix tests/hex/clients",
    partial(package_version, "tests/hex/clients", "d3-hexjson"),
    "tests/hex/test_hex_clients.py::test_hexjson_is_drawn_where_we_draw",
    "tests/hex/test_hex_clients.py::test_honeycomb_has_the_same_coordinates_places_and_neighbours",
)  # fmt: skip
register_tests(
    "Tabletop Simulator's types", "`tts` of all kinds", "compiles saves as the types of the game",
    "npm ci --prefix tests/exchange/tts",
    partial(package_version, "tests/exchange/tts", "@typed-tabletop-simulator/declaration"),
    "tests/exchange/test_tabletop_simulator.py::test_the_united_states_have_all_their_mileposts_and_deeds",
    "tests/hex/test_hex_tabletop.py::test_the_save_has_the_types_of_the_game",
    "tests/cards/test_card_exchange.py::test_tabletop_simulator_has_the_types_of_the_game",
)  # fmt: skip


def see(name: str, exports: Exports, last: Mapping[str, Any]) -> tuple[str, str, dict[str, Any] | None]:
    """Open exports in a program; return `pass`, `skip` or `fail`, the reason, and what was seen."""
    program = CLIENTS[name]
    try:
        version = program.find_version()
        figures = program.open(exports)
    except MissingError as error:
        return "skip", f"not here: {error}", None
    except (FailedError, OSError, subprocess.TimeoutExpired, mapkit.MapkitError) as error:
        return "fail", str(error), None
    seen = {"version": version, "exports": program.exports, "steps": program.steps, "figures": figures}
    differences = compare(last[name], seen) if name in last else []
    if differences:
        return "fail", f"{version}: {'; '.join(differences)}", seen
    return "pass", f"{version}: {program.steps}; {json.dumps(figures, ensure_ascii=False)}", seen


def main() -> int:
    """Open exports in every program that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*CLIENTS, []], metavar="PROGRAM", help=", ".join(CLIENTS))
    parser.add_argument("--write", action="store_true", help="keep what is seen, in seen.json")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep the pictures")
    options = parser.parse_args()
    last: dict[str, Any] = json.loads(SEEN.read_text(encoding="utf-8")) if SEEN.is_file() else {}
    failed = False
    with TemporaryDirectory() as temporary:
        pictures = options.pictures or Path(temporary) / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        exports = Exports(Path(temporary), pictures.resolve())
        for name in options.programs or CLIENTS:
            result, reason, seen = see(name, exports, last)
            print(f"{result} {name} {reason}", flush=True)
            failed |= result == "fail" and not (options.write and seen)
            if seen and options.write:
                last[name] = seen
    if options.write:
        ordered = {name: last[name] for name in CLIENTS if name in last}
        SEEN.write_text(json.dumps(ordered, indent=1, ensure_ascii=False, sort_keys=False) + "\n", encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
