"""Commands that install missing parts of mapkit into the running environment."""

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
_SETUP_OPTIONS: Final = {"": (), "scan": ("--scan",)}
"""Extra -> options of `./setup` that install it from the locked requirements."""


def install_command(extra: str = "") -> str:
    """Return the command that installs mapkit's required packages, or an extra, into the running environment.

    Args:
        extra: `scan`, `cluster`, or empty for what is required.
    """
    setup_script = _setup_script()
    if setup_script is not None and extra in _SETUP_OPTIONS:
        return shlex.join([setup_script, *_SETUP_OPTIONS[extra]])
    return pip_command(f"{DISTRIBUTION}[{extra}]" if extra else DISTRIBUTION)


def pip_command(*arguments: str) -> str:
    """Return the command that installs packages into the running environment."""
    if find_spec("pip") is None:  # uv makes environments without it
        return _join_command(["uv", "pip", "install", "--python", sys.executable, *arguments])
    return _join_command([sys.executable, "-m", "pip", "install", *arguments])


def has_numba_wheels() -> bool:
    """Return whether Numba has packages for this system; as in the requirements, it has none for Intel Macs."""
    return not (sys.platform == "darwin" and platform.machine() == "x86_64")


def _setup_script() -> str | None:
    """Return the command for the `setup` script of the checkout of the running `.venv`; None in other environments."""
    checkout_folder = Path(sys.prefix).absolute().parent
    is_checkout = Path(sys.prefix).name == ".venv" and all(
        (checkout_folder / name).is_file() for name in ("setup", "requirements-scan.txt")
    )
    if os.name == "nt" or not is_checkout:
        return None
    return "./setup" if checkout_folder == Path.cwd() else str(checkout_folder / "setup")


def _join_command(command: Sequence[str]) -> str:
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)
