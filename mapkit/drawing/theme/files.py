"""Themes by name, and a user's own themes: TOML files that change another theme.

```toml
base = "classic"
name = "sepia"
land = "#f1e7d0"
tint_opacity = 0.6

[sizes]
city_text = 4.4
```
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from mapkit.core.errors import ChoiceError, SourceError, did_you_mean
from mapkit.core.invalid import invalid_value_message
from mapkit.drawing.theme.sizes import LARGEST_MM, SMALLEST_MM, ThemeSizes
from mapkit.drawing.theme.theme import THEMES, Theme
from mapkit.formats.files import read_bytes
from mapkit.formats.toml_reading import parse_toml

MAX_BYTES: Final = 64 * 1024
_THEME_SUFFIX: Final = ".toml"
_MAX_TEXT_LENGTH: Final = 200
OWN: Final = "board"
"""Name that stands for the theme in the board's own `[drawing]`."""


def find_theme(name: str, *, folder: Path | None = None) -> Theme | None:
    """Return a theme by its name, or from a file with the suffix `.toml`; None for `board`, the board's own.

    Args:
        name: `board`, a name of `THEMES`, or a file.
        folder: Where a relative file name starts from; the current folder by default.

    Raises:
        ChoiceError: No theme has that name; the nearest is offered.
        SourceError: The file is wrong; likewise WorkspaceError if it cannot be read.
    """
    if name.lower().endswith(_THEME_SUFFIX):
        return read_theme((folder or Path()) / name)
    if name == OWN:
        return None
    if name not in THEMES:
        theme_names = ", ".join(THEMES)
        raise ChoiceError(
            f"no theme is named {name!r}{did_you_mean(name, (OWN, *THEMES))}; themes are {theme_names}, {OWN} (as "
            "board.toml says), or a file of your own (.toml)"
        )
    return THEMES[name]


def read_theme(path: Path) -> Theme:
    """Read a theme's file; as for `parse_theme`.

    Raises:
        SourceError: It is larger than 64 KiB, not UTF-8, or wrong.
        WorkspaceError: It cannot be read.
    """
    data = read_bytes(path, name=path.name, limit=MAX_BYTES, cure="a theme has a few lines")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path.name}: not UTF-8; save the file as UTF-8") from error
    return parse_theme(text, file=path.name, stem=path.stem)


def parse_theme(text: str, *, file: str = "theme.toml", stem: str = "theme") -> Theme:
    """Return the theme of a TOML text: `base`, and the changed fields of `Theme` and `[sizes]`.

    Args:
        text: The file's.
        file: Its name in messages.
        stem: Its name if it states none.

    Raises:
        SourceError: It is not TOML, a key is unknown (the nearest is offered), or a value is wrong.
    """
    data = parse_toml(text, file=file)
    base = data.pop("base", "classic")
    if not isinstance(base, str) or base not in THEMES:
        hint = did_you_mean(base, THEMES) if isinstance(base, str) else ""
        raise SourceError(f"{file}: base is {base!r}{hint}; it is one of {', '.join(THEMES)}")
    sizes = data.pop("sizes", {})
    if not isinstance(sizes, dict):
        raise SourceError(f"{file}: sizes is {sizes!r}; write a table [sizes]")
    problems = (
        _unknown_keys(file, data, Theme, "")
        + _unknown_keys(file, sizes, ThemeSizes, "sizes.")
        + [
            f"{file}: sizes.{key} is {value}; it is {SMALLEST_MM:g} to {LARGEST_MM:g} millimetres"
            for key, value in sizes.items()
            if isinstance(value, (int, float)) and not SMALLEST_MM <= value <= LARGEST_MM
        ]
    )
    for key in ("name", "about"):
        if len(str(data.get(key, ""))) > _MAX_TEXT_LENGTH:
            problems.append(f"{file}: {key} is longer than {_MAX_TEXT_LENGTH} characters; shorten it")
    if problems:
        raise SourceError(problems)
    theme_data = THEMES[base].model_dump()
    theme_data |= {"name": stem, "about": f"{file}, from {base}"} | data
    theme_data["sizes"] |= sizes
    try:
        return Theme.model_validate(theme_data)
    except ValidationError as error:
        raise SourceError([f"{file}: {invalid_value_message(item)}" for item in error.errors()]) from error


def _unknown_keys(file: str, data: Mapping[str, Any], model: type[Theme] | type[ThemeSizes], prefix: str) -> list[str]:
    known_keys = sorted(set(model.model_fields) - {"sizes"})
    return [
        f"{file}: unknown key {prefix + key!r}{did_you_mean(key, known_keys) or '; keys are ' + ', '.join(known_keys)}"
        for key in data
        if key not in known_keys
    ]
