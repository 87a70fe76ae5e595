"""Commands by kind; `read_command` makes one of JSON."""

from collections.abc import Mapping

from mapkit.editor.commands import cities, payoffs, railroads, settings
from mapkit.editor.commands.command import COMMANDS, Command, CommandError, Draft, Plan, told
from mapkit.errors import did_you_mean

__all__ = ["COMMANDS", "Command", "CommandError", "Draft", "Plan", "read_command"]

_TOPICS = (cities, payoffs, railroads, settings)


def read_command(data: object) -> Command:
    """Return a command from its JSON, `{"kind": "set-payoff", ...}`.

    Raises:
        CommandError: There is no such kind, or a field is unknown, missing or wrong.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise CommandError('a command is a JSON object with a "kind", such as {"kind": "set-payoff", ...}')
    kind = data["kind"]
    if kind not in COMMANDS:
        raise CommandError(f"no command {kind!r}{did_you_mean(kind, COMMANDS)}")
    with told():
        return COMMANDS[kind].model_validate(data)
