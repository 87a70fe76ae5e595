"""Models of the rules' table files, read by `mapkit.kinds.rail.rules.book`.

The models are also what `docs/schema/rules/` is generated from.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic.config import JsonDict

from mapkit.core.base import Frozen, Slug
from mapkit.core.errors import did_you_mean

Preset = Literal["ah", "ici", "ah-faq"]
"""Avalon Hill, Intersystem Concepts, and Avalon Hill with the rulings of the FAQ (tournament play)."""

NO_FIGURE = "none"
"""How a file says that there is no figure: TOML has no null. No choice of a setting is called so."""

UNSTATED = "unstated"
"""The value of a choice that a rule set does not make."""

Text = Annotated[str, Field(min_length=1)]

RowId = Annotated[str, Field(pattern=r"^RB-[A-Z]\d\d$")]
"""The id of a rule."""

Cited = Annotated[str, Field(pattern=r"^(RB-[A-Z]|D|G)\d\d$")]
"""The id of a rule, of a disagreement (D) or of a gap (G)."""

Path = Annotated[str, Field(pattern=r"^[a-z_]+(\.[a-z_]+)*$")]
"""The dotted path of a setting: `fees.own`."""


def _none_without_figure(value: object) -> object:
    return None if value == NO_FIGURE else value


def _mapping_items(value: object) -> object:
    return tuple(value.items()) if isinstance(value, Mapping) else value


Value = Annotated[
    bool | int | str | None, BeforeValidator(_none_without_figure, json_schema_input_type=bool | int | str)
]
"""The value of a single setting."""

Settings = Annotated[
    tuple[tuple[Path, Value], ...],
    BeforeValidator(_mapping_items, json_schema_input_type=dict[Path, bool | int | str]),
]
"""Setting -> value; a file has a table."""

_NO_OTHER_KEYS: JsonDict = {"additionalProperties": False}


class Option(Frozen):
    """Named option that can be switched on."""

    id: Slug
    title: Text = Field(description="What it does, in a few words")
    rows: tuple[Cited, ...] = Field(min_length=1)
    settings: Settings = Field(default=(), description="Setting -> value", json_schema_extra=_NO_OTHER_KEYS)
    includes: tuple[Slug, ...] = Field(default=(), description="Options that it switches on too; then it is a bundle")
    needs: tuple[Slug, ...] = Field(default=(), description="Options without which it means nothing")
    amount: Path | None = Field(
        default=None, description="A setting of `settings` whose value may be given: `extra-cash=10000`"
    )


class OptionTable(Frozen):
    """`options.toml`: every option, options of the rule books first."""

    options: tuple[Option, ...]

    @model_validator(mode="after")
    def _refer(self) -> Self:
        """Raise unless ids are unique and options name existing options."""
        option_ids = [option.id for option in self.options]
        _require_unique("option", option_ids)
        for option in self.options:
            for named_option in (*option.includes, *option.needs):
                if named_option not in option_ids:
                    raise ValueError(
                        f"option {option.id!r} names option {named_option!r}{_unknown_text(named_option, option_ids)}"
                    )
            if option.amount is not None and option.amount not in dict(option.settings):
                raise ValueError(f"option {option.id!r}: its amount {option.amount!r} is not one of its settings")
            if not (option.settings or option.includes):
                raise ValueError(f"option {option.id!r} switches nothing; give it settings or includes")
        return self


class Condition(Frozen):
    """Condition on one setting."""

    setting: Path
    test: Literal["is", "is-not", "at-least", "at-most"] = "is"
    value: Value

    def holds(self, found: object) -> bool:
        """Return whether the condition holds for a value `found`."""
        match self.test:
            case "is":
                return found == self.value
            case "is-not":
                return found != self.value
            case "at-least":
                return isinstance(found, int) and isinstance(self.value, int) and found >= self.value
            case "at-most":
                return isinstance(found, int) and isinstance(self.value, int) and found <= self.value


class Relation(Frozen):
    """Dependency or exclusion between settings: if all of `when` hold, `must` has to."""

    rows: tuple[Cited, ...] = Field(min_length=1)
    when: tuple[Condition, ...] = Field(min_length=1)
    must: Condition
    why: Text


class RelationTable(Frozen):
    """`relations.toml`: required relations between settings; violations are contradictions."""

    relations: tuple[Relation, ...]


class PresetRow(Frozen):
    """Preset: its differences from the defaults of the models, which are the preset `ah`."""

    id: Preset
    title: Text
    settings: Settings = Field(
        default=(), description="Setting -> value where that is not the default", json_schema_extra=_NO_OTHER_KEYS
    )


class PresetTable(Frozen):
    """`presets.toml`: every preset, the default first."""

    presets: tuple[PresetRow, ...]

    @model_validator(mode="after")
    def _unique(self) -> Self:
        _require_unique("preset", [row.id for row in self.presets])
        return self


class Assumed(Frozen):
    """Setting that the texts of some presets leave open, and the reason for its value there."""

    setting: Path
    presets: tuple[Preset, ...] = Field(min_length=1)
    why: Text
    when: tuple[Condition, ...] = Field(default=(), description="Where it plays no part unless all of these hold")


class NotGiven(Frozen):
    """Setting that may have no value, and the reason."""

    setting: Path
    matter: Text = Field(description="What players have to settle themselves")
    why: Text
    when: tuple[Condition, ...] = Field(default=(), description="Where it plays no part unless all of these hold")


class AssumedProcedure(Frozen):
    """Procedure of play, by row, that the texts of some presets do not state, and the reason for it."""

    row: RowId
    matter: Text = Field(description="The procedure in a few words, for players")
    presets: tuple[Preset, ...] = Field(min_length=1)
    why: Text


class GapTable(Frozen):
    """`gaps.toml`: gaps in the sources of the rules."""

    assumed: tuple[Assumed, ...]
    procedures: tuple[AssumedProcedure, ...]
    not_given: tuple[NotGiven, ...]


class Wording(Frozen):
    """Setting in words: subject, words of its values, and the disagreement of the rule sets on it."""

    path: Path
    matter: Text
    unit: Literal["", "money", "percent"] = ""
    disagreement: Annotated[str, Field(pattern=r"^([DG]\d\d)?$")] = ""
    words: dict[str, Text] = Field(default={}, description="What its values mean; of a flag `on` and `off`")

    def of(self, value: object) -> str:
        """Return the meaning of a value; without own words a flag is on or off, a choice is itself."""
        word_key = ("on" if value else "off") if isinstance(value, bool) else str(value)
        return self.words.get(word_key, word_key)


class WordTable(Frozen):
    """`words.toml`: every setting in words, in the order of the models."""

    settings: tuple[Wording, ...]

    @model_validator(mode="after")
    def _unique(self) -> Self:
        _require_unique("setting", [row.path for row in self.settings])
        return self


class RuleRow(Frozen):
    """Rule of the game, by its id in the sources of mapkit."""

    id: RowId
    title: Text = Field(description="The rule in a few words")
    places: tuple[Annotated[str, Field(pattern=r"^[a-z]+:.+$")], ...] = Field(
        default=(), description="Where it lives besides settings, each `kind:name`; settings name their rows themselves"
    )
    figures: dict[Text, int | Text] = Field(
        default={}, description="What the sources give that no setting holds: name -> figure, or a few words"
    )
    code: str = Field(
        default="", pattern=r"^(_?[a-z_]+)?$", description="The function of the simulator that carries it out"
    )
    tests: tuple[Annotated[str, Field(pattern=r"^test_[a-z0-9_]+$")], ...] = Field(
        default=(), description="The tests that show it, of those in tests/playing"
    )

    @model_validator(mode="after")
    def _tested(self) -> Self:
        """Raise if code is without tests, or tests without code."""
        if bool(self.code) != bool(self.tests):
            raise ValueError(f"row {self.id!r}: give both code and tests, or neither")
        return self


class RowTable(Frozen):
    """`rows.toml`: every row of the rules, with its places."""

    rows: tuple[RuleRow, ...]
    kinds: dict[str, Text] = Field(description="The kinds of places")
    procedures: dict[str, Text] = Field(
        description="The procedures of play: what a simulator or a referee carries out, by name"
    )
    topics: dict[Annotated[str, Field(pattern=r"^[A-Z]$")], Text] = Field(description="Topics, by letter of the rows")
    disagreements: dict[Annotated[str, Field(pattern=r"^D\d\d$")], Text] = Field(
        description="Matters on which the rule sets disagree, or one of them with itself, by number"
    )
    gaps: dict[Annotated[str, Field(pattern=r"^G\d\d$")], Text] = Field(
        description="Matters that no source settles, by number"
    )

    @model_validator(mode="after")
    def _refer(self) -> Self:
        """Raise unless ids are unique, and rows have a topic and places of known kinds."""
        _require_unique("row", [row.id for row in self.rows])
        for row in self.rows:
            if row.id[3] not in self.topics:
                raise ValueError(f"row {row.id!r}: there is no topic {row.id[3]!r}")
            for place in row.places:
                place_kind, _, place_name = place.partition(":")
                known_names = self.procedures if place_kind == "procedure" else {place_name: ""}
                if place_kind not in self.kinds:
                    raise ValueError(
                        f"row {row.id!r} names the kind of place {place_kind!r}{_unknown_text(place_kind, self.kinds)}"
                    )
                if place_name not in known_names:
                    raise ValueError(
                        f"row {row.id!r} names the procedure {place_name!r}{_unknown_text(place_name, known_names)}"
                    )
        return self


def _require_unique(what: str, names: Iterable[str]) -> None:
    repeated_names = [name for name, count in Counter(names).items() if count > 1]
    if repeated_names:
        raise ValueError(f"{what} {repeated_names[0]!r} is there twice")


def _unknown_text(name: str, known: Iterable[str]) -> str:
    return f", which does not exist{did_you_mean(name, known)}"
