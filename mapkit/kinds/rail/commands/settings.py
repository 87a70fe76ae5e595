"""Settings of a railroad board."""

from mapkit.core.base import Frozen
from mapkit.core.errors import SourceError, did_you_mean
from mapkit.document.document import Setting
from mapkit.document.toml_file import settings_data
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.commands.command import COMMANDS, CommandError, Draft
from mapkit.kinds.rail.editing.config import config_of
from mapkit.kinds.rail.model.board import Page, Units
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.tables import RailDocument


@COMMANDS.checks_settings("regions")
def check_config(draft: Draft) -> None:
    """Refuse settings that `board.toml` may not have.

    Raises:
        CommandError: A key is unknown, or a value wrong.
    """
    if draft.table("compiled"):
        _check_compiled(draft)
        return
    try:
        config = config_of(draft.document)
    except SourceError as error:
        raise CommandError("; ".join(error.problems)) from error
    for kind, known in (("railroads", draft.table("railroads")), ("regions", draft.table("regions"))):
        for ident in getattr(config.spacing, kind):
            if ident not in known:
                raise CommandError(f"spacing.{kind}.{ident}: there is no such {kind[:-1]}{did_you_mean(ident, known)}")


def _check_compiled(draft: Draft) -> None:
    """Refuse settings that a board without sources cannot have; whether rules go together shows at the end."""
    kinds: dict[str, type[Frozen]] = {"units": Units, "projection": Projection, "page": Page}
    groups: dict[str, dict[str, object]] = {name: {} for name in kinds}
    for key, row in draft.rows("settings", Setting).items():
        head, _, name = key.partition(".")
        if head in groups:
            groups[head][name] = row.value
        elif head not in ("title", "credits", "licence", "rules", "extensions", "drawing"):
            raise CommandError(f"{key!r} is a setting of sources, which a compiled board does not have")
    for name, values in groups.items():
        kinds[name].model_validate(values)
    said = settings_data(RailDocument({"settings": draft.table("settings")})).get("drawing", {})
    DrawingSettings.model_validate(said)
