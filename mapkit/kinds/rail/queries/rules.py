"""Rules of the game: every option and setting from the models, and the rule sheet with marked changes."""

from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mapkit.core.base import Frozen
from mapkit.document.changes import apply
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.rail.commands import CommandError
from mapkit.kinds.rail.commands.rules import EditRules, RulesState, read_rules, worded_path
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.queries.moments import Moment, board_at
from mapkit.kinds.rail.queries.question import Asked, question
from mapkit.kinds.rail.render.rule_sheet.page import list_open_matters
from mapkit.kinds.rail.render.rule_sheet.sheet import make_rule_sheet
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.diff import RuleDifference, diff_rules
from mapkit.kinds.rail.rules.gaps import gaps
from mapkit.kinds.rail.rules.house import HouseRule
from mapkit.kinds.rail.rules.money import Group, PlayersTable
from mapkit.kinds.rail.rules.options import is_on, option_exclusions, shown_value
from mapkit.kinds.rail.rules.paths import TABLE_KEYS, descriptions, flatten_nested, get_setting
from mapkit.kinds.rail.rules.rows import rows_by_setting
from mapkit.kinds.rail.rules.rules import Rules
from mapkit.kinds.rail.rules.rules import preset as preset_rules
from mapkit.kinds.rail.rules.words import value_words
from mapkit.kinds.rail.tables import RailDocument


class RulesAsked(Frozen):
    """Base of marked changes: the saved files, a step, or the plain preset."""

    against: Moment | Literal["preset"] = "saved"


class Preset(Frozen):
    """A published set of rules."""

    id: str
    title: str


class Excluded(Frozen):
    """Option excluded by another, and the matter of their disagreement."""

    id: str
    about: str


class ShownOption(Frozen):
    """An option: whether it is `on`, is in the `preset`, and has `changed`.

    `sets` says what it sets, `amount` the amount that it has; `refused` why it cannot be switched the other way.
    """

    id: str
    title: str
    rows: tuple[str, ...]
    on: bool
    preset: bool
    changed: bool
    sets: tuple[str, ...]
    includes: tuple[str, ...]
    needs: tuple[str, ...]
    excludes: tuple[Excluded, ...]
    amount: int | None
    refused: str | None


class SettingChoice(Frozen):
    """A value that a setting can have, in words."""

    value: str | int
    words: str


class _Setting(Frozen):
    """A setting: its value and that of the preset, in words too.

    `before` is what it was, if it has changed; `open` why no source says it.
    """

    path: str
    matter: str
    about: str
    rows: tuple[str, ...]
    disagreement: str
    words: str
    usual_words: str
    before: str | None
    open: str | None


class FlagSetting(_Setting):
    """A setting that is on or off."""

    kind: Literal["flag"] = "flag"
    value: bool
    usual: bool
    words_on: str
    words_off: str


class ChoiceSetting(_Setting):
    """A setting with a few values."""

    kind: Literal["choice"] = "choice"
    value: str | int
    usual: str | int
    choices: tuple[SettingChoice, ...]


class NumberSetting(_Setting):
    """A setting that is a whole number, or nothing if it is `nullable`."""

    kind: Literal["number"] = "number"
    value: int | None
    usual: int | None
    low: int | None
    high: int | None
    nullable: bool
    unit: str


class TableSetting(_Setting):
    """A setting that differs by the number of players; `cells` are its keys."""

    kind: Literal["table"] = "table"
    value: dict[str, int | None]
    usual: dict[str, int | None]
    cells: tuple[str, ...]


class WordsSetting(_Setting):
    """A setting that is a list of texts."""

    kind: Literal["words"] = "words"
    value: tuple[HouseRule, ...] | None
    usual: tuple[HouseRule, ...] | None


class GroupsSetting(_Setting):
    """A setting that is a list of groups of railroads."""

    kind: Literal["groups"] = "groups"
    value: tuple[Group, ...] | None
    usual: tuple[Group, ...] | None


ShownSetting = FlagSetting | ChoiceSetting | NumberSetting | TableSetting | WordsSetting | GroupsSetting


class SettingGroup(Frozen):
    """Settings about one matter."""

    id: str
    about: str
    settings: tuple[ShownSetting, ...]


class MarkedText(Frozen):
    """A sentence of the rule sheet: `new`, `gone`, or as it was."""

    text: str
    mark: Literal["", "new", "gone"]


