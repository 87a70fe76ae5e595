"""Tracked functions give what they would give from nothing, and run only where something that they read changed."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mapkit.document.document import Document, Row
from mapkit.evaluate import Evaluator, Reader, changed_keys, tracked

RAN: list[object] = []


class Count(Row):
    """A row with a number."""

    number: int


def document(**tables: Mapping[str, int]) -> Document:
    return Document({name: {key: Count(number=n) for key, n in rows.items()} for name, rows in tables.items()})


@tracked
def total(db: Reader, table: str) -> int:
    RAN.append(table)
    return sum(row.number for row in db.table(table).values())


@tracked
def is_large(db: Reader) -> bool:
    RAN.append("large")
    return total(db, "a") > 10


@tracked
def label(db: Reader) -> str:
    RAN.append("label")
    return "large" if is_large(db) else f"small, {total(db, 'b')}"


@tracked
def one_row(db: Reader, key: str) -> int | None:
    RAN.append(key)
    row = db.rows("a").get(key)
    return None if row is None else row.number


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RAN.clear()


def test_a_function_runs_again_only_where_what_it_read_changed() -> None:
    evaluator = Evaluator()
    first = document(a={"x": 1}, b={"y": 2})
    assert label(evaluator.reader(first)) == "small, 2"
    assert RAN == ["label", "large", "a", "b"]
    RAN.clear()
    assert label(evaluator.reader(Document({**first.tables}))) == "small, 2"
    assert RAN == []
    other = Document({**first.tables, **document(a={"x": 3}).tables})
    assert label(evaluator.reader(other)) == "small, 2"
    assert RAN == ["a", "large"]  # which is as it was, so that `label` is not asked


def test_a_result_that_is_equal_is_the_object_of_before() -> None:
    @tracked
    def keys(db: Reader) -> list[str]:
        return list(db.table("a"))

    evaluator = Evaluator()
    first = keys(evaluator.reader(document(a={"x": 1})))
    assert keys(evaluator.reader(document(a={"x": 2}))) is first
    assert keys(evaluator.reader(document(a={"x": 2, "y": 2}))) == ["x", "y"]


def test_of_rows_only_those_count_that_were_asked_for() -> None:
    evaluator = Evaluator()
    assert one_row(evaluator.reader(document(a={"x": 1, "y": 1})), "x") == 1
    assert one_row(evaluator.reader(document(a={"x": 1, "y": 2})), "x") == 1
    assert one_row(evaluator.reader(document(a={"y": 2})), "x") is None
    assert RAN == ["x", "x"]


def test_the_order_of_a_mapping_counts() -> None:
    @tracked
    def rows(db: Reader) -> dict[str, int]:
        return {key: row.number for key, row in db.table("a").items()}

    evaluator = Evaluator()
    assert list(rows(evaluator.reader(document(a={"x": 1, "y": 2})))) == ["x", "y"]
    assert list(rows(evaluator.reader(document(a={"y": 2, "x": 1})))) == ["y", "x"]


@tracked
def nested(db: Reader) -> tuple[dict[str, int], int]:
    return {key: row.number for key, row in db.table("t").items()}, 0


def joined_keys(_key: str, _value: str, rows: Mapping[str, Row]) -> str:
    return ", ".join(rows)


@tracked
def keys_of_all(db: Reader) -> Mapping[str, str]:
    return db.each(joined_keys, {"all": ""}, db.table("t"))


def test_the_order_of_a_mapping_counts_within_other_values() -> None:
    evaluator = Evaluator()
    for table in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        now = evaluator.reader(document(t=table))
        assert list(nested(now)[0]) == list(table)
        assert keys_of_all(now)["all"] == ", ".join(table)


def test_inputs_count_beside_the_document() -> None:
    @tracked
    def scaled(db: Reader) -> int:
        return total(db, "a") * int(db.input("scale"))

    evaluator = Evaluator({"scale": 2})
    assert scaled(evaluator.reader(document(a={"x": 3}))) == 6
    assert scaled(evaluator.reader(document(a={"x": 3}), scale=5)) == 15
    assert scaled(evaluator.reader(document(a={"x": 3}))) == 6


def test_a_fork_leaves_the_evaluator_as_it_is() -> None:
    evaluator = Evaluator()
    label(evaluator.reader(document(a={"x": 1}, b={"y": 2})))
    assert label(evaluator.fork().reader(document(a={"x": 99}))) == "large"
    RAN.clear()
    label(evaluator.reader(document(a={"x": 1}, b={"y": 2})))
    assert set(RAN) <= {"a", "b"}


def test_a_function_that_needs_itself_is_named() -> None:
    @tracked
    def endless(db: Reader, number: int) -> int:
        return endless(db, 1 - number)

    with pytest.raises(RuntimeError, match=r"endless\(0,\) needs its own result"):
        endless(Evaluator().reader(document()), 0)


def test_a_function_that_raises_runs_again() -> None:
    @tracked
    def first_number(db: Reader) -> int:
        return int(db.table("a")["x"].number)

    evaluator = Evaluator()
    with pytest.raises(KeyError):
        first_number(evaluator.reader(document()))
    assert first_number(evaluator.reader(document(a={"x": 4}))) == 4


def test_memos_of_what_is_gone_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mapkit.evaluate.engine._FEW", 10)
    evaluator = Evaluator()
    for number in range(100):
        one_row(evaluator.reader(document(a={str(number): 1})), str(number))
    assert len(evaluator._memos) < 20


# Mappings, entry by entry

NUMBERS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), max_size=6)
REFERENCES = st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from("abcdefg"), max_size=6)


def named(key: str, to: str, numbers: Mapping[str, int], factor: int) -> tuple[str, int | None]:
    RAN.append(key)
    value = numbers.get(to)
    if value == 3:  # reads all of them
        return key, sum(numbers.values()) * factor
    return key, None if value is None else value * factor


def together(items: Mapping[str, str], numbers: Mapping[str, int], factor: int) -> dict[str, tuple[str, int | None]]:
    return {key: named(key, to, numbers, factor) for key, to in items.items()}


@tracked
def each(db: Reader) -> Mapping[str, tuple[str, int | None]]:
    return db.each(named, db.input("items"), db.input("numbers"), db.input("factor"))


@tracked
def at_once(db: Reader) -> Mapping[str, tuple[str, int | None]]:
    return db.batch(together, db.input("items"), db.input("numbers"), db.input("factor"))


@given(st.lists(st.tuples(REFERENCES, NUMBERS, st.integers(1, 2)), min_size=1, max_size=6))
def test_entries_are_those_of_a_new_evaluation(steps: list[tuple[dict[str, str], dict[str, int], int]]) -> None:
    evaluator = Evaluator()
    for items, numbers, factor in steps:
        inputs: dict[str, object] = {"items": items, "numbers": numbers, "factor": factor}
        wanted = together(items, numbers, factor)
        for function in (each, at_once):
            found = function(evaluator.reader(document(), **inputs))
            assert list(found.items()) == list(wanted.items())


def test_only_entries_that_read_what_changed_are_evaluated() -> None:
    evaluator = Evaluator()
    inputs: dict[str, Any] = {"items": {"u": "a", "v": "b", "w": "a"}, "numbers": {"a": 1, "b": 2}, "factor": 1}
    first = each(evaluator.reader(document(), **inputs))
    RAN.clear()
    second = each(evaluator.reader(document(), **{**inputs, "numbers": {"a": 1, "b": 1, "c": 9}}))
    assert RAN == ["v"]
    assert second["u"] is first["u"]


@given(NUMBERS, NUMBERS)
def test_changed_keys_are_those_of_entries_that_differ(old: dict[str, int], new: dict[str, int]) -> None:
    assert changed_keys(old, new) == {key for key in {*old, *new} if old.get(key) != new.get(key)}


# Any functions and any edits

READS = st.one_of(
    st.tuples(st.just("table"), st.sampled_from("ab")),
    st.tuples(st.just("row"), st.sampled_from("ab"), st.sampled_from("xyz")),
    st.tuples(st.just("node"), st.integers(0, 9)),
    st.tuples(st.just("entry"), st.sampled_from("ab"), st.sampled_from("xyz")),
)
GRAPH = st.lists(st.lists(READS, max_size=4), min_size=1, max_size=10)
TABLE = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 4), max_size=3)


@tracked
def numbers_of(db: Reader, table: str) -> dict[str, int]:
    return {key: row.number % 2 for key, row in db.table(table).items()}


@tracked
def node(db: Reader, number: int) -> int:
    """Read what the graph says, but stop where the sum so far is a multiple of 3: so reads depend on values."""
    out = number
    for kind, *at in db.input("graph")[number]:
        match kind:
            case "table":
                out += total(db, at[0])
            case "row":
                out += getattr(db.rows(at[0]).get(at[1]), "number", 7)
            case "entry":
                out += db.lookup(numbers_of, at[0]).get(at[1], 5)
            case _ if at[0] < number:
                out += node(db, at[0])
        if out % 3 == 0:
            break
    return out % 4


@given(GRAPH, st.lists(st.tuples(TABLE, TABLE), min_size=1, max_size=8))
def test_any_functions_after_any_edits_give_what_they_give_from_nothing(
    graph: list[list[tuple[Any, ...]]], edits: list[tuple[dict[str, int], dict[str, int]]]
) -> None:
    evaluator = Evaluator()
    known: dict[tuple[str, int], Mapping[str, Row]] = {}
    for edit in edits:
        tables = {name: document(t=rows).tables["t"] for name, rows in zip("ab", edit, strict=True)}
        for name, rows in tables.items():  # some tables stay the same object
            tables[name] = known.setdefault((name, hash(tuple(sorted(edit["ab".index(name)].items())))), rows)
        now = Document(tables)
        live, fresh = evaluator.reader(now, graph=graph), Evaluator().reader(now, graph=graph)
        for number in range(len(graph)):
            assert node(live, number) == node(fresh, number)
