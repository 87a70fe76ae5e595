"""The registry of a railroad board's commands."""

from typing import Final

from mapkit.document import command as frame
from mapkit.document.command import Command, CommandError, Plan
from mapkit.document.frame_commands import commands_of_kind
from mapkit.kinds.rail.tables import RailDocument

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "command", "read_command"]

Draft = frame.Draft[RailDocument]
COMMANDS: Final = commands_of_kind()
"""All commands by kind; the modules of `mapkit.kinds.rail.commands` fill it."""
command = COMMANDS.command
read_command = COMMANDS.read
