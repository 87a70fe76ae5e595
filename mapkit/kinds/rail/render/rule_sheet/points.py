"""Sentences of a rule sheet, by section, from `points.LANGUAGE.txt.jinja`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Final

from mapkit.core.base import Frozen
from mapkit.core.package_data import is_table, read_table
from mapkit.drawing.words.language import Words
from mapkit.drawing.words.languages import LANGUAGES, Language
from mapkit.formats.html import plain_text
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.words import words_in, words_of
from mapkit.kinds.rail.rules import book
from mapkit.kinds.rail.rules.gaps import RuleGap, gaps
from mapkit.kinds.rail.rules.rules import Engine, PlayersTable, Rules
from mapkit.kinds.rail.rules.words import Terms, value_words

# Facts for the sentences of a rule sheet: amounts, tables and counts in words.


@dataclass(frozen=True)
class SheetFacts:
    """Rules, board and language, with the values that the sections mention."""

    rules: Rules
    board: Board | None = None
    language: Language | None = None
    """That of the board without one."""

    @property
    def words(self) -> Words:
        """Words of the sheet's language."""
        return words_in(self.language) if self.language else words_of(self.board)

    @property
    def symbol(self) -> str:
        """Currency sign; the game's own dollars without a board."""
        return self.board.units.symbol if self.board else "$"

    def money(self, amount: int) -> str:
        """Return an amount in whole currency units as players read it."""
        return self.words.money(self.symbol, amount)

    @property
    def players(self) -> range:
        """Possible numbers of players."""
        return range(self.rules.setup.min_players, self.rules.setup.max_players + 1)

    def table(self, table: PlayersTable) -> str:
        """Return the cells of a table for the possible numbers of players, or an empty string."""
        player_amounts = [(n, table.at(n)) for n in self.players]
        return ", ".join(
            self.words("rules.cell", players=self.words.count("engine.players", n), amount=self.money(v))
            for n, v in player_amounts
            if v is not None
        )

    def lacking(self, table: PlayersTable) -> list[int]:
        """Return the possible numbers of players without an amount in a table."""
        return [n for n in self.players if table.at(n) is None]

    @property
    def public(self) -> bool:
        """Whether to mention public railroads: the board has some, or there is no board."""
        return self.board is None or any(r.public for r in self.board.railroads)

    @property
    def junctions(self) -> bool:
        """Whether to mention junctions: the board has some, or there is no board."""
        return self.board is None or bool(self.board.junctions)

    @property
    def twins(self) -> str | None:
        """Twin cities of the board in brackets (RB-C06); empty without a board, None if it has none."""
        if self.board is None:
            return ""
        sorted_cities = sorted(self.board.cities, key=attrgetter("milepost", "name"))
        milepost_cities = [
            [c.name for c in milepost_group] for _, milepost_group in groupby(sorted_cities, key=attrgetter("milepost"))
        ]
        twin_names = ["/".join(names) for names in milepost_cities if len(names) > 1]
        return f" ({', '.join(sorted(twin_names))})" if twin_names else None

    def number(self, count: int) -> str:
        """Return a count in words up to ten: `two`, `11`."""
        return self.words.number_word(count)

    def dice(self, count: int, kind: str) -> str:
        """Return so many dice in words: `the coloured die`, `two white dice`."""
        return self.words.count(f"dice.{kind}", count, words=self.number(count))

    def share(self, percent: int) -> str:
        """Return a share in words: `half`, `40 %`."""
        if percent == 50:  # noqa: PLR2004 - a half
            return self.words("rules.half")
        return self.words("rules.share", percent=self.words.percent(percent))


# Names of options, settings, their values and open matters in each language.
#
# English has its names in the tables of the rules themselves; every other language has a file
# `settings.LANGUAGE.toml`.

_ENGLISH: Final = LANGUAGES[0]


class RuleLanguage(Frozen):
    """Contents of `settings.LANGUAGE.toml`: names of the parts of the rules."""

    presets: dict[str, str]
    options: dict[str, str]
    procedures: dict[str, str]
    not_given: dict[str, str]
    matters: dict[str, str]
    flags: dict[str, str]
    words: dict[str, dict[str, str]]


@dataclass(frozen=True)
class SettingNames:
    """Names of options, settings, values and open matters in a language."""

    words: Words
    table: RuleLanguage

    def preset(self, ident: str) -> str:
        """Return the title of a preset."""
        return self.table.presets[ident]

    def option(self, ident: str) -> str:
        """Return the title of an option."""
        return self.table.options[ident]

    def matter(self, path: str) -> str:
        """Return the subject of a setting."""
        return self.table.matters[path]

    def open_matter(self, gap: RuleGap) -> str:
        """Return the subject of a gap."""
        name_table = self.table
        if gap.kind == "not-given" and gap.about in name_table.not_given:
            return name_table.not_given[gap.about]
        if gap.about in name_table.procedures:
            return name_table.procedures[gap.about]
        cell_of = gap.about.rpartition(".")[0]
        return name_table.matters.get(gap.about) or name_table.matters[cell_of]

    def value(self, path: str, value: object, symbol: str = "") -> str:
        """Return the value of a setting."""
        return value_words(path, value, symbol=symbol, terms=self._terms)

    @property
    def _terms(self) -> Terms:
        words = self.words
        return Terms(
            of=self._choice_words,
            number=words.number,
            amount=words.money,
            percent=words.percent,
            of_list_price=lambda share: words("rules.of_list_price", share=share),
            half=words("rules.half"),
            none=words("rules.none"),
            not_given=words("rules.value_not_given"),
        )

    def _choice_words(self, path: str, value: object) -> str:
        """Return the words of a choice or a flag; without any, the choice itself, or on or off."""
        word_key = ("on" if value else "off") if isinstance(value, bool) else str(value)
        return self.table.words.get(path, {}).get(word_key) or self.table.flags.get(word_key, word_key)


