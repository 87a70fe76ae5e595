"""Policies that are classes in Python: `planner`, and those in files of the user's own."""

import sys
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Final

from pydantic import Field

from mapkit.core.errors import ChoiceError, MapkitError, did_you_mean
from mapkit.document.workspace import open_workspace
from mapkit.formats.files import read_text
from mapkit.kinds.rail.api.players.driving import Driver, PlayerNotes, Seated
from mapkit.kinds.rail.api.players.planner import Planner
from mapkit.kinds.rail.api.players.questions import Player, QuestionReader
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.playing.policies import Policy, shipped_policy

PYTHON_PLAYERS: Final = MappingProxyType({"planner": Planner})
"""Those that come with mapkit."""
_IN_FILE: Final = ".py:"


class PythonPolicy(Policy):
    """Policy whose decisions a class takes; its weights decide what the class is not asked."""

    name: str
    source: str = Field(description="Text of the file, on which the matches depend")
    make: Callable[[], Player] = Field(exclude=True)


def is_python_policy(name: str) -> bool:
    """Return whether a name is that of a player written in Python."""
    return name in PYTHON_PLAYERS or _IN_FILE in name


def read_python_policy(name: str, workspace: str | Path | None) -> PythonPolicy:
    """Return a policy by the name of a shipped class, or `FILE.py:CLASS`.

    Raises:
        ChoiceError: The file has no such class, or the class no method `decide`.
        MapkitError: The file cannot be read or run.
    """
    if name in PYTHON_PLAYERS:
        found: object = PYTHON_PLAYERS[name]
        source = ""
    else:
        file, _, class_name = name.rpartition(":")
        source = read_text(open_workspace(workspace).path(file), name=file)
        module = _run_file(file, source)
        found = vars(module).get(class_name)
        if found is None:
            classes = [key for key, value in vars(module).items() if hasattr(value, "decide")]
            raise ChoiceError(f"{file} has no class {class_name!r}{did_you_mean(class_name, classes)}")
    if not isinstance(found, type) or not callable(getattr(found, "decide", None)):
        raise ChoiceError(f"{name} has no method decide(question); see how players are written in Python")
    base = shipped_policy(str(getattr(found, "based_on", "balanced")))
    about = (found.__doc__ or "").strip().partition("\n")[0]
    return PythonPolicy(**{**dict(base), "about": about[:500]}, name=name, source=source, make=found)


def _run_file(file: str, source: str) -> ModuleType:
    """Return the module of a file of Python."""
    module = module_from_spec(spec_from_loader(f"mapkit_player_{Path(file).stem}", loader=None))  # type: ignore[arg-type]
    sys.modules[module.__name__] = module  # classes of data look their module up
    try:
        exec(compile(source, file, "exec"), vars(module))  # noqa: S102 - the user's own file, named on the command line
    except (Exception, SystemExit) as error:
        line = f"{file}:{error.lineno}" if isinstance(error, SyntaxError) else file
        raise MapkitError(f"{line}: the file cannot be run: {type(error).__name__}: {error}") from error
    return module


def driver_of(board: Board, policies: Sequence[Policy], notes: PlayerNotes) -> Driver | None:
    """Return the drive of matches of these policies; None if none is written in Python."""
    seated = [
        Seated(policy.name, policy.make, watched=policy.name not in PYTHON_PLAYERS)
        if isinstance(policy, PythonPolicy)
        else None
        for policy in policies
    ]
    return Driver(QuestionReader(board), seated, notes) if any(seated) else None


def refuse_python_policies(names: Sequence[str], purpose: str) -> None:
    """Refuse players written in Python for what takes players of weights.

    Raises:
        ChoiceError: One of them is written in Python.
    """
    named = next((name for name in names if is_python_policy(name)), None)
    if named is not None:
        raise ChoiceError(f"{named} is written in Python and cannot {purpose}; name policies of weights, such as tuned")
