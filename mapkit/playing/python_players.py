"""Players written in Python: a function of a file, `FILE.py:NAME`, whose faults are named."""

import inspect
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TypeVar, cast

from mapkit.core.errors import ChoiceError, MapkitError, did_you_mean

P = TypeVar("P", bound=Callable[..., object])
"""Player: a function of the terms, the position and random numbers, which returns a move."""


def find_player(name: str, players: Mapping[str, P], move: type) -> P:
    """Return a computer player by name, or a function of a Python file: `FILE.py:NAME`.

    Args:
        name: Of the player.
        players: Those that the kind has.
        move: Class of the moves that a player returns.

    Raises:
        ChoiceError: There is none.
    """
    if name in players:
        return players[name]
    file_name, colon, function_name = name.rpartition(":")
    if not colon or not file_name.endswith(".py"):
        known_names = ", ".join(players)
        hint = did_you_mean(name, players)
        raise ChoiceError(f"there is no player {name!r}{hint}; players are {known_names}, or your own as FILE.py:NAME")
    return cast("P", _load_player(Path(file_name), function_name, move))


def _load_player(path: Path, function_name: str, move: type) -> Callable[..., object]:
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise ChoiceError(f"{path}: no such file; name a Python file and a function, as FILE.py:NAME")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ChoiceError(f"{path}: the file of the player cannot be loaded: {error}") from error
    player = getattr(module, function_name, None)
    if not inspect.isfunction(player):
        raise ChoiceError(f"{path}: it has no function {function_name!r}")
    name = f"{path}:{function_name}"

    def play(*position: object) -> object:
        try:
            chosen = player(*position)
        except Exception as error:
            raise MapkitError(f"player {name} fails: {type(error).__name__}: {error}") from error
        if not isinstance(chosen, move):
            raise MapkitError(f"player {name} returns {chosen!r}; return a {move.__name__}")
        return chosen

    return play
