"""How the package hangs together: groups import one way only, and help needs no heavy library."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib.metadata import version
from pathlib import Path

import mapkit

PACKAGE = Path(mapkit.__file__).parent
ORDER = (
    {"errors", "version"},
    {"model"},
    {"csvtext", "geodesy", "jsontext", "output"},
    {"sources", "network"},
    {"trace"},
    {"charts"},
    {"compile"},
    {"checks", "variants"},
    {"render", "exchange", "playtest"},
    {"bundle"},
    {"api", "api_destinations", "api_exchange", "api_payoffs", "api_print", "api_rules", "api_sheets"},
    {"editor"},
    {"cli"},
)
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
ENTRY = {"__init__", "__main__"}
HEAVY = {
    *("fontTools", "geopandas", "networkx", "numpy", "pandas", "pikepdf", "pydantic", "pyproj", "resvg_py", "rich"),
    *("scipy", "shapely", "starlette", "svgwrite", "typst", "uharfbuzz", "uvicorn"),
}


def group_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("mapkit.")}


def test_groups_import_one_way_only() -> None:
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        group = group_of(path)
        if group in ENTRY:
            continue
        assert group in RANK, f"{path}: give the group {group!r} its place in the order"
        wrong += [
            f"{path.relative_to(PACKAGE)} imports {other}"
            for other in imported(path) - {group}
            if RANK[other] > RANK[group]
        ]
    assert wrong == []


def test_no_module_leads_back_to_itself() -> None:
    """Imports inside functions count too; those for types alone do not."""
    needs: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.stem in ENTRY:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                node.body = []
        found = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        needs[".".join(("mapkit", *path.relative_to(PACKAGE).with_suffix("").parts))] = found
    assert "mapkit.sources.package" in needs
    TopologicalSorter({module: found & set(needs) for module, found in needs.items()}).prepare()


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys\nsys.argv = ['mapkit', '--help']\n"
        "from mapkit.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage" in done.stdout
    assert HEAVY & set(done.stderr.split()) == set()


def test_the_version_is_stated_once() -> None:
    assert version("mapkit") == mapkit.__version__
