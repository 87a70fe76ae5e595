"""Builds the editor's page into mapkit/editor/static, which is not committed, before it is packed.

A wheel without the page would be broken, so building one fails when the page is neither there nor can be made. An
editable install works without it; `mapkit edit` then says how to build it.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_HOW = "cd mapkit/editor/web && npm ci && npm run build (Node 18 or later)"


class PageBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs npm where the page is missing or older than its sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's interface
        """Build the page, or say why not.

        Raises:
            RuntimeError: A wheel is built, the page is not there, and it cannot be made.
        """
        web = Path(self.root, "mapkit", "editor", "web")
        page = Path(self.root, "mapkit", "editor", "static", "editor.js")
        if _fresh(web, page):
            return
        if version == "editable":
            if not page.is_file():
                self.app.display_warning(f"mapkit edit needs its page; build it with: {_HOW}")
            return
        npm = shutil.which("npm")
        if npm is None:
            if page.is_file():
                self.app.display_warning("npm was not found; the page of the editor is packed as it is")
                return
            raise RuntimeError(f"the page of the editor is not built, and npm was not found; install Node, or: {_HOW}")
        try:
            for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
                subprocess.run([npm, *arguments], cwd=web, check=True)  # noqa: S603 - npm, with our own arguments
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"the page of the editor could not be built; try: {_HOW}") from error


def _fresh(web: Path, page: Path) -> bool:
    """Return whether the page is there and no older than its sources."""
    if not page.is_file() or not web.is_dir():
        return page.is_file()
    sources = [web / "package.json", web / "package-lock.json", web / "build.mjs"]
    for folder in ("src", "public"):
        sources += [path for path in (web / folder).rglob("*") if path.is_file()]
    return page.stat().st_mtime >= max(path.stat().st_mtime for path in sources)
