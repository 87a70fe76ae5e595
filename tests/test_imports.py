"""How the package hangs together: rooms import one way only, kinds stand apart, and help needs no heavy library."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

import mapkit
from mapkit.core.processes.installing import DISTRIBUTION

PACKAGE = Path(mapkit.__file__).parent
KINDS = tuple(sorted(path.name for path in (PACKAGE / "kinds").iterdir() if (path / "__init__.py").is_file()))
ROOMS = (
    {"core", "version"},
    {"operations"},
    {"formats", "console"},
    {"geography"},
    {"drawing"},
    {"press"},
    {"exchange"},
    {"playing"},
    {"document"},
    {"evaluate"},
    {"variants"},
    {"kinds.uploads", "kinds.queries", "kinds.protocol"},
    {"kinds.responses"},
    {"kinds.kind", "kinds.operations"},
    {"kinds.registry", "kinds.starting"},
    {"editor"},
    {"api"},
    {"cli", "schema"},
)
"""The rooms of the frame; each imports from those above it only."""
KNOW_KINDS = {"kinds/registry.py", "__init__.py", "schema.py", "core/addons/__init__.py"}
"""What of the frame may name a kind: the registry, names that are imported by users, and the list of add-ons."""
OF_KINDS = {
    "core",
    "version",
    "operations",
    "formats",
    "console",
    "geography",
    "drawing",
    "press",
    "exchange",
    "playing",
    "document",
    "evaluate",
    "variants",
    "kinds.uploads",
    "kinds.queries",
    "kinds.responses",
    "kinds.protocol",
    "kinds.kind",
    "kinds.operations",
}
"""Rooms of the frame that kinds may use."""
RAIL = (
    {"rules"},
    {"model"},
    {"tables", "network"},
    {"sources"},
    {"trace", "charts"},
    {"scanning"},
    {"playing"},
    {"refereeing"},
    {"reading", "importing", "editing"},
    {"compiler"},
    {"commands"},
    {"checks", "variants"},
    {"render"},
    {"exchange"},
    {"bundle", "package"},
    {"drafting"},
    {"api"},
    {"operations"},
    {"live", "queries"},
    {"serving", "cli"},
    {"kind", "parts"},
)
"""The rooms of railroad boards; each imports from those above it only."""
HEX = (
    {"grid"},
    {"rules"},
    {"tables"},
    {"model"},
    {"geodata"},
    {"config"},
    {"compiler", "shelf", "example"},
    {"commands"},
    {"network"},
    {"render"},
    {"exchange"},
    {"checks", "sampling"},
    {"queries"},
    {"kind", "parts"},
    {"operations"},
    {"playing"},
    {"refereeing"},
    {"api"},
    {"cli"},
)
"""The rooms of boards of hexagons, likewise."""
CARDS = (
    {"rules", "sniffing"},
    {"tables"},
    {"game"},
    {"config"},
    {"compiler"},
    {"render"},
    {"playing"},
    {"analysis", "refereeing"},
    {"exchange"},
    {"checks"},
    {"commands", "columns", "queries"},
    {"kind"},
    {"operations"},
    {"api"},
    {"cli"},
)
"""The rooms of card games, likewise."""
OF_KIND = {"cards": CARDS, "hex": HEX, "rail": RAIL}
MOST = 26
"""Modules that a folder may have, with its `__init__`."""
HEAVY = {
    *(
        "fontTools",
        "geopandas",
        "jinja2",
        "networkx",
        "numpy",
        "pandas",
        "pikepdf",
        "pydantic",
        "pyproj",
        "rapidfuzz",
        "resvg_py",
        "rich",
    ),
    *("shapely", "starlette", "svgwrite", "typst", "uharfbuzz", "uvicorn"),
}


@cache
def modules() -> tuple[tuple[Path, str], ...]:
    return tuple(_modules())


@cache
def parsed(path: Path) -> ast.Module:
    """Return a module as a tree that no test changes."""
    return ast.parse(path.read_text(encoding="utf-8"))


def _modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(("mapkit", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        if name not in ("mapkit", "mapkit.__main__") and "node_modules" not in path.parts:
            yield path, name


LATE = {
    "mapkit": "public names",
    "mapkit.schema": "models of files",
    "mapkit.console.texts": "what commands print with",
    "mapkit.core.heavy": "libraries that are slow to load",
    "mapkit.kinds.hex.parts": "boards from geography",
    "mapkit.kinds.rail.api.payoffs.late": "boards, where a chart is read",
    "mapkit.kinds.rail.charts.late": "charts that nobody typed",
    "mapkit.kinds.rail.cli.late": "what commands need to run",
    "mapkit.kinds.rail.commands.late": "geometry of few commands",
    "mapkit.kinds.rail.compiler.late": "compiling where nothing is kept",
    "mapkit.kinds.rail.importing.late": "placing of drawings",
    "mapkit.kinds.rail.parts": "what a kind answers",
    "mapkit.kinds.rail.reading.late": "geometry of few boards",
    "mapkit.kinds.rail.render.boxes.late": "contents of boxes, which few boards have",
    "mapkit.kinds.rail.render.ground.late": "relief, graticule, compass and names of water, which few boards have",
    "mapkit.kinds.rail.render.late": "drawings that many commands do without",
    "mapkit.kinds.rail.variants.late": "applying variants",
    "mapkit.drawing.press": "printing, an add-on",
    "mapkit.formats.lines.late": "OpenStreetMap and GTFS, an add-on",
    "mapkit.formats.recogniser": "reading text in pictures, an add-on",
}
"""Modules whose names are imported when they are first used; each has a stub that lists them."""
EXTRAS = {"onnxruntime", "opencv-python-headless"}
"""What `mapkit.core.heavy` has of the extra `scan`; mapkit.formats.recognising says what to install."""
BY_NAME = {
    "mapkit.playing.clusters": "Dask, an extra",
    "mapkit.playing.compiling": "Numba, which few commands load",
    "mapkit.core.lazy": "the names of stubs",
    "mapkit.operations.signatures": "operations and what shows their results, when a command runs",
    "mapkit.console.options": "what shells complete, when they ask",
    "mapkit.kinds.registry": "kinds, which programs may add to",
    "mapkit.exchange.formats": "formats of boards, which packages may add to",
    "mapkit.kinds.rail.commands.command": "all modules of the folder",
    "mapkit.core.addons": "modules that may need an add-on",
    "mapkit.kinds.rail.api.schemas": "models of what is printed as JSON, from their table",
}
"""Modules that import others by name, from a table."""


@cache
def _statements_of(path: Path, *, types: bool) -> tuple[ast.stmt, ...]:
    """Return the statements of a module, found once for all tests."""
    return tuple(_statements(parsed(path), types=types))


def _statements(tree: ast.AST, *, types: bool) -> Iterator[ast.stmt]:
    """Yield the statements of a tree, also those inside others, but no expressions, which import nothing."""
    for node in ast.iter_child_nodes(tree):
        if (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
            and not types
        ):
            continue
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            if isinstance(node, ast.stmt):
                yield node
            yield from _statements(node, types=types)


@cache
def imported(path: Path, *, types: bool = True) -> frozenset[str]:
    """Return what a module imports of mapkit, also what its stub says it imports late."""
    stub = path.with_suffix(".pyi")
    out: set[str] = set()
    for node in (
        statement
        for source in (path, *([stub] if stub.is_file() else []))
        for statement in _statements_of(source, types=types)
    ):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            folder = PACKAGE.parent.joinpath(*node.module.split("."))
            parts = {alias.name for alias in node.names if _is_module(folder / alias.name)}
            out |= {f"{node.module}.{part}" for part in parts}
            if len(parts) < len(node.names):
                out.add(node.module)
    return frozenset(name for name in out if name.startswith("mapkit."))


@cache
def _is_module(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def kind_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[1] == "kinds" and len(parts) > 2 and parts[2] in KINDS else None


def room_of(module: str) -> str:
    parts = module.split(".")
    if kind_of(module) is not None:
        return parts[3] if len(parts) > 3 else "__init__"
    return ".".join(parts[1:3]) if parts[1] == "kinds" else parts[1]


def rank_in(order: tuple[set[str], ...], room: str) -> int:
    found = [rank for rank, rooms in enumerate(order) if room in rooms]
    assert found, f"give the room {room!r} its place in the order"
    return found[0]


def upwards(order: tuple[set[str], ...], pairs: Iterator[tuple[str, str]]) -> list[str]:
    """Return imports that go against an order."""
    wrong = []
    for module, other in pairs:
        here, there = room_of(module), room_of(other)
        if here != there and rank_in(order, there) > rank_in(order, here):
            wrong.append(f"{module} imports {other}")
    return wrong


def test_only_the_registry_knows_a_kind() -> None:
    names = {f"kinds{mark}{kind}" for kind in KINDS for mark in "./"}
    wrong = [
        str(path.relative_to(PACKAGE))
        for path, module in modules()
        if kind_of(module) is None
        and path.relative_to(PACKAGE).as_posix() not in KNOW_KINDS
        and any(name in path.read_text(encoding="utf-8") for name in names)
    ]
    assert set(KINDS) == set(OF_KIND)
    assert wrong == []


@pytest.mark.slow
def test_a_kind_uses_the_frame_and_not_what_runs_it() -> None:
    wrong = [
        f"{module} imports {other}"
        for path, module in modules()
        if (kind := kind_of(module)) is not None
        for other in imported(path)
        if kind_of(other) != kind and room_of(other) not in OF_KINDS
    ]
    assert wrong == []


def test_no_folder_has_more_modules_than_one_can_look_over() -> None:
    found = Counter(path.parent for path, _ in modules())
    assert [f"{folder.relative_to(PACKAGE)}: {count}" for folder, count in sorted(found.items()) if count > MOST] == []


def test_no_three_classes_share_a_name() -> None:
    """Two may: a protocol of the frame and a kind's own class, a row of a table and an element of a board."""
    found: dict[str, list[str]] = {}
    for path, module in modules():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    shared = {name: where for name, where in found.items() if len(where) > 2}
    elements = {"City", "Junction", "Milepost"}  # as a row, on a board, in a board file
    assert {name: where for name, where in shared.items() if name not in elements} == {}


