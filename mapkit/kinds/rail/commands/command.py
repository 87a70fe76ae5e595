"""Registry of a railroad board's commands."""

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Final

from mapkit.document import command as frame
from mapkit.document.command import Command, CommandError, Plan
from mapkit.document.frame_commands import commands_of_kind
from mapkit.kinds.rail.tables import RailDocument

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "command", "read_command"]

Draft = frame.Draft[RailDocument]


def _import_command_modules() -> None:
    """Import the modules of this folder, to register their commands; skip modules with an underscore."""
    for module in walk_packages([str(Path(__file__).parent)], f"{__package__}."):
        if not module.name.rpartition(".")[2].startswith("_"):
            import_module(module.name)


COMMANDS: Final = commands_of_kind(_import_command_modules)
"""All commands by kind; the modules of `mapkit.kinds.rail.commands` fill it."""
command = COMMANDS.command
read_command = COMMANDS.read
