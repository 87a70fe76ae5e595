"""NOTICE names every shipped font, icon, layer, table and script, and every package in the editor's page."""

import json
import re
from pathlib import Path

from conftest import REPOSITORY
from optional import built_page

NOTICE = (REPOSITORY / "NOTICE").read_text(encoding="utf-8")
WEB = REPOSITORY / "mapkit" / "editor" / "web"
FOREIGN = {".ttf", ".otf", ".woff", ".woff2", ".svg", ".png", ".ico", ".js", ".bin", ".geojson", ".topojson"}
"""Kinds of files that often come from elsewhere."""
BUILT = {"node_modules", "static", "__pycache__", "dist"}
LICENCES = WEB.parent / "static" / "licences.txt"


def shipped() -> list[Path]:
    files = [path for path in (REPOSITORY / "mapkit").rglob("*") if not BUILT & set(path.parts)]
    layers = [path for path in files if path.parent.name == "layers" and path.suffix == ".json"]
    return sorted(layers + [path for path in files if path.suffix in FOREIGN])


def test_every_shipped_file_that_may_come_from_elsewhere_is_named() -> None:
    paths = [path.relative_to(REPOSITORY).as_posix() for path in shipped()]
    assert len(paths) > 15
    assert [path for path in paths if path not in NOTICE and f"{path.rpartition('/')[0]}/" not in NOTICE] == []


def test_every_named_path_is_there() -> None:
    named = re.findall(r"\bmapkit/[\w./-]*[\w/]", NOTICE)
    assert named
    assert [path for path in named if "static/" not in path and not (REPOSITORY / path).exists()] == []


def packages() -> list[tuple[str, str]]:
    """The packages of the page that NOTICE names, each with its licence."""
    return re.findall(r"^(\S+) \(([\w.-]+)\), Copyright ", NOTICE, re.MULTILINE)


def test_packages_of_the_page_are_named() -> None:
    wanted = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert set(wanted) <= {name for name, _ in packages()}


def test_notice_and_the_built_page_name_the_same_packages() -> None:
    """The build lists what is in the bundle, with the packages that those above need."""
    built_page()
    bundled = re.findall(r"^(\S+) \d[\d.]*, ([\w.-]+)$", LICENCES.read_text(encoding="utf-8"), re.MULTILINE)
    assert packages() == sorted(bundled)
