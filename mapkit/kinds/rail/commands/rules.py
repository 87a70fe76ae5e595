"""Rules by meaning: options switched on and off, single settings set and taken back to the preset's."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import Field, JsonValue, ValidationError

from mapkit.core.errors import did_you_mean
from mapkit.document.document import Setting
from mapkit.document.frame_commands import put_setting
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.settings import check_config
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.options import is_on, missing_needs, option_settings, switches
from mapkit.kinds.rail.rules.paths import descriptions, flattened, setting_paths, unknown_setting
from mapkit.kinds.rail.rules.rules import PRESETS, Rules, preset
from mapkit.kinds.rail.rules.words import cell_words, value_words
from mapkit.kinds.rail.tables import RailDocument

HEAD = "rules."
LIST = "rules.options"


@command("rules")
class EditRules(Command):
    """Choose a preset, switch options on and off, set single settings; null takes one back to the preset's."""

    kind: Literal["edit-rules"] = "edit-rules"
    preset: str | None = None
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    values: dict[str, JsonValue] = Field(default_factory=dict)

    def edit(self, draft: Draft) -> str:
        """Plan it."""
        state = RulesState(draft.document)
        said = []
        if self.preset is not None:
            if self.preset not in PRESETS:
                raise CommandError(f"no rules preset {self.preset!r}{did_you_mean(self.preset, PRESETS)}")
            state.preset = self.preset
            said.append(f"preset {self.preset}")
        for ident in self.off:
            state.switch_off(ident)
            said.append(f"{ident} off")
        for name in self.on:
            state.switch_on(name)
            said.append(f"{name} on")
        for path, value in self.values.items():
            said.append(state.set(path, value))
        read_rules(state.data())
        state.write(draft)
        check_config(draft)
        return f"Rules: {', '.join(said) or 'nothing'}"[:200]


def read_rules(data: Mapping[str, Any]) -> Rules:
    """Return rules.

    Raises:
        CommandError: They contradict themselves, or a value is wrong; one sentence each.
    """
    try:
        return Rules.model_validate(data)
    except ValidationError as error:
        lines: list[str] = []
        for item in error.errors():
            message = item["msg"].removeprefix("Value error, ")
            where = ".".join(map(str, item["loc"]))
            lines += (
                message.split("\n") if item["type"] == "value_error" else [f"{where} is {item['input']!r}: {message}"]
            )
        raise CommandError("; ".join(dict.fromkeys(lines))) from error


