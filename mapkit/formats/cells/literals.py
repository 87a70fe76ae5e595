"""Data written as literals in source code: JavaScript, TypeScript, Rust, Python, PHP and the like.

A small strict reader of numbers, texts, lists, tuples, objects and struct literals. Nothing is evaluated:
anything but a literal, such as a sum or a call with non-literal arguments, is not data.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_files import MAX_DEPTH, Digits, Plain, refuse_duplicate_keys
from mapkit.formats.cells.table import MAX_CELLS, quote_text

SUFFIXES: Final = frozenset(
    {".js", ".mjs", ".cjs", ".ts", ".rs", ".py", ".php", ".json5", ".rb", ".go", ".swift", ".lua"}
)
_MOST_TOKENS: Final = 8 * MAX_CELLS
_SAMPLE_LINES: Final = 400
_CODE_START: Final = re.compile(
    r"\s*(?:export\s+default\b|return\s*[\[{(]|//|/\*|#!?\[|<\?php"
    r"|(?:async\s+)?function\b[\s\w$]*\(|(?:pub\s+)?fn\s+\w+\s*[(<]|import\s+[{*\"'\w]|use\s+[\w:{}, ]+;"
    r"|(?:(?:export|pub(?:\([^)]*\))?|static|const|let|var|mut|final|readonly)\s+)*[$A-Za-z_][\w$.]*\s*(?::[^=\n]{1,200})?"
    r"=\s*(?:$|[\[{(&]|new\s|vec!|\w*Map\b|Object\.freeze))"
)
_TOKEN_PATTERN: Final = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|\#(?![!\[])[^\n]*)
    |(?P<text>"(?:[^"\\]|\\.)*+"|(?<![&<])'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\$]|\\.)*+`)
    |(?P<number>[+-]?(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d+)(?:[eE][+-]?\d+)?(?:_?[iuf](?:8|16|32|64|128|size))?)
    |(?P<name>\$?[^\W\d][\w$]*(?:(?:::|\.|->)[^\W\d][\w$]*)*!?)
    |(?P<sign>=>|==+|->|(?<=[&<])'[^\W\d]\w*|.)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER_SUFFIX: Final = re.compile(r"_?[iuf](?:8|16|32|64|128|size)$")
_ESCAPE_PATTERN: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "0": ""}
_LAST_LETTER: Final = 0x10FFFF
_NULL_WORDS: Final = frozenset({"null", "None", "undefined", "nil", "NULL"})
_TRUTH_WORDS: Final = {"true": True, "false": False, "True": True, "False": False}
_DECLARING_WORDS: Final = frozenset({"const", "let", "var", "static", "mut", "final", "readonly"})
_MAP_NAME: Final = re.compile(r"[mM]ap\b")
_PAIR_LENGTH: Final = 2
_CLOSING_BRACKETS: Final = {"[": "]", "(": ")", "{": "}"}


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _NotData(Exception):  # noqa: N818 - it is no error: the reader goes on behind it
    """Signal that no literal begins here; `at` is the index of the token that shows it."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def looks_like_code(text: str) -> bool:
    """Return whether a text is source code: a line near its beginning declares or returns a literal."""
    return any(_CODE_START.match(line) for line in islice(iter(text.split("\n")), _SAMPLE_LINES))


def parse_literals(text: str, *, file: str) -> Plain:
    """Return the lists and objects written as literals in source code, by the names of their variables.

    Numbers are `Digits`. Tuples are lists, struct literals are objects, names of enums are texts.

    Raises:
        SourceError: There is none, the code is too long, or nests deeper than 32 levels.
    """
    tokens = list(_tokenize(text, file))
    literals_by_name: dict[str, Plain] = {}
    last_failed_index = -1
    variable_name, k = "", 0
    while k < len(tokens):
        token = tokens[k]
        if token.kind == "name" and token.text in _DECLARING_WORDS and k + 1 < len(tokens):
            variable_name = tokens[k + 1].text
        elif token.text in ("=", "return", "default") or (k == 0 and token.text in _CLOSING_BRACKETS):
            if token.text == "=" and not variable_name and k:
                variable_name = tokens[k - 1].text
            try:
                value, end = _Reader(tokens, file).value(k if k == 0 and token.text in _CLOSING_BRACKETS else k + 1, 0)
            except _NotData as error:
                last_failed_index = max(last_failed_index, error.at)
            else:
                if isinstance(value, dict | list) and value:
                    literal_name = variable_name.lstrip("$") or "data"
                    literals_by_name[
                        literal_name
                        if literal_name not in literals_by_name
                        else f"{literal_name} {len(literals_by_name) + 1}"
                    ] = value
                k = end - 1
            variable_name = ""
        k += 1
    if not literals_by_name:
        raise SourceError(_explain_no_literals(text, tokens, last_failed_index, file))
    return literals_by_name


def _explain_no_literals(text: str, tokens: Sequence[_Token], failed: int, file: str) -> str:
    cure = "write the chart as a list or object of numbers and texts, or as JSON or CSV"
    if failed < 0 or failed >= len(tokens):
        return f"{file}: source code without a literal that could be a chart; {cure}"
    failed_offset = tokens[failed].at
    line, column = text.count("\n", 0, failed_offset) + 1, failed_offset - text.rfind("\n", 0, failed_offset)
    place, token_text = f"{file}:{line}:{column}", quote_text(tokens[failed].text)
    return f"{place}: {token_text} is not part of a literal, and code is not run; {cure}"


