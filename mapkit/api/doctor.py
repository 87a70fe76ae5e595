"""Installed and missing parts of mapkit, with the commands that need them."""

import platform
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

from packaging.requirements import Requirement

from mapkit.core.base import Frozen
from mapkit.core.errors import ChoiceError
from mapkit.core.processes.installing import DISTRIBUTION, has_numba_wheels, install_command
from mapkit.document import workspace as document_workspace
from mapkit.document.board_health import Fault, inspect_board
from mapkit.editor.server.app import STATIC
from mapkit.kinds.registry import open_session
from mapkit.operations.options import Flag, Workspace
from mapkit.playing.compiling import slow_reason
from mapkit.version import __version__

PartState = Literal["installed", "missing", "unavailable", "off"]


class InstalledPackage(Frozen):
    """A package that a part needs.

    Args:
        name: Its name in package indexes.
        version: The installed version; None if it is missing.
        needed: The versions that fit, `>=0.61`.
        fits: Whether one of them is installed.
    """

    name: str
    version: str | None
    needed: str
    fits: bool


class InstalledPart(Frozen):
    """A part of mapkit, and whether it can be used.

    Args:
        name: What it does.
        required: Whether mapkit is broken without it.
        state: `missing` if a package is missing or of an unfit version, `unavailable` if none is made for this system,
            `off` if a variable of the environment switches it off.
        packages: The packages that it needs.
        commands: The commands that need it; none if all do.
        install: The command that installs what is missing; empty if nothing is.
    """

    name: str
    required: bool
    state: PartState
    packages: tuple[InstalledPackage, ...]
    commands: tuple[str, ...]
    install: str


class Installation(Frozen):
    """The installation that runs: mapkit, Python, and each part; and the faults of a board's files, if asked for."""

    version: str
    python: str
    environment: str
    parts: tuple[InstalledPart, ...]
    board: str = ""
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all that is required is installed, and nothing is damaged that was not repaired."""
        is_installed = all(part.state == "installed" for part in self.parts if part.required)
        return is_installed and all(fault.repaired for fault in self.faults)

    @property
    def exit_code(self) -> int:
        """Return 1 if something that is required is missing, or something is damaged."""
        return int(not self.ok)


class _Part(NamedTuple):
    name: str
    extra: str
    commands: tuple[str, ...]


_NUMBA: Final = "numba"
_COMPILER: Final = _Part(
    "compiled matches",
    "",
    (
        "playtest run",
        "playtest compare",
        "playtest ladder",
        "playtest tune",
        "playtest replay",
        "playtest price",
        "trace-scan",
    ),
)
_OPTIONAL: Final = (
    _Part(
        "scan reader",
        "scan",
        ("payoffs read", "payoffs check", "destinations read", "railroads read", "trace-scan", "place-scan"),
    ),
    _Part("Dask cluster", "cluster", ("playtest run", "playtest compare", "playtest ladder")),
)


def doctor(
    *,
    board: Annotated[str, Flag("--board -b", "BOARD", reading="name")] = "",
    repair: bool = False,
    workspace: Workspace = None,
) -> Installation:
    """List what is installed and what commands lack, and inspect the files of a board.

    Each missing part is listed with the command that installs it in this environment. Exits 1 if a required package
    is missing or has a version that does not fit; optional parts may be missing. With --board, exits 1 too if its
    journal is damaged, if killed commands left files, if the cache is damaged, or if files may not be read or written.

    Args:
        board: Inspect the files of this board too.
        repair: Repair what is damaged; a damaged journal is kept beside the repaired one.

    Raises:
        MapkitError: There is no such board, or its files are wrong.
    """
    faults: tuple[Fault, ...] = ()
    if repair and not board:
        raise ChoiceError("--repair needs --board; give the board to repair")
    if board:
        space = document_workspace.Workspace(Path(workspace) if workspace is not None else Path.cwd())
        faults = inspect_board(space, space.board_folder(board), open_session, repair=repair)
    try:
        needed = [Requirement(text) for text in metadata.requires(DISTRIBUTION) or ()]
    except metadata.PackageNotFoundError:  # mapkit runs from a folder that was not installed
        needed = []
    required = _packages(needed, "")
    compiler = tuple(package for package in required if package.name == _NUMBA)
    rest = tuple(package for package in required if package.name != _NUMBA)
    own = _package(Requirement(f"{DISTRIBUTION}=={__version__}"))
    return Installation(
        version=__version__,
        python=platform.python_version(),
        environment=sys.prefix,
        board=board,
        faults=faults,
        parts=(
            _part(_Part("required packages", "", ()), (own, *rest), required=True),
            _compiler(compiler),
            _page(),
            *(_part(part, _packages(needed, part.extra)) for part in _OPTIONAL),
        ),
    )


def _compiler(packages: Sequence[InstalledPackage]) -> InstalledPart:
    part = _part(_COMPILER, packages)
    if not has_numba_wheels():
        return part.model_copy(update={"state": "unavailable", "install": ""})
    return part.model_copy(update={"state": "off"}) if part.state == "installed" and slow_reason() else part


def _page() -> InstalledPart:
    is_built = (STATIC / "editor.js").is_file()
    return InstalledPart(
        name="page of the editor",
        required=False,
        state="installed" if is_built else "missing",
        packages=(),
        commands=("edit",),
        install="" if is_built else "cd mapkit/editor/web && npm ci && npm run build",
    )


def _part(part: _Part, packages: Sequence[InstalledPackage], *, required: bool = False) -> InstalledPart:
    is_installed = bool(packages) and all(package.fits for package in packages)
    return InstalledPart(
        name=part.name,
        required=required,
        state="installed" if is_installed else "missing",
        packages=tuple(packages),
        commands=part.commands,
        install="" if is_installed else install_command(part.extra),
    )


def _packages(needed: Sequence[Requirement], extra: str) -> tuple[InstalledPackage, ...]:
    """Return the packages that this system needs, of an extra or, without one, of every installation."""
    return tuple(
        _package(requirement)
        for requirement in needed
        if ("extra" in str(requirement.marker)) == bool(extra)
        and (requirement.marker is None or requirement.marker.evaluate({"extra": extra}))
    )


def _package(requirement: Requirement) -> InstalledPackage:
    try:
        found: str | None = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        found = None
    return InstalledPackage(
        name=requirement.name,
        version=found,
        needed=str(requirement.specifier),
        fits=found is not None and requirement.specifier.contains(found, prereleases=True),
    )