def test_every_folder_says_what_it_is() -> None:
    folders = {path.parent for path, _ in modules()}
    assert [
        str(folder.relative_to(PACKAGE))
        for folder in sorted(folders)
        if not ast.get_docstring(parsed(folder / "__init__.py"))
    ] == []


def test_rooms_of_the_frame_import_one_way_only() -> None:
    pairs = (
        (module, other)
        for path, module in modules()
        if kind_of(module) is None and module not in ("mapkit.kinds", "mapkit.drawing.press")  # late, of an add-on
        for other in imported(path)
        if kind_of(other) is None
    )
    assert upwards(ROOMS, pairs) == []


@pytest.mark.parametrize("kind", OF_KIND)
def test_rooms_of_a_kind_import_one_way_only(kind: str) -> None:
    pairs = (
        (module, other)
        for path, module in modules()
        if kind_of(module) == kind and module != f"mapkit.kinds.{kind}"
        for other in imported(path)
        if kind_of(other) == kind and other != f"mapkit.kinds.{kind}"
    )
    assert upwards(OF_KIND[kind], pairs) == []


def test_no_module_leads_back_to_itself() -> None:
    """Imports inside functions count too; those for types alone do not."""
    needs = {module: imported(path, types=False) for path, module in modules() if path.stem != "__init__"}
    assert "mapkit.kinds.rail.sources.package" in needs
    TopologicalSorter({module: found & set(needs) for module, found in needs.items()}).prepare()


