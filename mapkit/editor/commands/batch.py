"""Several commands as one step: bulk edits, paste, fill."""

from typing import Any, Literal

from pydantic import Field

from mapkit.editor.commands.command import Command, CommandError, Draft, command, read_command

MAX_COMMANDS = 50_000


@command("document")
class Batch(Command):
    """Do commands one after the other as one step, all or none."""

    kind: Literal["batch"] = "batch"
    label: str = Field(min_length=1, max_length=200)
    commands: tuple[dict[str, Any], ...] = Field(min_length=1, max_length=MAX_COMMANDS)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for number, data in enumerate(self.commands, start=1):
            made = read_command(data)
            if isinstance(made, Batch):
                raise CommandError("a batch holds no other batch; list its commands")
            try:
                made.edit(draft)
            except CommandError as error:
                raise CommandError(f"command {number} of {len(self.commands)}, {made.kind}: {error}") from error
        return self.label
