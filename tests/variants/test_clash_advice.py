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
