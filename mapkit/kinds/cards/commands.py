"""Registry of commands, with those of every kind, which refuse settings unknown to `board.toml`."""

from typing import Final

from mapkit.document.command import Draft
from mapkit.document.frame_commands import commands_of_kind
from mapkit.document.preconditions import refuse_new_problems
from mapkit.kinds.cards.config import read_card_config
from mapkit.kinds.cards.tables import CardDocument

COMMANDS: Final = commands_of_kind()


@COMMANDS.checks_settings()
def _check_settings(draft: Draft[CardDocument]) -> None:
    """Refuse settings that `board.toml` may not have."""
    refuse_new_problems(read_card_config(draft.base)[1], read_card_config(draft.document)[1])
