"""Files of variants: what is read, and what is refused with its line."""

from pathlib import Path

import pytest

from mapkit.core.errors import MapkitError, SourceError, UnknownNameError, VariantError
from mapkit.document.workspace import open_workspace
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.commands.former_names import FORMER
from mapkit.kinds.rail.variants.variant import parse_variant, rail_shelf, read_variant
from mapkit.variants.reading import MAX_BYTES
from mapkit.variants.shelf import VariantShelf

GOOD = '''name = "good"
title = "Good"
description = """
[[operations]]
is not a header in here
"""

[[operations]] # the first
op = "rename-milepost"
id = "birch"
name = "Beech"
reason = "Another tree."

[[ operations ]]
op = "set-payoff"
a = "ash"
b = "dale"
was = 4.5
value = 5
reason = "More."
'''


def problem(text: str) -> str:
    with pytest.raises(VariantError) as caught:
        parse_variant(text, file="variants/bad.toml")
    return str(caught.value)


def operation(*lines: str) -> str:
    return "\n".join(['name = "bad"', "[[operations]]", *lines, 'reason = "r"', ""])


def test_every_operation_knows_its_line() -> None:
    placed = parse_variant(GOOD, file="variants/good.toml")
    assert placed.rows == (8, 14)
    assert placed.where(1) == "variants/good.toml:14"
    assert [op.kind for op in placed.variant.operations] == ["edit-place", "set-payoff"]


def test_an_inline_array_has_the_line_of_its_key() -> None:
    text = 'name = "x"\noperations = [{op = "make-public", id = "red", reason = "r"}]\n'
    assert parse_variant(text, file="v.toml").rows == (2,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            operation('op = "rename-milpost"'),
            "bad.toml:2: operation 1: unknown operation 'rename-milpost' (did you mean",
        ),
        (operation('id = "x"'), "bad.toml:2: operation 1 has no `op`; add one of"),
        (
            operation('op = "move-milepost"', 'id = "x"', "lon = 1", "latt = 2", "lat = 2"),
            "bad.toml:6: operation 1 (move-milepost): unknown key 'latt' (did you mean 'lat'?)",
        ),
        (
            operation('op = "move-milepost"', 'id = "x"', 'lon = "west"', "lat = 2"),
            "bad.toml:5: operation 1 (move-milepost): lon is 'west': write a number",
        ),
        (operation('op = "make-public"'), "bad.toml:2: operation 1 (make-public): key 'id' is missing; add it"),
        (operation('op = "move-milepost"', 'id = "x"', "lon = nan", "lat = 2"), "bad.toml:5: operation 1"),
        (operation('op = "change-railroad"', 'id = "x"'), "nothing to change"),
        (
            operation('op = "change-railroad"', 'id = "x"', "price = 1", "was = { prize = 2 }"),
            "bad.toml:6: operation 1 (change-railroad): unknown key 'was.prize' (did you mean 'price'?)",
        ),
        (operation('op = "merge-railroads"', 'railroads = ["a", "b"]', 'into = "c"'), "not one of the railroads"),
        (operation('op = "restrict-board"', 'regions = ["a"]', "railroads = []"), "give one of regions, polygon"),
        ('name = "bad"\ntitel = "x"\n', "bad.toml:2: unknown key 'titel' (did you mean 'title'?)"),
        ("title = 'x'\n", "key 'name' is missing"),
        ('name = "Not A Slug"\n', "bad.toml:1: name is 'Not A Slug'"),
        ('name = "x"\noperations = 3\n', "bad.toml:2: operations is 3"),
        ("name = \n", "not valid TOML"),
        ('name = "x"\n[[operations]]\nop = "make-public"\nid = "red"\n', "key 'reason' is missing"),
    ],
)
def test_mistakes_name_line_and_nearest(text: str, said: str) -> None:
    assert said in problem(text)


def test_every_mistake_is_listed_at_once() -> None:
    text = operation('op = "make-public"') + "[[operations]]\nop = 'add-town'\nreason = 'r'\n"
    found = problem(text).split("\n")
    assert len(found) == 2
    assert found[1].startswith("variants/bad.toml:5: operation 2: unknown operation 'add-town'")


