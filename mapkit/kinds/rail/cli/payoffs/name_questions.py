"""Question of a command for names that fit no city of the board."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mapkit.core.plurals import count_noun, join_some

if TYPE_CHECKING:
    from mapkit.kinds.rail.model.left_out import NameLeftOut


def unknown_names_text(names: "Sequence[NameLeftOut]") -> str:
    """Return the question for names that were left out, with an answer for the first."""
    first = names[0]
    near = "/".join(first.near) if first.twins else next(iter(first.near), "NAME")
    shown = join_some([repr(name.typed) for name in names])
    return (
        f"{count_noun(len(names), 'name fits', 'names fit')} nothing on the board: {shown}; say what each is: "
        f"--accept {shlex.quote(f'{first.typed}={near}')}, or leave it out: --accept {shlex.quote(f'{first.typed}=-')}"
    )
