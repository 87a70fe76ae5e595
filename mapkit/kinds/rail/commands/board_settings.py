"""Commands of the whole board: title, page, projection, the order of rows."""

from typing import Literal

from pydantic import Field

from mapkit.document.document import Setting, make_row, sort_rows
from mapkit.geography.projection import Projection
from mapkit.kinds.rail.commands.command import Command, CommandError, Draft, command
from mapkit.kinds.rail.commands.fields import Name, has_files
from mapkit.kinds.rail.compiler.boards import Start
from mapkit.kinds.rail.model.board import Page


@command("board")
class EditBoard(Command):
    """Change the title, the page or the projection; positions on the page follow."""

    kind: Literal["edit-board"] = "edit-board"
    title: Name | None = None
    page: Page | None = None
    projection: Projection | None = None

    def edit(self, draft: Draft) -> str:
        """Set the title, page and projection that are given."""
        if self.title is not None:
            draft.put("settings", "title", Setting(value=self.title))
        for group, model in (("page", self.page), ("projection", self.projection)):
            if model is not None:
                put_group(draft, group, model)
        changed_fields = [name for name in ("title", "page", "projection") if getattr(self, name) is not None]
        return f"Change {', '.join(changed_fields) or 'nothing'} of the board"


def put_group(draft: Draft, group: str, model: Page | Projection) -> None:
    """Set all settings of a group and drop others of it; with files, only those that `board.toml` has."""
    if has_files(draft):
        values = (
            {"name": "crs", "crs": model.crs}
            if isinstance(model, Projection)
            else {"width": model.width, "height": model.height}
        )
        stale_keys = ("page.sheet", "page.upright") if group == "page" else (f"{group}.",)
        for key in [key for key in draft.table("settings") if key.startswith(stale_keys)]:
            draft.drop("settings", key)
        for name, value in values.items():
            draft.put("settings", f"{group}.{name}", make_row(Setting, value=value))
        return
    for key in [key for key in draft.table("settings") if key.startswith(f"{group}.")]:
        if key.partition(".")[2] not in type(model).model_fields:
            draft.drop("settings", key)
    for name in type(model).model_fields:
        value = getattr(model, name)
        draft.put(
            "settings", f"{group}.{name}", make_row(Setting, value=list(value) if isinstance(value, tuple) else value)
        )


def projection_of(draft: Draft) -> Projection:
    """Return the projection of a board; `board.toml` may leave it to mapkit."""
    if has_files(draft):
        return draft.index(Start).compiled.board.projection
    return Projection.model_validate(_read_group(draft, "projection", Projection))


def page_of(draft: Draft) -> Page:
    """Return the page of a board."""
    if has_files(draft):
        return draft.index(Start).compiled.board.page
    return Page.model_validate(_read_group(draft, "page", Page))


def _read_group(draft: Draft, group: str, model: type[Page | Projection]) -> dict[str, object]:
    rows = draft.rows("settings", Setting)
    return {n: rows[f"{group}.{n}"].value for n in model.model_fields if f"{group}.{n}" in rows}


@command("document")
class Reorder(Command):
    """Put rows of a table in an order; rows that are not named follow as they were."""

    kind: Literal["reorder"] = "reorder"
    table: Literal["railroads", "regions", "cities", "payoff_cities", "lines", "places"]
    keys: tuple[str, ...] = Field(min_length=1)

    def edit(self, draft: Draft) -> str:
        """Rank the named rows first, and the others after them in their order."""
        if len(set(self.keys)) != len(self.keys):
            raise CommandError("a row is named twice; name each once")
        for key in self.keys:
            draft.need(self.table, key, "row")
        other_keys = [key for key, _ in sort_rows(draft.table(self.table)) if key not in set(self.keys)]
        for new_rank, key in enumerate((*self.keys, *other_keys), start=1):
            if draft.table(self.table)[key].rank != new_rank:
                draft.update(self.table, key, rank=float(new_rank))
        return f"Reorder {self.table.replace('_', ' ')}"