def test_deep_nesting_and_endless_numbers_are_refused() -> None:
    assert "too deep" in problem("name = " + "[" * 100_000 + "]" * 100_000)
    assert "number" in problem("name = " + "9" * 10_000)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    path.write_bytes(b"")
    with pytest.raises(SourceError, match=r"none\.toml:1: the file is empty"):
        read_variant(path)


def test_fifty_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as stream:
        stream.truncate(50 * 2**20)
    with pytest.raises(SourceError, match=f"52428800 bytes is more than the limit of {MAX_BYTES}"):
        read_variant(path)


def test_a_name_that_is_not_the_files_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.raises(VariantError, match=r"other\.toml:1: the name is 'good', but the file is other\.toml"):
        read_variant(path)


def shelf(folder: Path, **texts: str) -> VariantShelf:
    (folder / "variants").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / "variants" / f"{name}.toml").write_text(f'name = "{name}"\n{text}\n', encoding="utf-8")
    return rail_shelf(open_workspace(folder))


def test_bases_come_first_and_once(tmp_path: Path) -> None:
    found = shelf(tmp_path, a='variants = ["b", "c"]', b='variants = ["c"]', c="", d='after = ["a"]')
    assert [p.name for p in found.order(["d", "a"])] == ["c", "b", "a", "d"]
    assert [p.name for p in found.order(["b", "d"])] == ["c", "b", "d"]


def test_cyclic_bases_are_refused(tmp_path: Path) -> None:
    found = shelf(tmp_path, a='variants = ["b"]', b='variants = ["c"]', c='variants = ["a"]')
    with pytest.raises(VariantError, match="in a circle: a - b - c - a"):
        found.order(["a"])


def test_a_base_that_does_not_exist_is_named_with_the_file(tmp_path: Path) -> None:
    found = shelf(tmp_path, a='variants = ["own-track-fre"]')
    with pytest.raises(UnknownNameError, match=r"variants/a\.toml: its base: variant 'own-track-fre' .*own-track-free"):
        found.order(["a"])
    with pytest.raises(UnknownNameError, match="did you mean 'tournament'"):
        found.order(["tournamint"])


def test_two_variants_of_one_name_are_refused(tmp_path: Path) -> None:
    found = shelf(tmp_path, a="")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.toml").write_text('name = "a"\ntitle = "another"\n', encoding="utf-8")
    with pytest.raises(VariantError, match="two variants are called 'a'"):
        found.order(["a", "elsewhere/a.toml"])
    with pytest.raises(VariantError, match="variant 'a' is given twice"):
        found.order(["a", "a"])
    assert [p.variant.title for p in found.order(["elsewhere/a.toml"])] == ["another"]


def test_a_workspaces_variant_hides_a_shipped_one(tmp_path: Path) -> None:
    found = shelf(tmp_path, tournament='title = "Ours"')
    assert found.read("tournament").variant.title == "Ours"
    assert "own-track-free" in found.paths()


def test_a_wrong_file_does_not_hide_the_others(tmp_path: Path) -> None:
    found = {path.stem: placed for path, placed in shelf(tmp_path, bad="[[operations]]\nop = 1").all()}
    assert isinstance(found["bad"], MapkitError)
    assert not isinstance(found["tournament"], MapkitError)


def test_former_words_are_read_as_the_commands_of_today() -> None:
    assert (
        not FORMER.keys() & {one.name for one in FORMER.values()} & {k for k, one in FORMER.items() if not one.having}
    )
    assert {one.name for one in FORMER.values()} <= COMMANDS.keys()
    placed = parse_variant(operation('op = "edit-city"', 'id = "ash"', "lon = 1", "lat = 2"), file="v.toml")
    assert placed.variant.operations[0].kind == "edit-city"
    placed = parse_variant(operation('op = "move-city"', 'city = "ash"', 'region = "west"'), file="v.toml")
    assert placed.variant.operations[0].kind == "edit-city"
