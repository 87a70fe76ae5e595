"""Commands that install missing parts of mapkit in the environment that runs."""

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "mapkit-boards"
"""The name of mapkit in package indexes; `mapkit` there is another program."""
_SET_UP: Final = {"": (), "scan": ("--scan",)}
"""Extra -> options of `./setup` that install it from the locked requirements."""


def install_command(extra: str = "") -> str:
    """Return the command that installs mapkit's required packages, or an extra, in the environment that runs.

    Args:
        extra: `scan`, `cluster`, or empty for what is required.
    """
    script = _setup_script()
    if script is not None and extra in _SET_UP:
        return shlex.join([script, *_SET_UP[extra]])
    return pip_command(f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION)


def pip_command(*arguments: str) -> str:
    """Return the command that installs packages in the environment that runs."""
    if find_spec("pip") is None:  # uv makes environments without it
        return _joined(["uv", "pip", "install", "--python", sys.executable, *arguments])
    return _joined([sys.executable, "-m", "pip", "install", *arguments])


def has_numba_wheels() -> bool:
    """Return whether Numba has packages for this system; as in the requirements, it has none for Intel Macs."""
    return not (sys.platform == "darwin" and platform.machine() == "x86_64")


def _setup_script() -> str | None:
    """Return how to call the `setup` of the checkout whose `.venv` runs; None in any other environment."""
    folder = Path(sys.prefix).absolute().parent
    is_own = Path(sys.prefix).name == ".venv" and all(
        (folder / name).is_file() for name in ("setup", "requirements-scan.txt")
    )
    if os.name == "nt" or not is_own:
        return None
    return "./setup" if folder == Path.cwd() else str(folder / "setup")


def _joined(command: Sequence[str]) -> str:
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)
