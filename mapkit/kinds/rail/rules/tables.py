"""What the files of the rules' tables hold, one model a file; `mapkit.kinds.rail.rules.book` reads them.

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


def _figure(value: object) -> object:
    return None if value == NO_FIGURE else value


def _pairs(value: object) -> object:
    return tuple(value.items()) if isinstance(value, Mapping) else value


Value = Annotated[bool | int | str | None, BeforeValidator(_figure, json_schema_input_type=bool | int | str)]
"""The value of a single setting."""

Settings = Annotated[
    tuple[tuple[Path, Value], ...],
    BeforeValidator(_pairs, json_schema_input_type=dict[Path, bool | int | str]),
]
"""Setting -> value; a file has a table."""

_ONLY_PATHS: JsonDict = {"additionalProperties": False}


class Option(Frozen):
    """Something that can be switched on, by one name."""

    id: Slug
    title: Text = Field(description="What it does, in a few words")
    rows: tuple[Cited, ...] = Field(min_length=1)
    settings: Settings = Field(default=(), description="Setting -> value", json_schema_extra=_ONLY_PATHS)
    includes: tuple[Slug, ...] = Field(default=(), description="Options that it switches on too; then it is a bundle")
    needs: tuple[Slug, ...] = Field(default=(), description="Options without which it means nothing")
    amount: Path | None = Field(
        default=None, description="A setting of `settings` whose value may be given: `extra-cash=10000`"
    )


class OptionTable(Frozen):
    """`options.toml`: every option, those that the rule books offer as options first."""

    options: tuple[Option, ...]

    @model_validator(mode="after")
    def _refer(self) -> Self:
        """See that ids are unique, and that options name options."""
        known = [option.id for option in self.options]
        _once("option", known)
        for option in self.options:
            for other in (*option.includes, *option.needs):
                if other not in known:
                    raise ValueError(f"option {option.id!r} names option {other!r}{_unknown(other, known)}")
            if option.amount is not None and option.amount not in dict(option.settings):
                raise ValueError(f"option {option.id!r}: its amount {option.amount!r} is not one of its settings")
            if not (option.settings or option.includes):
                raise ValueError(f"option {option.id!r} switches nothing; give it settings or includes")
        return self


class Condition(Frozen):
    """Something that holds of one setting."""

    setting: Path
    test: Literal["is", "is-not", "at-least", "at-most"] = "is"
    value: Value

    def holds(self, found: object) -> bool:
        """Return whether it holds where the setting is `found`."""
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
    """A dependency, or an exclusion, between settings: where all of `when` hold, `must` has to."""

    rows: tuple[Cited, ...] = Field(min_length=1)
    when: tuple[Condition, ...] = Field(min_length=1)
    must: Condition
    why: Text


class RelationTable(Frozen):
    """`relations.toml`: what must hold between settings; anything else contradicts itself."""

    relations: tuple[Relation, ...]


class PresetRow(Frozen):
    """A preset: where it differs from the defaults of the models, which are the preset `ah`."""

    id: Preset
    title: Text
    settings: Settings = Field(
        default=(), description="Setting -> value where that is not the default", json_schema_extra=_ONLY_PATHS
    )


class PresetTable(Frozen):
    """`presets.toml`: every preset, the default first."""

    presets: tuple[PresetRow, ...]

    @model_validator(mode="after")
    def _unique(self) -> Self:
        _once("preset", [row.id for row in self.presets])
        return self


class Assumed(Frozen):
    """A setting that the texts of some presets leave open, and why it has its value there."""

    setting: Path
    presets: tuple[Preset, ...] = Field(min_length=1)
    why: Text
    when: tuple[Condition, ...] = Field(default=(), description="Where it plays no part unless all of these hold")


class NotGiven(Frozen):
    """A setting that may have no value, and why."""

    setting: Path
    matter: Text = Field(description="What players have to settle themselves")
    why: Text
    when: tuple[Condition, ...] = Field(default=(), description="Where it plays no part unless all of these hold")


class AssumedProcedure(Frozen):
    """A procedure of play, by its row, that the texts of some presets do not state, and why it is played so."""

    row: RowId
    matter: Text = Field(description="The procedure in a few words, for players")
    presets: tuple[Preset, ...] = Field(min_length=1)
    why: Text


class GapTable(Frozen):
    """`gaps.toml`: what the sources of the rules leave open."""

    assumed: tuple[Assumed, ...]
    procedures: tuple[AssumedProcedure, ...]
    not_given: tuple[NotGiven, ...]


class Wording(Frozen):
    """A setting in words: its matter, how its value is said, and the row where the rule sets disagree on it."""

    path: Path
    matter: Text
    unit: Literal["", "money", "percent"] = ""
    disagreement: Annotated[str, Field(pattern=r"^([DG]\d\d)?$")] = ""
    words: dict[str, Text] = Field(default={}, description="What its values mean; of a flag `on` and `off`")

    def of(self, value: object) -> str:
        """Return what a value means; without words of its own a flag is on or off, a choice is itself."""
        key = ("on" if value else "off") if isinstance(value, bool) else str(value)
        return self.words.get(key, key)


class WordTable(Frozen):
    """`words.toml`: every setting in words, in the order of the models."""

    settings: tuple[Wording, ...]

    @model_validator(mode="after")
    def _unique(self) -> Self:
        _once("setting", [row.path for row in self.settings])
        return self


class RuleRow(Frozen):
    """A rule of the game, by the id that the sources of mapkit use for it."""

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
        """See that what is carried out is tested."""
        if bool(self.code) != bool(self.tests):
            raise ValueError(f"row {self.id!r}: give both code and tests, or neither")
        return self


class RowTable(Frozen):
    """`rows.toml`: every row of the rules, and where it lives."""

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
        """See that ids are unique, and that rows have a topic and places of a kind."""
        _once("row", [row.id for row in self.rows])
        for row in self.rows:
            if row.id[3] not in self.topics:
                raise ValueError(f"row {row.id!r}: there is no topic {row.id[3]!r}")
            for place in row.places:
                kind, _, name = place.partition(":")
                known = self.procedures if kind == "procedure" else {name: ""}
                if kind not in self.kinds:
                    raise ValueError(f"row {row.id!r} names the kind of place {kind!r}{_unknown(kind, self.kinds)}")
                if name not in known:
                    raise ValueError(f"row {row.id!r} names the procedure {name!r}{_unknown(name, known)}")
        return self


def _once(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{what} {twice[0]!r} is there twice")


def _unknown(name: str, known: Iterable[str]) -> str:
    return f", which does not exist{did_you_mean(name, known)}"
