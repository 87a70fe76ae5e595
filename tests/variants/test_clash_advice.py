"""What is advised against a contradiction of two variants helps."""

from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import pytest
from conftest import REPOSITORY, Run
from sampling import sample

import mapkit
from mapkit.core.errors import VariantError
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.variant import Variant
from mapkit.variants.applying import PlacedVariant


def variant(name: str, operation: str, head: str = "") -> str:
    return f'name = "{name}"\ntitle = "{name}"\nboard = "mymap"\n{head}\n[[operations]]\n{operation}\nreason = "x"\n'


def test_an_order_is_advised_only_where_it_settles_the_matter(run: Run, tmp_path: Path) -> None:
    assert run("new", "mymap", "-w", tmp_path).code == 0
    folder = tmp_path / "variants"
    folder.mkdir()
    price = 'op = "change-railroad"\nid = "shore"\nprice = {}'
    for name, operation in (
        ("cheap", price.format(1000)),
        ("dear", price.format(2000)),
        ("by-day", 'op = "add-house-rule"\ntitle = "Ferry"\ntext = "By day."'),
        ("by-night", 'op = "add-house-rule"\ntitle = "Ferry"\ntext = "By night."'),
    ):
        (folder / f"{name}.toml").write_text(variant(name, operation), encoding="utf-8")
    prices = run("variant", "check", "cheap", "dear", "-w", tmp_path)
    assert prices.code == 1
    assert prices.err.endswith("use one of them, or write after = ['cheap'] in dear\n")
    (folder / "dear.toml").write_text(variant("dear", price.format(2000), 'after = ["cheap"]\n'), encoding="utf-8")
    assert run("variant", "check", "cheap", "dear", "-w", tmp_path).code == 0
    rules = run("variant", "check", "by-day", "by-night", "-w", tmp_path)  # in either order the title is taken
    assert rules.code == 1
    assert rules.err.endswith("use one of them\n")


def test_a_computed_chart_contradicts_what_changes_its_distances_only(run: Run, tmp_path: Path) -> None:
    assert run("new", "mymap", "-w", tmp_path).code == 0
    folder = tmp_path / "variants"
    folder.mkdir()
    shortcut = 'op = "add-line"\nrailroad = "shore"\nstops = ["portland", "albany"]'
    for name, operation in (
        ("computed", 'op = "recompute-payoffs"'),
        ("dear", 'op = "change-railroad"\nid = "shore"\nprice = 2000'),
        ("merged", 'op = "merge-railroads"\nrailroads = ["shore", "valley"]\ninto = "shore"'),
        ("shortcut", shortcut),
    ):
        (folder / f"{name}.toml").write_text(variant(name, operation), encoding="utf-8")
    for other in ("dear", "merged"):
        assert run("variant", "check", "computed", other, "-w", tmp_path).code == 0
    refused = run("variant", "check", "computed", "shortcut", "-w", tmp_path)
    assert refused.code == 1
    assert "use one of them, or write after = ['computed'] in shortcut" in refused.err
    (folder / "shortcut.toml").write_text(variant("shortcut", shortcut, 'after = ["computed"]\n'), encoding="utf-8")
    assert run("variant", "check", "computed", "shortcut", "-w", tmp_path).code == 0


def test_a_variant_that_needs_another_is_told_to_come_after_it(run: Run, tmp_path: Path) -> None:
    assert run("new", "mymap", "-w", tmp_path).code == 0
    folder = tmp_path / "variants"
    folder.mkdir()
    railroad = 'op = "add-railroad"\nid = "new"\nname = "New"\nshort = "NEW"\nprice = 9000\ncolour = "#d4a017"'
    line = 'op = "add-line"\nrailroad = "new"\nstops = ["portland", "albany"]'
    price = 'op = "change-railroad"\nid = "shore"\nprice = 2000'
    for name, operation, head in (
        ("dear", price, ""),
        ("late", line, ""),
        ("first", railroad, ""),
        ("later", line, 'after = ["first"]\n'),
    ):
        (folder / f"{name}.toml").write_text(variant(name, operation, head), encoding="utf-8")
    refused = run("variant", "check", "dear", "late", "first", "-w", tmp_path)
    assert refused.code == 1
    assert refused.err.endswith("; it fits after first: write after = ['first'] in late\n")
    assert run("variant", "apply", "dear", "later", "first", "-w", tmp_path).code == 0


def placed_variant(name: str, *operations: Mapping[str, object]) -> PlacedVariant:
    rows = [{"reason": "test", **operation} for operation in operations]
    return PlacedVariant(Variant.model_validate({"name": name, "operations": rows}))


@pytest.mark.parametrize(
    ("name", "merged", "dear", "ends"),
    [
        ("ireland", ("bcdr", "gnr"), "cbsc", ("arklow", "bantry")),
        ("portugal", ("oe", "nl"), "vv", ("evora", "guarda")),
        ("mexico", ("golfo", "central"), "internacional", ("chihuahua", "hermosillo")),
    ],
)
def test_a_merger_an_expansion_a_price_and_a_house_rule_compose_in_any_order(
    name: str, merged: tuple[str, str], dear: str, ends: tuple[str, str]
) -> None:
    board = mapkit.load(REPOSITORY / "build" / name / "board.json")
    line = {"op": "add-line", "railroad": "new", "stops": list(ends)}
    railroad = {"id": "new", "name": "New Railway", "short": "NEW", "price": 9000, "colour": "#d4a017"}
    variants = [
        placed_variant("merger", {"op": "merge-railroads", "railroads": list(merged), "into": merged[1]}),
        placed_variant("expansion", {"op": "add-railroad", **railroad}, line, {"op": "recompute-payoffs"}),
        placed_variant("price", {"op": "change-railroad", "id": dear, "price": 34000}),
        placed_variant("rule", {"op": "add-house-rule", "title": "Fog", "text": "A 2 waits."}),
    ]
    results = [apply_variants(board, order) for order in sample(list(permutations(variants)), 5)]
    assert {len(result.railroads) for result in results} == {len(board.railroads)}
    assert len({result.model_dump_json(exclude={"variants"}) for result in results}) == 1


def test_two_orders_of_the_same_rows_are_a_contradiction() -> None:
    board = mapkit.load(REPOSITORY / "build" / "portugal" / "board.json")
    ids = [region.id for region in board.regions]
    variants = [
        placed_variant(name, {"op": "reorder", "table": "regions", "keys": keys})
        for name, keys in (("backwards", ids[::-1]), ("second-first", [ids[1]]))
    ]
    with pytest.raises(VariantError, match="contradict each other"):
        apply_variants(board, variants)
