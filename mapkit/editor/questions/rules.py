"""The rules of the game: every option and setting from the models, and the rule sheet with what changed."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from mapkit.editor.changes import apply
from mapkit.editor.commands import CommandError
from mapkit.editor.commands.rules import ChangeRules, State, read_rules
from mapkit.editor.document import Document
from mapkit.editor.questions.moments import Moment, board_at
from mapkit.editor.questions.question import Asked, question
from mapkit.model.base import Frozen
from mapkit.model.board import Board
from mapkit.model.rules import Rules
from mapkit.model.rules import preset as preset_rules
from mapkit.model.rules_diff import diff_rules
from mapkit.model.rules_gaps import gaps
from mapkit.model.rules_money import PlayersTable
from mapkit.model.rules_options import OPTIONS, is_on, option_exclusions, shown_value
from mapkit.model.rules_paths import TABLE_KEYS, descriptions, flattened, get_setting
from mapkit.model.rules_presets import TITLES
from mapkit.model.rules_rows import ROWS, rows_of
from mapkit.model.rules_words import VALUES, WORDING, value_words


class RulesAsked(Frozen):
    """What changes are marked against: the saved files, a step, or the plain preset."""

    against: Moment | Literal["preset"] = "saved"


@question("rules", RulesAsked)
def rules(ask: RulesAsked, asked: Asked) -> dict[str, Any]:
    """Return options and settings as they are, what each switch would be refused for, and the marked rule sheet."""
    board = asked.live.board
    now = board.rules
    start = preset_rules(now.preset)
    before = start if ask.against == "preset" else board_at(asked, ask.against).rules
    symbol = board.units.symbol
    differences = diff_rules(before, now, names=("before", "now"), symbol=symbol).differences
    changed = {one.setting: one.a for one in differences}
    return {
        "preset": now.preset,
        "presets": [{"id": ident, "title": title} for ident, title in TITLES.items()],
        "options": _options(asked.document, now, before),
        "groups": _groups(now, start, changed, symbol),
        "changes": [one.model_dump(mode="json") for one in differences],
        "rows": {row.id: row.title for row in ROWS},
        "sheet": marked_sheet(before, now, board),
        "problems": [p.message for p in asked.live.problems if p.table == "settings" and p.key == "rules"],
    }


class RulesTried(Frozen):
    """A change of the rules to try."""

    change: ChangeRules


@question("rules-try", RulesTried)
def tried(ask: RulesTried, asked: Asked) -> dict[str, Any]:
    """Return what a change of the rules would change, or the sentence that it is refused with."""
    try:
        plan = ask.change.plan(asked.document)
    except CommandError as error:
        return {"refused": str(error), "changes": []}
    after = read_rules(State(apply(asked.document, plan.patch)).data())
    symbol = asked.live.board.units.symbol
    found = diff_rules(asked.live.board.rules, after, names=("now", "then"), symbol=symbol)
    return {"refused": None, "changes": [one.model_dump(mode="json") for one in found.differences]}


def _options(document: Document, now: Rules, before: Rules) -> list[dict[str, Any]]:
    values, was = flattened(now.model_dump()), flattened(before.model_dump())
    usual = flattened(preset_rules(now.preset).model_dump())
    against: dict[str, list[dict[str, str]]] = {}
    for one, other, path in option_exclusions():
        for this, that in ((one, other), (other, one)):
            against.setdefault(this, []).append({"id": that, "about": WORDING[_whole(path)].matter})
    out = []
    for ident, option in OPTIONS.items():
        on = is_on(ident, values)
        out.append(
            {
                "id": ident,
                "title": option.title,
                "rows": list(option.rows),
                "on": on,
                "preset": is_on(ident, usual),
                "changed": on != is_on(ident, was),
                "sets": [f"{WORDING[_whole(path)].matter}: {_words(path, value)}" for path, value in option.settings],
                "includes": list(option.includes),
                "needs": list(option.needs),
                "excludes": against.get(ident, []),
                "amount": None if option.amount is None else values.get(option.amount),
                "refused": _refused(document, ident, on=on),
            }
        )
    return out


def _refused(document: Document, ident: str, *, on: bool) -> str | None:
    """Return why an option cannot be switched the other way."""
    change = ChangeRules(off=(ident,)) if on else ChangeRules(on=(ident,))
    try:
        state = State(document)
        for name in change.off:
            state.switch_off(name)
        for name in change.on:
            state.switch_on(name)
        read_rules(state.data())
    except CommandError as error:
        return str(error)
    return None


def _whole(path: str) -> str:
    return path if path in WORDING else path.rpartition(".")[0]


def _words(path: str, value: object) -> str:
    return value_words(path, value) if path in WORDING else f"{path.rpartition('.')[2]} players {shown_value(value)}"


def _groups(now: Rules, start: Rules, changed: dict[str, str], symbol: str) -> list[dict[str, Any]]:
    open_points = {gap.setting: gap.why for gap in gaps(now)}
    texts, rows = descriptions(Rules), rows_of()
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
                {
                    "path": path,
                    "matter": WORDING[path].matter,
                    "about": texts[path].partition(": ")[2] if rows[path] else texts[path],
                    "rows": list(rows[path]),
                    "disagreement": WORDING[path].disagreement,
                    "value": _json(value),
                    "words": value_words(path, value, symbol=symbol),
                    "usual": _json(usual),
                    "usual_words": value_words(path, usual, symbol=symbol),
                    "before": changed.get(path),
                    "open": open_points.get(path),
                    **_kind(path, field),
                }
            )
        out.append({"id": name, "about": info.description, "settings": settings})
    return out


def _json(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, tuple):
        return [_json(one) for one in value]
    return value


def _kind(path: str, field: FieldInfo) -> dict[str, Any]:
    """Return how a setting is edited: a flag, a choice, a number, a table by players, groups."""
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
    if kind is bool:
        words = VALUES.get(path, {True: "on", False: "off"})
        return {"kind": "flag", "words_on": words.get(True, "on"), "words_off": words.get(False, "off")}
    if get_origin(kind) is Literal:
        choices = [{"value": one, "words": VALUES.get(path, {}).get(one, str(one))} for one in get_args(kind)]
        return {"kind": "choice", "choices": choices}
    if kind is PlayersTable:
        return {"kind": "table", "cells": list(TABLE_KEYS)}
    if kind is int:
        low = next((m.ge for m in metadata if hasattr(m, "ge")), None)
        high = next((m.le for m in metadata if hasattr(m, "le")), None)
        return {"kind": "number", "low": low, "high": high, "nullable": nullable, "unit": WORDING[path].unit}
    return {"kind": "groups"}


def marked_sheet(before: Rules, now: Rules, board: Board) -> dict[str, Any]:
    """Return the rule sheet, its points marked `new` or `gone` against that of other rules."""
    from mapkit.render.rule_sheet import rule_sheet  # noqa: PLC0415 - heavy, and for this alone

    old, new = rule_sheet(before, board=board), rule_sheet(now, board=board)
    was = {section.title: section.points for section in old.sections}
    titles = [section.title for section in new.sections]
    numbered = {section.title: section.numbered for section in (*old.sections, *new.sections)}
    points = {section.title: section.points for section in new.sections}
    gone = [title for title in was if title not in points]
    sections = [
        {"title": title, "numbered": numbered[title], "points": _marked(was.get(title, ()), points.get(title, ()))}
        for title in [*titles, *gone]
    ]
    return {
        "title": new.title,
        "rule_set": new.rule_set,
        "options": _marked(old.options, new.options),
        "sections": sections,
        "open": list(new.open_points),
    }


def _marked(old: Sequence[str], new: Sequence[str]) -> list[dict[str, str]]:
    out: list[dict[str, str]] = []
    for how, a, b, c, d in SequenceMatcher(a=list(old), b=list(new), autojunk=False).get_opcodes():
        if how == "equal":
            out += [{"text": text, "mark": ""} for text in new[c:d]]
        else:
            out += [{"text": text, "mark": "gone"} for text in old[a:b]]
            out += [{"text": text, "mark": "new"} for text in new[c:d]]
    return out
