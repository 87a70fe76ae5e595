"""What can be made of a board: themes and formats."""

from typing import Any

from mapkit.editor.questions.question import Asked, question
from mapkit.errors import ExportError
from mapkit.model.base import Frozen


class MakesAsked(Frozen):
    """Nothing more to say."""


@question("makes", MakesAsked)
def makes(_ask: MakesAsked, _asked: Asked) -> dict[str, Any]:
    """Return `themes`, and `formats` as `mapkit formats` lists them; those that cannot be loaded are left out."""
    from mapkit.exchange.registry import format_names, get_format  # noqa: PLC0415 - loads every format
    from mapkit.render.theme import THEMES  # noqa: PLC0415

    formats = []
    for name in format_names():
        try:
            form = get_format(name)
        except ExportError:
            continue
        formats.append(
            {
                "name": form.name,
                "title": form.title,
                "suffixes": list(form.suffixes),
                "carries": form.carries,
                "loses": form.loses,
            }
        )
    return {"themes": [{"name": t.name, "about": t.about} for t in THEMES.values()], "formats": formats}
