"""Line numbers of keys in TOML files."""

import re
from typing import Final

_IS_PLACE: Final = re.compile(r"[0-9]{1,9}").fullmatch


def find_row(text: str, keys: list[str]) -> int:
    """Return the line of the last key of a path, or 1 if it is not found.

    Args:
        text: The file.
        keys: The path; numbers are places in a list of tables or in a list.
    """
    key_names = [key for key in keys if not _IS_PLACE(key)]
    if not key_names:
        return 1
    full_key, table_key, last_key = ".".join(key_names), ".".join(key_names[:-1]), key_names[-1]
    item_index = next((int(key) for key in keys if _IS_PLACE(key)), 0)
    current_table, last_index = "", -1
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            table_header = stripped.split("#")[0].strip()
            current_table = table_header.strip("[] ")
            if table_header.startswith("[[") and table_key and current_table == table_key:
                last_index += 1
            if current_table == last_key or current_table.endswith(f".{last_key}"):
                return number
        elif f"{current_table}.{_key_of_line(stripped)}".removeprefix(".") == full_key and last_index in (
            -1,
            item_index,
        ):
            return number
    return 1


def _key_of_line(line: str) -> str:
    return line.partition("=")[0].strip().replace('"', "")
