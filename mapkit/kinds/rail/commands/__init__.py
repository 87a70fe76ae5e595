"""Commands by kind; `read_command` makes one of JSON."""

from importlib import import_module
from pkgutil import walk_packages

from mapkit.kinds.rail.commands.command import COMMANDS, Command, CommandError, Draft, Plan, read_command

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "read_command"]

for _module in walk_packages(__path__, f"{__name__}."):
    if not _module.name.rpartition(".")[2].startswith("_"):  # those are imported where they are used
        import_module(_module.name)  # a module registers its commands
