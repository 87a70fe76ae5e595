"""Settings of pages, such as light or dark, stored for every board and port.

A browser keeps such things per port, which is another after a restart. They are kept in a file of the user; where
nothing can be kept, each page keeps them as long as its port is the same.
"""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, ValidationError

from mapkit.core.base import Frozen
from mapkit.core.kept import STATE, replace_own

MOST: Final = 300
"""Settings that are kept; each board has some of its own, and those that were changed longest ago give way."""
_MOST_TEXT: Final = 500_000
_MOST_BYTES: Final = 5_000_000

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,60}$")]
Value = Annotated[str, Field(max_length=8_000)]


class Settings(Frozen):
    """Settings of pages by name, each as the text that the page keeps."""

    kept: dict[Name, Value] = Field(default_factory=dict, max_length=MOST)


def kept_settings() -> Settings:
    """Return the stored settings; none if the file is missing or broken."""
    file = _file()
    if file is not None:
        with suppress(OSError, ValidationError), file.open("rb") as stream:
            return Settings.model_validate_json(stream.read(_MOST_BYTES))
    return Settings()


def keep_settings(changed: Settings) -> Settings:
    """Keep settings beside those that are kept already, and return all, those that changed last at the end."""
    now = {name: value for name, value in kept_settings().kept.items() if name not in changed.kept}
    now |= dict(sorted(changed.kept.items()))
    while len(now) > MOST or sum(map(len, now.values())) > _MOST_TEXT:
        del now[next(iter(now))]
    settings = Settings(kept=now)
    file = _file()
    if file is not None:
        with suppress(OSError):
            replace_own(file, f"{settings.model_dump_json(indent=1)}\n".encode())
    return settings


def _file() -> Path | None:
    place = STATE.path()
    return None if place is None else place / "editor" / "settings.json"
