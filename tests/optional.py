"""What a test needs and a machine may lack: other programs, their packages, the built page of the editor.

Without it the test is skipped and says what is missing. Where the variable CI is set it fails: there everything is
installed first (.ci/run), and a skipped test would go unnoticed.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from mapkit.core.processes.installing import install_command
from mapkit.editor.server.app import STATIC
from mapkit.formats.recognising.engine import can_recognise

ON_UNIX = pytest.mark.skipif(sys.platform == "win32", reason="terminals, limits and signals of Unix")


def lacking(reason: str) -> NoReturn:
    """Skip the test with a reason, or let it fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (CI is set, so this is a failure)", pytrace=False)
    pytest.skip(reason)


def program(name: str, cure: str) -> str:
    """Return the path of a program; without it the test is skipped.

    Args:
        name: What is typed to start it.
        cure: How to get it.
    """
    found = shutil.which(name)
    return found or lacking(f"{name} is not installed: {cure}")


@cache
def _runs(command: tuple[str, ...], says: str) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    return done.returncode == 0 and says in (done.stdout + done.stderr).lower()


def built_page() -> None:
    """Skip the test where the page of the editor was never built: an install without npm leaves it out."""
    if not (STATIC / "editor.js").is_file():
        lacking("the page of the editor is not built: cd mapkit/editor/web && npm ci && npm run build")


def pdftotext() -> str:
    """Return the `pdftotext` of poppler; the one of Xpdf lacks options that tests use."""
    cure = "apt-get install poppler-utils"
    found = program("pdftotext", cure)
    return found if _runs((found, "-v"), "poppler") else lacking(f"{found} is not the one of poppler: {cure}")


def tsc(folder: Path, cure: str) -> tuple[str, str]:
    """Return the command that starts the TypeScript compiler of a folder's packages."""
    script = folder / "node_modules" / "typescript" / "bin" / "tsc"
    node = program("node", "install Node.js")
    if not script.is_file():
        lacking(f"the TypeScript compiler is not installed: {cure}")
    if not _runs((node, str(script), "--version"), "version"):
        lacking(f"{node} is too old for the TypeScript compiler of {folder}")
    return node, str(script)


def recogniser() -> None:
    """Skip the test where text in pictures cannot be read."""
    if not can_recognise():
        lacking(f"the recogniser of text is not installed: {install_command('scan')}")