class MarkedSection(Frozen):
    """A section of the rule sheet."""

    title: str
    numbered: bool
    points: tuple[MarkedText, ...]


class MarkedSheet(Frozen):
    """Rule sheet marked against other rules; `open` has sentences on matters that no source settles."""

    title: str
    rule_set: str
    options: tuple[MarkedText, ...]
    sections: tuple[MarkedSection, ...]
    open: tuple[str, ...]


class RulesFound(QueryResult):
    """Options and settings, the changes, and the marked rule sheet; `rows` are titles of rules by id."""

    preset: str
    presets: tuple[Preset, ...]
    options: tuple[ShownOption, ...]
    groups: tuple[SettingGroup, ...]
    changes: tuple[RuleDifference, ...]
    rows: dict[str, str]
    sheet: MarkedSheet
    problems: tuple[str, ...]


@question("rules", RulesAsked, RulesFound)
def rules(ask: RulesAsked, asked: Asked) -> RulesFound:
    """Return options and settings, the refusal of each switch, and the marked rule sheet."""
    board = asked.live.board
    now = board.rules
    start = preset_rules(now.preset)
    before = start if ask.against == "preset" else board_at(asked, ask.against).rules
    symbol = board.units.symbol
    differences = diff_rules(before, now, names=("before", "now"), symbol=symbol).differences
    changed = {one.setting: one.a for one in differences}
    return RulesFound(
        preset=now.preset,
        presets=tuple(Preset(id=ident, title=title) for ident, title in book.preset_titles().items()),
        options=_options(asked.document, now, before),
        groups=_groups(now, start, changed, symbol),
        changes=differences,
        rows={row.id: row.title for row in book.rows()},
        sheet=marked_sheet(before, now, board),
        problems=tuple(p.message for p in asked.live.problems if p.table == "settings" and p.key == "rules"),
    )


class RulesTried(Frozen):
    """A change of the rules to try."""

    change: EditRules


class TriedRules(QueryResult):
    """Effect of a change of the rules, or its refusal."""

    refused: str | None
    changes: tuple[RuleDifference, ...]


@question("rules-try", RulesTried, TriedRules)
def tried(ask: RulesTried, asked: Asked) -> TriedRules:
    """Return the effect of a change of the rules."""
    try:
        plan = ask.change.plan(asked.document)
    except CommandError as error:
        return TriedRules(refused=str(error), changes=())
    after = read_rules(RulesState(apply(asked.document, plan.patch)).data())
    symbol = asked.live.board.units.symbol
    found = diff_rules(asked.live.board.rules, after, names=("now", "then"), symbol=symbol)
    return TriedRules(refused=None, changes=found.differences)


def _options(document: RailDocument, now: Rules, old_rules: Rules) -> tuple[ShownOption, ...]:
    values, was = flatten_nested(now.model_dump()), flatten_nested(old_rules.model_dump())
    usual = flatten_nested(preset_rules(now.preset).model_dump())
    against: dict[str, list[Excluded]] = {}
    for one, other, path in option_exclusions():
        for this, that in ((one, other), (other, one)):
            against.setdefault(this, []).append(Excluded(id=that, about=book.wording()[worded_path(path)].matter))
    out = []
    for ident, option in book.options().items():
        on = is_on(ident, values)
        out.append(
            ShownOption(
                id=ident,
                title=option.title,
                rows=tuple(option.rows),
                on=on,
                preset=is_on(ident, usual),
                changed=on != is_on(ident, was),
                sets=tuple(
                    f"{book.wording()[worded_path(path)].matter}: {_words(path, value)}"
                    for path, value in option.settings
                ),
                includes=tuple(option.includes),
                needs=tuple(option.needs),
                excludes=tuple(against.get(ident, ())),
                amount=_amount(values, option.amount),
                refused=_refused(document, ident, on=on),
            )
        )
    return tuple(out)


def _refused(document: RailDocument, ident: str, *, on: bool) -> str | None:
    """Return why an option cannot be switched the other way."""
    change = EditRules(off=(ident,)) if on else EditRules(on=(ident,))
    try:
        state = RulesState(document)
        for name in change.off:
            state.switch_off(name)
        for name in change.on:
            state.switch_on(name)
        read_rules(state.data())
    except CommandError as error:
        return str(error)
    return None