def get_setting_names(words: Words) -> SettingNames:
    """Return the names in the language of some words."""
    language = sheet_language(words)
    return SettingNames(words, _collect_english() if language == _ENGLISH else _read_translation(language))


def sheet_language(words: Words) -> Language:
    """Return the language of the sheet's own texts: that of the words, or the one that it extends."""
    return words.language if is_table(__package__, f"settings.{words.language}") else words.base


@cache
def _read_translation(language: Language) -> RuleLanguage:
    return read_table(__package__, f"settings.{language}", RuleLanguage)


@cache
def _collect_english() -> RuleLanguage:
    """Return the names from the tables of the rules."""
    setting_rows, assumed_procedures = book.wording(), book.assumed_procedures()
    return RuleLanguage(
        presets=dict(book.preset_titles()),
        options={ident: option.title for ident, option in book.options().items()},
        procedures={
            row: open_matter.matter
            for section_procedures in assumed_procedures.values()
            for row, open_matter in section_procedures.items()
        },
        not_given={path: open_matter.matter for path, open_matter in book.not_given().items()},
        matters={path: row.matter for path, row in setting_rows.items()},
        flags={},
        words={path: dict(row.words) for path, row in setting_rows.items() if row.words},
    )


ASSUMED = "*"
"""Mark behind a sentence that the printed rules do not settle."""

_ASSUMED_MARK = "\x00"


ENGINES: Final[tuple[Engine, ...]] = ("freight", "express", "superchief")


@dataclass(frozen=True)
class RulePoints:
    """Sentences of a rule sheet, and the matters in them that the printed rules leave open, in the order of sentences.

    Sections go by their id, which is the same in every language: `turn`.
    """

    of: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]
    open: tuple[RuleGap, ...]


def make_rule_points(facts: SheetFacts) -> RulePoints:
    """Return the points of each section that has some, by its id, and the titles."""
    rules, words = facts.rules, facts.words
    setting_names = get_setting_names(words)
    superchief_prices = rules.options.superchief_prices
    open_gaps = {gap.about: gap for gap in gaps(rules) if gap.on}
    mentioned_gaps: dict[str, RuleGap] = {}

    def mark(about: str) -> str:
        """Note that a sentence mentions a setting or a row; return a mark if that is assumed."""
        if about not in open_gaps:
            return ""
        mentioned_gaps[about] = open_gaps[about]
        return _ASSUMED_MARK if open_gaps[about].kind == "assumed" else ""

    sheet_text = plain_text(
        __package__,
        f"points.{sheet_language(words)}.txt.jinja",
        rules=rules,
        mark=mark,
        money=facts.money,
        public=facts.public,
        junctions=facts.junctions,
        twins=facts.twins,
        superchief_table=facts.table(superchief_prices) if rules.options.superchief_by_players else "",
        superchief_gap=facts.lacking(superchief_prices),
        net_worth_table=facts.table(rules.net_worth.target),
        net_worth_gap=facts.lacking(rules.net_worth.target),
        groups=_describe_groups(facts) if rules.group_purchase.enabled else [],
        engines={engine: words(f"engine.{engine}") for engine in ENGINES},
        earned=lambda engine: setting_names.value(f"bonus.{engine}", getattr(rules.bonus, engine)),
        number=facts.number,
        dice=facts.dice,
        share=facts.share,
    )
    section_parts = [section.partition("\n") for section in re.split(r"^## ", sheet_text, flags=re.MULTILINE)[1:]]
    section_heads = [head.partition(" ") for head, _, _ in section_parts]
    points = (
        tuple(
            re.sub(rf"\s*{_ASSUMED_MARK}", ASSUMED, to_single_line(point))
            for point in re.split(r"^- ", body, flags=re.MULTILINE)[1:]
        )
        for _, _, body in section_parts
    )
    return RulePoints(
        of={ident: section_sentences for (ident, _, _), section_sentences in zip(section_heads, points, strict=True)},
        titles={ident: title for ident, _, title in section_heads},
        open=tuple(mentioned_gaps.values()),
    )


def _describe_groups(facts: SheetFacts) -> list[str]:
    """Return the merged groups that the board can have, each with its members and price."""
    reporting_marks = {r.id: r.short for r in facts.board.railroads} if facts.board else {}
    group_texts = []
    for group in facts.rules.group_purchase.groups:
        if facts.board is None or set(group.members) <= reporting_marks.keys():
            member_text = ", ".join(reporting_marks.get(m, m.upper()) for m in group.members)
            group_texts.append(f"{to_single_line(group.name)} ({member_text}) {facts.money(group.price)}")
    return group_texts


def to_single_line(text: str) -> str:
    """Join a text to one line with single spaces."""
    return " ".join(text.split())
