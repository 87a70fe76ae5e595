"""Commands of `board.toml`: any key of it."""

from typing import Literal

from pydantic import Field, JsonValue

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.config import config_of
from mapkit.editor.document import Setting, last_rank
from mapkit.errors import SourceError


def check_config(draft: Draft) -> None:
    """Refuse settings that `board.toml` may not have.

    Raises:
        CommandError: A key is unknown, or a value wrong.
    """
    try:
        config_of(draft.document)
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error


@command("settings")
class SetSetting(Command):
    """Set a key of `board.toml`, such as `page.width` or `rules.options`; null takes it out."""

    kind: Literal["set-setting"] = "set-setting"
    key: str = Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$")
    value: JsonValue

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        if self.key.split(".")[0] in ("regions", "accepted"):
            raise CommandError(f"{self.key.split('.')[0]} have commands of their own")
        put_setting(draft, self.key, self.value)
        check_config(draft)
        return f"Clear {self.key}" if self.value is None else f"Set {self.key}"


def put_setting(draft: Draft, key: str, value: JsonValue) -> None:
    """Set a key, or take it and all below it out; an object replaces the whole table."""
    old = draft.table("settings").get(key)
    for other in [name for name in draft.table("settings") if name.startswith(f"{key}.")]:
        draft.drop("settings", other)
    if value is None:
        draft.drop("settings", key)
    elif isinstance(value, dict) and value:
        draft.drop("settings", key)
        for name, one in value.items():
            put_setting(draft, f"{key}.{name}", one)
    else:
        rank = old.rank if old else last_rank(draft.table("settings"))
        draft.put("settings", key, Setting(value=value, rank=rank))