def test_imports_stand_at_the_top() -> None:
    """What is loaded late is in a stub, or in a table; no function imports."""
    inside = [
        f"{module}:{node.lineno}"
        for path, module in modules()
        for function in _statements_of(path, types=True)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in _statements(function, types=True)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    by_name = {module for path, module in modules() if "import_module(" in path.read_text(encoding="utf-8")}
    assert inside == []
    assert by_name == set(BY_NAME)


def test_stubs_list_what_is_loaded_late() -> None:
    stubs = {path.relative_to(PACKAGE.parent).with_suffix("") for path in PACKAGE.rglob("*.pyi")}
    names = {".".join(stub.parts).removesuffix(".__init__") for stub in stubs if "node_modules" not in stub.parts}
    assert names == set(LATE)
    for name in sorted(LATE):
        module = import_module(name)
        assert [late for late in module.__all__ if getattr(module, late) is None] == []
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            _ = module.nothing


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys\nsys.argv = ['mapkit', '--help']\n"
        "from mapkit.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8")
    assert "Usage" in done.stdout
    assert HEAVY & set(done.stderr.split()) == set()


@pytest.mark.slow
def test_what_needs_no_data_frame_loads_none() -> None:
    """pandas alone takes longer to load than a route to be found."""
    code = (
        "import sys\nfrom mapkit.cli import main\n"
        "for line in ('check portugal --all', 'report portugal', 'route Lisboa Porto --board portugal'):\n"
        "    sys.argv = ['mapkit', *line.split()]\n"
        "    try:\n        main()\n    except SystemExit as end:\n        assert not end.code, line\n"
        "print('MODULES', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent, encoding="utf-8"
    )
    said, _, loaded = done.stdout.partition("MODULES")
    assert "spur of" in said
    assert "shapely" in loaded.split()
    assert {"geopandas", "pandas", "pyogrio"} & set(loaded.split()) == set()


@pytest.mark.slow
def test_the_default_installation_has_all_that_is_imported() -> None:
    """What only tests need, such as SciPy, no module may import, not even late."""
    locked = (PACKAGE.parent / "requirements.txt").read_text(encoding="utf-8")
    installed = set(re.findall("(?m)^([a-z0-9-]+)==", locked))
    stubs = (path for path in sorted(PACKAGE.rglob("*.pyi")) if "node_modules" not in path.parts)
    imported = {
        name.partition(".")[0]
        for path in (*(path for path, _ in modules()), *stubs)
        for node in ast.walk(parsed(path))
        for name in _named(node)
    }
    of = packages_distributions()
    needed = {re.sub("[-_.]+", "-", of[name][0]).lower() for name in imported - sys.stdlib_module_names - {"mapkit"}}
    assert needed - installed == EXTRAS
    assert "numpy" in needed
    assert not {"scipy", "pytest"} & (imported | installed)


def _named(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports, but those of a relative import."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [str(node.module)] if isinstance(node, ast.ImportFrom) and not node.level else []


def test_the_version_is_stated_once() -> None:
    assert version(DISTRIBUTION) == mapkit.__version__
