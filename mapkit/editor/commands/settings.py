"""Commands of `board.toml`: any key of it."""

from typing import Literal

from pydantic import Field, JsonValue

from mapkit.editor.commands.command import Command, CommandError, Draft, command
from mapkit.editor.config import config_of
from mapkit.editor.document import Setting
from mapkit.errors import SourceError, did_you_mean


def check_config(draft: Draft) -> None:
    """Refuse settings that `board.toml` may not have.

    Raises:
        CommandError: A key is unknown, or a value wrong.
    """
    try:
        config = config_of(draft.document)
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error
    for kind, known in (("railroads", draft.table("railroads")), ("regions", draft.table("regions"))):
        for ident in getattr(config.spacing, kind):
            if ident not in known:
                raise CommandError(f"spacing.{kind}.{ident}: there is no such {kind[:-1]}{did_you_mean(ident, known)}")


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
    for other in [name for name in draft.table("settings") if name.startswith(f"{key}.")]:
        draft.drop("settings", other)
    if value is None:
        draft.drop("settings", key)
    elif isinstance(value, dict) and value:
        draft.drop("settings", key)
        for name, one in value.items():
            put_setting(draft, f"{key}.{name}", one)
    else:
        parts = key.split(".")
        for above in (".".join(parts[:n]) for n in range(1, len(parts))):
            row = draft.rows("settings", Setting).get(above)
            if row is not None and row.value != {}:
                raise CommandError(f"{above} is {row.value!r} and holds no {parts[-1]}; set {above} itself")
            draft.drop("settings", above)
        draft.put("settings", key, Setting(value=value))


@command("settings")
class SetSettings(Command):
    """Set several keys of `board.toml` as one step; null takes one out."""

    kind: Literal["set-settings"] = "set-settings"
    values: dict[str, JsonValue] = Field(min_length=1)
    label: str = Field(default="", max_length=200)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        for key, value in self.values.items():
            one = SetSetting(key=key, value=value)
            if one.key.split(".")[0] in ("regions", "accepted"):
                raise CommandError(f"{one.key.split('.')[0]} have commands of their own")
            put_setting(draft, one.key, value)
        check_config(draft)
        return self.label or f"Set {', '.join(self.values)}"


@command("settings")
class SetRules(Command):
    """Set the preset of the rules, its options, or both; single settings stay."""

    kind: Literal["set-rules"] = "set-rules"
    preset: str | None = None
    options: tuple[str, ...] | None = None

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        parts = []
        if self.preset is not None:
            put_setting(draft, "rules.preset", self.preset)
            parts.append(f"preset {self.preset}")
        if self.options is not None:
            put_setting(draft, "rules.options", list(self.options) or None)
            parts.append(f"options {', '.join(self.options) or 'none'}")
        check_config(draft)
        return f"Set rules: {'; '.join(parts) or 'nothing'}"
