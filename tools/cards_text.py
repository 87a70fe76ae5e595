"""The text of `docs/reference/rules-cards.md`."""

from hex_text import settings_rows

from mapkit.kinds.cards.rules.book import card_rows
from mapkit.kinds.cards.rules.settings import CardRules

_HEAD = """\
# Rules of card games

Written by `tools/make_docs.py` from `mapkit/kinds/cards/rules/`; do not edit.

The rules of a game are data: `[rules.GROUP]` in `board.toml`, and the field `rules` of `board.json`. {count} rows of
the printed rules, each with an id such as `BA-B05`, have their place below: a setting, a table, a column, a check, or
`play`, the function in `mapkit/kinds/cards/playing/` that carries it out, with a test of its own. `D41` to `D50` are
contradictions of the printed rules, each a setting.

## Settings

Amounts are whole dollars, shares are per cent.

| setting | default | rows and meaning |
| --- | --- | --- |"""


def cards_rules_text() -> str:
    """Return `docs/reference/rules-cards.md`."""
    book = card_rows()
    parts = [_HEAD.format(count=len(book.rows)), *settings_rows(CardRules())]
    for letter, topic in book.topics.items():
        parts += ["", f"## {topic}", "", "| row | rule | where |", "| --- | --- | --- |"]
        for row in book.rows:
            if row.id[3] == letter:
                parts.append(f"| {row.id} | {row.title} | {'<br>'.join(map(_place, row.places))} |")
    return "\n".join(parts) + "\n"


def _place(place: str) -> str:
    kind, _, name = place.partition(":")
    if kind == "setting":
        return f"`{name}`"
    if kind == "check":
        return f"check [{name}](checks-cards.md#{name.lower()})"
    return f"{kind} `{name}`" if kind in ("table", "column", "play") else f"{kind}: {name}"
