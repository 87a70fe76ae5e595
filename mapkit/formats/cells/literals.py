"""Data written as literals in source code: JavaScript, TypeScript, Rust, Python, PHP and the like.

A small strict reader of numbers, texts, lists, tuples, objects and struct literals. Nothing is evaluated: what is not a
literal, such as a sum or a call with other things than literals, is not data.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from mapkit.core.errors import SourceError
from mapkit.formats.cells.json_files import MAX_DEPTH, Digits, Plain, refuse_doubled_keys
from mapkit.formats.cells.table import MAX_CELLS, shown

SUFFIXES: Final = frozenset(
    {".js", ".mjs", ".cjs", ".ts", ".rs", ".py", ".php", ".json5", ".rb", ".go", ".swift", ".lua"}
)
_MOST_TOKENS: Final = 8 * MAX_CELLS
_SAMPLE: Final = 400
_CODE: Final = re.compile(
    r"\s*(?:export\s+default\b|return\s*[\[{(]|//|/\*|#!?\[|<\?php"
    r"|(?:async\s+)?function\b[\s\w$]*\(|(?:pub\s+)?fn\s+\w+\s*[(<]|import\s+[{*\"'\w]|use\s+[\w:{}, ]+;"
    r"|(?:(?:export|pub(?:\([^)]*\))?|static|const|let|var|mut|final|readonly)\s+)*[$A-Za-z_][\w$.]*\s*(?::[^=\n]{1,200})?"
    r"=\s*(?:$|[\[{(&]|new\s|vec!|\w*Map\b|Object\.freeze))"
)
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|\#(?![!\[])[^\n]*)
    |(?P<text>"(?:[^"\\]|\\.)*+"|(?<![&<])'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\$]|\\.)*+`)
    |(?P<number>[+-]?(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d+)(?:[eE][+-]?\d+)?(?:_?[iuf](?:8|16|32|64|128|size))?)
    |(?P<name>\$?[^\W\d][\w$]*(?:(?:::|\.|->)[^\W\d][\w$]*)*!?)
    |(?P<sign>=>|==+|->|(?<=[&<])'[^\W\d]\w*|.)""",
    re.VERBOSE | re.DOTALL,
)
_SUFFIX: Final = re.compile(r"_?[iuf](?:8|16|32|64|128|size)$")
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "0": ""}
_LAST_LETTER: Final = 0x10FFFF
_NOTHING: Final = frozenset({"null", "None", "undefined", "nil", "NULL"})
_TRUTH: Final = {"true": True, "false": False, "True": True, "False": False}
_DECLARING: Final = frozenset({"const", "let", "var", "static", "mut", "final", "readonly"})
_MAP: Final = re.compile(r"[mM]ap\b")
_PAIR: Final = 2
_CLOSING: Final = {"[": "]", "(": ")", "{": "}"}


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class _NotData(Exception):  # noqa: N818 - it is no error: the reader goes on behind it
    """What begins here is not a literal; `at` is the token that shows it."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def looks_like_code(text: str) -> bool:
    """Say whether a text is source code: a line of its beginning declares or returns a literal."""
    return any(_CODE.match(line) for line in islice(iter(text.split("\n")), _SAMPLE))


def parse_literals(text: str, *, file: str) -> Plain:
    """Return the lists and objects that stand as literals in source code, by the names that they are given.

    Numbers are `Digits`. Tuples are lists, struct literals are objects, names of enums are texts.

    Raises:
        SourceError: There is none, the code is too long, or nests deeper than 32 levels.
    """
    tokens = list(_tokens(text, file))
    out: dict[str, Plain] = {}
    failed = -1
    name, k = "", 0
    while k < len(tokens):
        token = tokens[k]
        if token.kind == "name" and token.text in _DECLARING and k + 1 < len(tokens):
            name = tokens[k + 1].text
        elif token.text in ("=", "return", "default") or (k == 0 and token.text in _CLOSING):
            if token.text == "=" and not name and k:
                name = tokens[k - 1].text
            try:
                value, end = _Reader(tokens, file).value(k if k == 0 and token.text in _CLOSING else k + 1, 0)
            except _NotData as error:
                failed = max(failed, error.at)
            else:
                if isinstance(value, dict | list) and value:
                    key = name.lstrip("$") or "data"
                    out[key if key not in out else f"{key} {len(out) + 1}"] = value
                k = end - 1
            name = ""
        k += 1
    if not out:
        raise SourceError(_why_none(text, tokens, failed, file))
    return out


def _why_none(text: str, tokens: Sequence[_Token], failed: int, file: str) -> str:
    cure = "write the chart as a list or object of numbers and texts, or as JSON or CSV"
    if failed < 0 or failed >= len(tokens):
        return f"{file}: source code without a literal that could be a chart; {cure}"
    at = tokens[failed].at
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f"{file}:{line}:{column}: {shown(tokens[failed].text)} is not part of a literal, and code is not run; {cure}"


def _tokens(text: str, file: str) -> Iterator[_Token]:
    count = 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "sign"
        if kind == "blank":
            continue
        count += 1
        if count > _MOST_TOKENS:
            raise SourceError(f"{file}: more than {_MOST_TOKENS:,} words and signs; split the file")
        yield _Token(kind, found[0], found.start())


class _Reader:
    """Reads literals at tokens; each function returns what it read and the token behind it."""

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
            value, k = _plain_text(token.text), k + 1
        elif token.kind == "number":
            value, k = Digits(_SUFFIX.sub("", token.text).replace("_", "").lstrip("+")), k + 1
        elif token.text in _CLOSING:
            value, k = self.group(k, depth)
        elif token.kind == "name":
            value, k = self.named(k, depth)
        else:
            raise _NotData(k)
        return value, self.behind(k)

    def behind(self, k: int) -> int:
        """Skip what changes the type of a value only: `.into()`, `as const`, `as f64`."""
        while True:
            if self.text(k) == "." and self.text(k + 2) == "(" and self.text(k + 3) == ")":
                k += 4
            elif self.text(k) in ("as", "satisfies") and k + 1 < len(self.tokens):
                k += 2
            else:
                return k

    def named(self, k: int, depth: int) -> tuple[Plain, int]:
        """Read a word: a truth value, nothing, the name of a city, or what is in front of a literal, as `vec!`."""
        word = self.text(k)
        if word in _NOTHING:
            return None, k + 1
        if word in _TRUTH:
            return _TRUTH[word], k + 1
        if self.text(k + 1) not in _CLOSING or (self.text(k + 1) == "[" and not word.endswith("!")):
            return re.split(r"::|\.|->", word)[-1].lstrip("$"), k + 1
        inner, end = self.group(k + 1, depth, call=True)
        return (_mapped(inner, self.file) if _MAP.search(word) else inner), end

    def group(self, k: int, depth: int, *, call: bool = False) -> tuple[Plain, int]:
        """Read what is between brackets: an object if its items have keys, else a list; `(x)` and `f(x,)` are x."""
        opening, closing = self.text(k), _CLOSING[self.text(k)]
        items: list[Plain] = []
        keys: list[str] = []
        k += 1
        comma = True
        while self.text(k) != closing:
            if not comma:
                raise _NotData(k)
            item, k = self.value(k, depth + 1)
            if self.text(k) in (":", "=>") or (self.text(k) == "=" and opening == "{"):
                keys.append(_key(item, k))
                item, k = self.value(k + 1, depth + 1)
            items.append(item)
            comma = self.text(k) in (",", ";")
            if comma:
                k += 1
        if keys:
            if len(keys) != len(items):
                raise _NotData(k)
            refuse_doubled_keys(keys, file=self.file)
            return dict(zip(keys, items, strict=True)), k + 1
        if opening == "{" and not items:
            return {}, k + 1
        if opening == "(" and len(items) == 1 and (call or not comma):
            return items[0], k + 1
        return items, k + 1


def _mapped(inner: Plain, file: str) -> Plain:
    """Return a list of keys and values, as `new Map([...])` takes it, as an object."""
    if not isinstance(inner, list):
        return inner
    pairs = [(pair[0], pair[1]) for pair in inner if isinstance(pair, list) and len(pair) == _PAIR]
    keys = [str(key) for key, _ in pairs if isinstance(key, str)]
    if len(keys) != len(inner):
        return inner
    refuse_doubled_keys(keys, file=file)
    return dict(zip(keys, (value for _, value in pairs), strict=True))


def _key(value: Plain, at: int) -> str:
    if isinstance(value, list) and len(value) == 1:  # [City.Albany]: ...
        value = value[0]
    if not isinstance(value, str):
        raise _NotData(at)
    return str(value)


def _plain_text(quoted: str) -> str:
    def letter(found: re.Match[str]) -> str:
        code = found[1] or found[2] or found[3]
        if code is None:
            return _ESCAPED.get(found[4], found[4])
        return chr(int(code, 16)) if int(code, 16) <= _LAST_LETTER else ""

    return _ESCAPE.sub(letter, quoted[1:-1])