class RulesState:
    """`[rules]` of a document while it is changed: preset, names of options, single settings by dotted path."""

    def __init__(self, document: RailDocument) -> None:
        rows = {
            key.removeprefix(HEAD): row.value
            for key, row in document.table("settings").items()
            if key.startswith(HEAD) and isinstance(row, Setting)
        }
        given = rows.pop("preset", "ah")
        self.preset = given if isinstance(given, str) and given in PRESETS else "ah"
        names = rows.pop("options", None)
        self.names: list[str] = [str(name) for name in names] if isinstance(names, list) else []
        self.single: dict[str, Any] = {path: value for path, value in rows.items() if value != {}}

    def data(self) -> dict[str, Any]:
        """Return it as nested data."""
        out: dict[str, Any] = {"preset": self.preset}
        for path, value in self.single.items():
            at = out
            *groups, last = path.split(".")
            for group in groups:
                at = at.setdefault(group, {})
            at[last] = value
        if self.names:
            out["options"] = list(self.names)
        return out

    def values(self) -> dict[str, Any]:
        """Return every setting, flat, without asking whether they fit together."""
        start = flattened(preset(self.preset).model_dump())
        switched = option_settings(self.names, given={}) if self.names else {}
        return start | switched | self.single

    def switch_off(self, ident: str) -> None:
        """Switch an option off.

        Raises:
            CommandError: The preset has it, or another option.
        """
        _need_option(ident)
        self.names = list(_without(self.names, ident))
        mine = switches(ident)
        for path in mine:
            self.single.pop(path, None)
        if is_on(ident, self.values()):
            others = [name for name in self.names if switches(name.partition("=")[0]).keys() & mine.keys()]
            if others:
                raise CommandError(f"option {ident} is on through {', '.join(others)}; switch that off")
            raise CommandError(
                f"the preset {self.preset} plays by {ident}; switch on the option against it, or choose another preset"
            )

    def switch_on(self, name: str) -> None:
        """Switch an option on; single settings that say otherwise give way."""
        ident = name.partition("=")[0]
        _need_option(ident)
        for path in switches(ident):
            self.single.pop(path, None)
        self.names = [other for other in self.names if other.partition("=")[0] != ident]
        if any(path.startswith("options.") for path in self.single):
            given = option_settings([name], given={})
            self.single |= {path: value for path, value in given.items() if value is not None}
            missing = missing_needs([name], self.values())
            if missing:
                raise CommandError("; ".join(missing))
        else:
            self.names.append(name)

    def set(self, path: str, value: Any) -> str:  # noqa: ANN401 - any value of a setting
        """Set a setting, or take it back to the preset's; return what was done."""
        known = (*setting_paths(Rules), *descriptions(Rules))
        if path not in known or path == "preset":
            raise CommandError(unknown_setting(path, known))
        for name in self.names:
            ident = name.partition("=")[0]
            if book.options()[ident].amount == path and isinstance(value, int) and value > 0:
                self.names[self.names.index(name)] = f"{ident}={value}"
                return _said(path, value)
        if any(path in switches(name.partition("=")[0]) for name in self.names) or (
            path.startswith("options.") and self.names
        ):
            self._spell_out(path)
        usual = flattened(preset(self.preset).model_dump())
        if value is None or usual.get(path, ...) == value:
            self.single.pop(path, None)
            return f"{book.wording()[_whole(path)].matter} as in the preset"
        self.single[path] = value
        return _said(path, value)

    def _spell_out(self, path: str) -> None:
        """Say options as the settings that they switch, where a setting of theirs is to be another."""
        loose = [name for name in self.names if path.startswith("options.") or path in switches(name.partition("=")[0])]
        for name in loose:
            given = option_settings([name], given={})
            self.single = {p: v for p, v in given.items() if v is not None} | self.single
        self.names = [name for name in self.names if name not in loose]
        if any(p.startswith("options.") for p in self.single) and self.names:
            self._spell_out("options.")

    def write(self, draft: Draft) -> None:
        """Write it into the settings of a draft, rows that stay as they are."""
        old = {k: r for k, r in draft.rows("settings", Setting).items() if k == "rules" or k.startswith(HEAD)}
        new: dict[str, Any] = {f"{HEAD}{path}": value for path, value in self.single.items()}
        if self.preset != "ah" or f"{HEAD}preset" in old:
            new[f"{HEAD}preset"] = self.preset
        if self.names:
            new[LIST] = self.names
        for key in old.keys() - new.keys():
            draft.drop("settings", key)
        for key in sorted(new):
            if key not in old or old[key].value != new[key]:
                put_setting(draft, key, new[key])


def _need_option(ident: str) -> None:
    if ident not in book.options():
        raise CommandError(f"no option {ident!r}{did_you_mean(ident, book.options())}")


def _without(names: Iterable[str], ident: str) -> Iterable[str]:
    """Yield options without one; a bundle that has it is said by its other members."""
    for name in names:
        head = name.partition("=")[0]
        if head == ident or ident in _inside(head):
            if head != ident:
                yield from _without(book.options()[head].includes, ident)
        else:
            yield name


def _inside(ident: str) -> set[str]:
    own = set(book.options()[ident].includes)
    return own.union(*(_inside(one) for one in own))


def _whole(path: str) -> str:
    return path if path in book.wording() else path.rpartition(".")[0]


def _said(path: str, value: Any) -> str:  # noqa: ANN401 - any value of a setting
    whole = _whole(path)
    words = cell_words(value) if whole != path else value_words(path, value)
    return f"{book.wording()[whole].matter} {words}"
