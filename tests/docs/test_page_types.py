"""The types of the editor's page that are written from the models of Python."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from pydantic import BaseModel

import mapkit
from mapkit.kinds.protocol import QueryResult
from mapkit.kinds.queries import QueryError
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.queries import QUESTIONS
from mapkit.kinds.rail.tables import TABLES

if TYPE_CHECKING:
    from mapkit.kinds.rail.queries.question import Asked

WEB = Path(mapkit.__file__).parent / "editor" / "web" / "src"
TYPES = (WEB / "generated.ts").read_text(encoding="utf-8")


def interface(name: str) -> str:
    found = re.search(rf"^export interface {name} \{{\n(.*?)^\}}", TYPES, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return found[1]


@pytest.mark.parametrize("kind", sorted(COMMANDS))
def test_a_command_has_a_type(kind: str) -> None:
    name = re.search(rf'^  readonly "{kind}": (\w+);$', interface("CommandByKind"), re.MULTILINE)
    assert name is not None
    fields = interface(name[1])
    assert f'  readonly kind: "{kind}";' in fields
    for field, info in COMMANDS[kind].model_fields.items():
        mark = "" if info.is_required() or field == "kind" else "?"
        assert f"  readonly {field}{mark}: " in fields


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_a_question_has_a_type_for_what_it_asks_and_one_for_its_answer(name: str) -> None:
    found = re.search(
        rf'^  readonly "{name}": \{{ ask: (\w+); answer: (\w+) \}};$', interface("Questions"), re.MULTILINE
    )
    assert found is not None
    question = QUESTIONS[name]
    models: tuple[type[BaseModel], type[QueryResult]] = (question.model, question.reply)
    for shown, model in zip(found.groups(), models, strict=True):
        fields = interface(shown)
        assert [
            line
            for field in model.model_fields
            if not re.search(rf"^  readonly {field}\??: ", fields, re.MULTILINE)
            for line in (field,)
        ] == []
    assert "?:" not in interface(found[2])  # all of an answer is always there


def test_rows_have_all_fields_but_those_that_are_not_sent() -> None:
    tables = interface("Tables")
    assert re.findall(r'^  readonly "(\w+)":', tables, re.MULTILINE) == list(TABLES)
    assert "content" not in interface("File")
    assert "  readonly thousands: number | null;" in interface("Payoff")
    assert "?:" not in interface("City")


def test_json_gets_its_type_in_one_place() -> None:
    loose = re.compile(r"JSON\.parse\(|\.json\(\)|\bany\b(?=[;,>)\]]| =)|as unknown")
    found = {path.name for path in WEB.rglob("*.ts*") if loose.search(path.read_text(encoding="utf-8"))}
    assert found == {"json.ts"}


def test_the_question_in_the_readme_of_the_page_is_answered(usa: mapkit.Board) -> None:
    """The example is a whole module, and what it counts is right."""
    (code,) = re.findall(
        r"^```python\n(.*?)^```", (WEB.parent / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    names: dict[str, Any] = {"__name__": "mapkit.kinds.rail.queries.milepost_count"}
    try:
        exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - our own example
        question = QUESTIONS["milepost-count"]
    finally:
        QUESTIONS.pop("milepost-count", None)
    asked = cast("Asked", SimpleNamespace(live=SimpleNamespace(board=usa)))
    answer = question.answer(question.model.model_validate({"railroad": "rfp"}), asked)
    assert answer.model_dump() == {"count": 3}
    with pytest.raises(QueryError, match="choose another railroad"):
        question.answer(question.model.model_validate({"railroad": "none"}), asked)