def _tokenize(text: str, file: str) -> Iterator[_Token]:
    token_count = 0
    for token_match in _TOKEN_PATTERN.finditer(text):
        kind = token_match.lastgroup or "sign"
        if kind == "blank":
            continue
        token_count += 1
        if token_count > _MOST_TOKENS:
            raise SourceError(f"{file}: more than {_MOST_TOKENS:,} words and signs; split the file")
        yield _Token(kind, token_match[0], token_match.start())


class _Reader:
    """Recursive-descent reader of literals; each method returns its result and the index of the next token."""

    def __init__(self, tokens: Sequence[_Token], file: str) -> None:
        self.tokens = tokens
        self.file = file

    def text(self, k: int) -> str:
        return self.tokens[k].text if k < len(self.tokens) else ""

    def value(self, k: int, depth: int) -> tuple[Plain, int]:
        if depth > MAX_DEPTH:
            raise SourceError(f"{self.file}: nests deeper than {MAX_DEPTH} levels, the limit for a chart")
        while self.text(k) in ("&", "new", "mut", "*"):
            k += 1
        if k >= len(self.tokens):
            raise _NotData(k)
        token = self.tokens[k]
        value: Plain
        if token.kind == "text":
            value, k = _unescape(token.text), k + 1
        elif token.kind == "number":
            value, k = Digits(_NUMBER_SUFFIX.sub("", token.text).replace("_", "").lstrip("+")), k + 1
        elif token.text in _CLOSING_BRACKETS:
            value, k = self.group(k, depth)
        elif token.kind == "name":
            value, k = self.named(k, depth)
        else:
            raise _NotData(k)
        return value, self.behind(k)

    def behind(self, k: int) -> int:
        """Skip conversions that change only the type of a value: `.into()`, `as const`, `as f64`."""
        while True:
            if self.text(k) == "." and self.text(k + 2) == "(" and self.text(k + 3) == ")":
                k += 4
            elif self.text(k) in ("as", "satisfies") and k + 1 < len(self.tokens):
                k += 2
            else:
                return k

    def named(self, k: int, depth: int) -> tuple[Plain, int]:
        """Read a word: a truth value, null, the name of a city, or a prefix of a literal, such as `vec!`."""
        word = self.text(k)
        if word in _NULL_WORDS:
            return None, k + 1
        if word in _TRUTH_WORDS:
            return _TRUTH_WORDS[word], k + 1
        if self.text(k + 1) not in _CLOSING_BRACKETS or (self.text(k + 1) == "[" and not word.endswith("!")):
            return re.split(r"::|\.|->", word)[-1].lstrip("$"), k + 1
        inner, end = self.group(k + 1, depth, call=True)
        return (_object_from_pairs(inner, self.file) if _MAP_NAME.search(word) else inner), end

    def group(self, k: int, depth: int, *, call: bool = False) -> tuple[Plain, int]:
        """Read a bracketed group: an object if its items have keys, else a list; `(x)` and `f(x,)` are x."""
        opening, closing = self.text(k), _CLOSING_BRACKETS[self.text(k)]
        items: list[Plain] = []
        keys: list[str] = []
        k += 1
        has_comma = True
        while self.text(k) != closing:
            if not has_comma:
                raise _NotData(k)
            item, k = self.value(k, depth + 1)
            if self.text(k) in (":", "=>") or (self.text(k) == "=" and opening == "{"):
                keys.append(_key_text(item, k))
                item, k = self.value(k + 1, depth + 1)
            items.append(item)
            has_comma = self.text(k) in (",", ";")
            if has_comma:
                k += 1
        if keys:
            if len(keys) != len(items):
                raise _NotData(k)
            refuse_duplicate_keys(keys, file=self.file)
            return dict(zip(keys, items, strict=True)), k + 1
        if opening == "{" and not items:
            return {}, k + 1
        if opening == "(" and len(items) == 1 and (call or not has_comma):
            return items[0], k + 1
        return items, k + 1


def _object_from_pairs(inner: Plain, file: str) -> Plain:
    """Return an object for a list of keys and values, as `new Map([...])` takes it."""
    if not isinstance(inner, list):
        return inner
    pairs = [(pair[0], pair[1]) for pair in inner if isinstance(pair, list) and len(pair) == _PAIR_LENGTH]
    keys = [str(key) for key, _ in pairs if isinstance(key, str)]
    if len(keys) != len(inner):
        return inner
    refuse_duplicate_keys(keys, file=file)
    return dict(zip(keys, (value for _, value in pairs), strict=True))


def _key_text(value: Plain, at: int) -> str:
    if isinstance(value, list) and len(value) == 1:  # [City.Albany]: ...
        value = value[0]
    if not isinstance(value, str):
        raise _NotData(at)
    return str(value)


def _unescape(quoted: str) -> str:
    def letter(found: re.Match[str]) -> str:
        hex_code = found[1] or found[2] or found[3]
        if hex_code is None:
            return _ESCAPED_LETTERS.get(found[4], found[4])
        return chr(int(hex_code, 16)) if int(hex_code, 16) <= _LAST_LETTER else ""

    return _ESCAPE_PATTERN.sub(letter, quoted[1:-1])
