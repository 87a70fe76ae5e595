"""Tables in text copied from a PDF or a web page, with blanks between cells and lines wrapped anywhere.

Blanks are ambiguous: a name may contain some, and an empty cell leaves no trace. So the text is parsed as a stream of
names and amounts. Amounts belong to the name before them; earlier names are the header. In a row of several names, the
known ones (the board's, or those that begin rows) show where each ends.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mapkit.core.errors import SourceError
from mapkit.core.names import fold
from mapkit.formats.cells.line_marks import blank_out_numbers, blank_out_remarks, has_names_at_ends
from mapkit.formats.cells.table import MAX_CELLS, Cell, Table, checked_rows
from mapkit.formats.marks import FRACTION, is_mark, looks_like_amount

Fit = Callable[[str], int]
"""Says how well a text is known as a name: 2 as spelled, 1 loosely, 0 not."""

_CHUNK_PATTERN = re.compile(r"\S+(?:[ \u00a0]\S+)*")
_WORD_PATTERN = re.compile(r"\S+")
_LOOSE_FRACTION = re.compile(rf"(?<=\d)[ \u00a0](?={FRACTION})")
_LOOSE_SIGN = re.compile(r"([$£€¥])[ \u00a0]+(?=\d)")
_PAGE_NUMBER = re.compile(r"\s*(?:-\s*)?page\s+\d+(?:\s*(?:of|/)\s*\d+)?(?:\s*-)?\s*", re.IGNORECASE)
_TITLE_WORDS = re.compile(r"\b(?:pay-?offs?|charts?|tables?|thousands?|dollars?|matrix)\b", re.IGNORECASE)
_CORNER_LABELS = frozenset({"city", "cities", "town", "from", "to", "fromto", "destination", "origin"})
_LONGEST_NAME = 6
_UNKNOWN_WORD, _LOOSE_NAME, _KNOWN_NAME, _OVER_GAP = 1.0, 0.05, 0.01, 0.1


class _Word(NamedTuple):
    text: str
    line: int
    column: int
    chunk: int


@dataclass
class _Run:
    """Words of names between amounts."""

    words: list[_Word] = field(default_factory=list)


def read_blank_separated(
    text: str, *, file: str, fit: Fit | None = None, near: Callable[[str], bool] = lambda _: False
) -> Table:
    """Read a table with blanks between its cells.

    Args:
        text: The text.
        file: Its name in messages.
        fit: Says how well a text is known as a city's name; by default the names that begin rows are known.
        near: Says whether a text may be a misspelt name.

    Raises:
        SourceError: There are no amounts, amounts that follow no name, or names that no amounts follow.
    """
    notes: list[str] = []
    lines = blank_out_numbers(_blank_out_titles(text, notes), notes)
    if fit is not None:
        lines = blank_out_remarks(lines, fit, near, notes)
    items = list(_split_items(lines, file, ends=has_names_at_ends(lines)))
    if fit is None:
        row_starts = _collect_row_starts("\n".join(lines))

        def fit(name: str) -> int:
            return 2 if fold(name) in row_starts else 0

    rows: list[list[Cell]] = []
    for item_index, item in enumerate(items):
        if isinstance(item, Cell):
            if not rows or len(rows[-1]) == 0:
                raise SourceError(f"{item.where}: {item.text!r} follows no city; begin each row with its city")
            rows[-1].append(item)
        else:
            _assign_names(rows, _split_names(item.words, file, fit), last=item_index == len(items) - 1)
    if not any(isinstance(item, Cell) for item in items):
        raise SourceError(f"{file}: no amounts in it; is it a payoff chart?")
    return Table("text", checked_rows([tuple(row) for row in rows], file=file), notes=tuple(notes))


def _collect_row_starts(text: str) -> set[str]:
    """Return the folded texts before the first amount of each line with amounts."""
    row_starts = set()
    for line in text.split("\n"):
        words = line.split()
        word_count = next((k for k, word in enumerate(words) if looks_like_amount(word)), 0)
        row_starts.add(fold(" ".join(words[:word_count])))
    return row_starts - {""}


def _blank_out_titles(text: str, notes: list[str]) -> list[str]:
    """Return the lines of a text with page numbers and title lines blanked out."""
    kept_lines = []
    for line_number, raw_line in enumerate(text.expandtabs(8).split("\n"), start=1):
        if _PAGE_NUMBER.fullmatch(raw_line) or (_TITLE_WORDS.search(raw_line) and not re.search(r"\d\s+\d", raw_line)):
            notes.append(f"line {line_number} was left out: {raw_line.strip()[:80]!r}")
            kept_lines.append("")
        else:
            kept_lines.append(_LOOSE_FRACTION.sub("-", _LOOSE_SIGN.sub(r"\1", raw_line)))
    return kept_lines


def _split_items(lines: Sequence[str], file: str, *, ends: bool) -> Iterator[Cell | _Run]:
    """Yield runs of words and the amounts between them; names at the ends of rows come before their amounts."""
    run = _Run()
    word_count = chunk_count = 0
    for line_number, line in enumerate(lines, start=1):
        line_words: list[_Word] = []
        for chunk in _CHUNK_PATTERN.finditer(line):
            chunk_count += 1
            line_words += _split_chunk(chunk, line_number, chunk_count)
        word_count += len(line_words)
        if word_count > MAX_CELLS:
            raise SourceError(f"{file}: more than {MAX_CELLS:,} words; split the file")
        name_start = next((k for k in range(len(line_words), 0, -1) if not line_words[k - 1].chunk), 0) if ends else 0
        for word in (*line_words[name_start:], *line_words[:name_start]):
            if word.chunk:
                run.words.append(word)
                continue
            if run.words:
                yield run
                run = _Run()
            yield Cell(word.text, f"{file}:{line_number}:{word.column}")
    if run.words:
        yield run


def _split_chunk(chunk: re.Match[str], line: int, chunk_number: int) -> Iterator[_Word]:
    """Yield the words of a chunk, amounts with chunk 0; a mark between words of a name belongs to the name."""
    words = list(_WORD_PATTERN.finditer(chunk[0]))
    are_amounts = [looks_like_amount(w[0]) for w in words]
    for k, word in enumerate(words):
        is_inside_name = (
            is_mark(word[0]) and 0 < k < len(words) - 1 and not are_amounts[k - 1] and not are_amounts[k + 1]
        )
        is_amount = are_amounts[k] and not is_inside_name
        yield _Word(word[0], line, chunk.start() + word.start() + 1, 0 if is_amount else chunk_number)


def _split_names(words: list[_Word], file: str, fit: Fit) -> list[Cell]:
    """Split a run of words into names so that as many words as possible belong to known names (dynamic programming)."""
    cheapest_splits: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(words) + 1):
        split_options = []
        for start in range(max(0, end - _LONGEST_NAME), end):
            candidate_words = words[start:end]
            gap_count = candidate_words[-1].chunk - candidate_words[0].chunk
            fit_level = fit(" ".join(w.text for w in candidate_words))
            if fit_level:
                cost = (0.0, _LOOSE_NAME, _KNOWN_NAME)[fit_level] + _OVER_GAP * gap_count
            elif gap_count:
                continue
            else:
                cost = _UNKNOWN_WORD * len(candidate_words) + _KNOWN_NAME
            split_options.append((cheapest_splits[start][0] + cost, start))
        cheapest_splits.append(min(split_options))
    split_indices = [len(words)]
    while split_indices[-1]:
        split_indices.append(cheapest_splits[split_indices[-1]][1])
    name_runs = [words[a:b] for a, b in zip(split_indices[::-1], split_indices[-2::-1], strict=False)]
    return [Cell(" ".join(w.text for w in p), f"{file}:{p[0].line}:{p[0].column}") for p in name_runs]


def _assign_names(rows: list[list[Cell]], names: list[Cell], *, last: bool) -> None:
    """Sort names into rows: a label repeated at the end of its row, a header, or labels of rows."""
    if len(names) > 1 and fold(names[0].text) in _CORNER_LABELS:
        names = names[1:]
    if rows and names and rows[-1] and fold(names[0].text) == fold(rows[-1][0].text):
        names = names[1:]
    if not names:
        return
    corner = Cell("", names[0].where)
    if last:
        rows.extend([[names[0]]] if len(names) == 1 else [[corner, *names]])
        return
    header, label = names[:-1], names[-1]
    if len(header) > 1 and fold(header[-1].text) in {fold(cell.text) for cell in header[:-1]}:
        rows.extend([[corner, *header[:-1]], [header[-1]]])
    elif len(header) == 1:
        rows.append(header)
    elif header:
        rows.append([corner, *header])
    rows.append([label])
