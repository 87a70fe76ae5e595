"""What is advised against a contradiction of two variants helps."""

from pathlib import Path

from conftest import Run


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


def test_a_computed_chart_reads_no_prices_and_an_order_with_a_merger_is_advised(run: Run, tmp_path: Path) -> None:
    assert run("new", "mymap", "-w", tmp_path).code == 0
    folder = tmp_path / "variants"
    folder.mkdir()
    for name, operation in (
        ("computed", 'op = "recompute-payoffs"'),
        ("dear", 'op = "change-railroad"\nid = "shore"\nprice = 2000'),
        ("merged", 'op = "merge-railroads"\nrailroads = ["shore", "valley"]\ninto = "shore"'),
    ):
        (folder / f"{name}.toml").write_text(variant(name, operation), encoding="utf-8")
    assert run("variant", "check", "computed", "dear", "-w", tmp_path).code == 0
    merged = run("variant", "check", "computed", "merged", "-w", tmp_path)
    assert merged.code == 1
    assert "rows of track; use one of them, or write after = ['computed'] in merged" in merged.err
    head = 'after = ["computed"]\n'
    operation = 'op = "merge-railroads"\nrailroads = ["shore", "valley"]\ninto = "shore"'
    (folder / "merged.toml").write_text(variant("merged", operation, head), encoding="utf-8")
    assert run("variant", "check", "computed", "merged", "-w", tmp_path).code == 0