def _words(path: str, value: object) -> str:
    return (
        value_words(path, value)
        if path in book.wording()
        else f"{path.rpartition('.')[2]} players {shown_value(value)}"
    )


def _groups(now: Rules, start: Rules, changed: dict[str, str], symbol: str) -> tuple[SettingGroup, ...]:
    open_points = {gap.about: gap.why for gap in gaps(now)}
    texts, rows = descriptions(Rules), rows_by_setting()
    out = []
    for name, info in Rules.model_fields.items():
        model = info.annotation
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            continue
        settings = []
        for key, field in model.model_fields.items():
            path = f"{name}.{key}"
            value, usual = get_setting(now, path), get_setting(start, path)
            settings.append(
                _edited(path, field)(
                    path=path,
                    matter=book.wording()[path].matter,
                    about=texts[path].partition(": ")[2] if rows[path] else texts[path],
                    rows=tuple(rows[path]),
                    disagreement=book.wording()[path].disagreement,
                    value=_plain(value),
                    words=value_words(path, value, symbol=symbol),
                    usual=_plain(usual),
                    usual_words=value_words(path, usual, symbol=symbol),
                    before=changed.get(path),
                    open=open_points.get(path),
                )
            )
        out.append(SettingGroup(id=name, about=info.description or "", settings=tuple(settings)))
    return tuple(out)


def _amount(values: Mapping[str, object], path: str | None) -> int | None:
    found = values.get(path) if path is not None else None
    return found if isinstance(found, int) else None


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _edited(path: str, field: FieldInfo) -> Callable[..., ShownSetting]:
    """Return a function that makes a setting valid after an edit of fields common to all settings."""
    annotation, metadata = field.annotation, list(field.metadata)
    parts: list[Any] = [annotation]
    nullable = False
    if get_origin(annotation) not in (None, Literal, tuple) and NoneType in get_args(annotation):
        nullable = True
        parts = [one for one in get_args(annotation) if one is not NoneType]
    kind = parts[0]
    if get_origin(kind) is not None and hasattr(kind, "__metadata__"):
        metadata += [m for info in kind.__metadata__ for m in getattr(info, "metadata", [info])]
        kind = get_args(kind)[0]
    words = book.wording()[path]
    if kind is bool:
        return partial(FlagSetting, words_on=words.of(value=True), words_off=words.of(value=False))
    if get_origin(kind) is Literal:
        choices = tuple(SettingChoice(value=one, words=words.of(one)) for one in get_args(kind))
        return partial(ChoiceSetting, choices=choices)
    if kind is PlayersTable:
        return partial(TableSetting, cells=tuple(TABLE_KEYS))
    if kind is int:
        low = next((m.ge for m in metadata if hasattr(m, "ge")), None)
        high = next((m.le for m in metadata if hasattr(m, "le")), None)
        return partial(NumberSetting, low=low, high=high, nullable=nullable, unit=words.unit)
    return WordsSetting if path == "house.words" else GroupsSetting


def marked_sheet(old_rules: Rules, now: Rules, board: Board) -> MarkedSheet:
    """Return the rule sheet, its points marked `new` or `gone` against that of other rules."""
    old, new = make_rule_sheet(old_rules, board=board), make_rule_sheet(now, board=board)
    was = {section.title: section.points for section in old.sections}
    titles = [section.title for section in new.sections]
    numbered = {section.title: section.numbered for section in (*old.sections, *new.sections)}
    points = {section.title: section.points for section in new.sections}
    gone = [title for title in was if title not in points]
    sections = tuple(
        MarkedSection(title=title, numbered=numbered[title], points=_marked(was.get(title, ()), points.get(title, ())))
        for title in [*titles, *gone]
    )
    return MarkedSheet(
        title=new.title,
        rule_set=new.rule_set,
        options=_marked(old.options, new.options),
        sections=sections,
        open=list_open_matters(new),
    )


def _marked(old: Sequence[str], new: Sequence[str]) -> tuple[MarkedText, ...]:
    out: list[MarkedText] = []
    for how, a, b, c, d in SequenceMatcher(a=list(old), b=list(new), autojunk=False).get_opcodes():
        if how == "equal":
            out += [MarkedText(text=text, mark="") for text in new[c:d]]
        else:
            out += [MarkedText(text=text, mark="gone") for text in old[a:b]]
            out += [MarkedText(text=text, mark="new") for text in new[c:d]]
    return tuple(out)
