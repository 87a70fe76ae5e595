"""On which line of a TOML file a key stands."""

import re
from typing import Final

_IS_PLACE: Final = re.compile(r"[0-9]{1,9}").fullmatch


def row_of(text: str, keys: list[str]) -> int:
    """Return the line on which the last key of a path is written, or 1 where that is not known.

    Args:
        text: The file.
        keys: The path; numbers are places in a list of tables or in a list.
    """
    names = [key for key in keys if not _IS_PLACE(key)]
    if not names:
        return 1
    whole, table, leaf = ".".join(names), ".".join(names[:-1]), names[-1]
    index = next((int(key) for key in keys if _IS_PLACE(key)), 0)
    current, seen = "", -1
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            head = stripped.split("#")[0].strip()
            current = head.strip("[] ")
            if head.startswith("[[") and table and current == table:
                seen += 1
            if current == leaf or current.endswith(f".{leaf}"):
                return number
        elif f"{current}.{_key(stripped)}".removeprefix(".") == whole and seen in (-1, index):
            return number
    return 1


def _key(line: str) -> str:
    return line.partition("=")[0].strip().replace('"', "")
