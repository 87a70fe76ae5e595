"""Rows of a compiled board: the document that gives the board again."""

from collections.abc import Iterator, Mapping

from mapkit.document.document import Accepted, Row, RowOrigin, Setting, make_row
from mapkit.drawing.theme.sizes import Sizes
from mapkit.kinds.rail.compiler.boxes import BOXES
from mapkit.kinds.rail.compiler.layers import LAYERS
from mapkit.kinds.rail.compiler.origins import MADE, TABLE_OF, rows_of
from mapkit.kinds.rail.compiler.settings import RULES
from mapkit.kinds.rail.model.board import Board, Payoffs
from mapkit.kinds.rail.model.drawing import DrawingSettings
from mapkit.kinds.rail.model.network import Origin
from mapkit.kinds.rail.rules.rules import plain_values, preset_values
from mapkit.kinds.rail.tables import (
    Cell,
    City,
    Declared,
    Junction,
    Milepost,
    Payoff,
    PayoffCity,
    RailDocument,
    Railroad,
    Region,
    Track,
    cell_key,
)


def document_of_board(board: Board) -> RailDocument:
    """Return a board as a document; compiled it gives the board again."""
    tables: dict[str, Mapping[str, Row]] = {
        "settings": {key: make_row(Setting, value=value) for key, value in _settings(board)},
        "regions": {
            r.id: make_row(Region, rank=float(n), name=r.name, short=r.short, colour=r.colour)
            for n, r in enumerate(board.regions, start=1)
        },
        "accepted": {k: make_row(Accepted, reason=reason) for k, reason in board.provenance.accepted.items()},
        "railroads": {
            r.id: make_row(
                Railroad,
                rank=float(n),
                name=r.name,
                short=r.short,
                price=r.price,
                public=r.public,
                colour=r.style.colour,
                pattern=r.style.pattern,
            )
            for n, r in enumerate(board.railroads, start=1)
        },
        "cities": dict(_cities(board)),
        **track_rows(board),
        "destinations": destination_rows(board),
        "payoff_cities": {c: make_row(PayoffCity, rank=float(n)) for n, c in enumerate(board.payoffs.cities, 1)},
        "payoffs": dict(payoff_rows(board.payoffs)),
        "declared": {
            f"{chart}/{item}": make_row(Declared, chart=chart, item=item, odds=odds)
            for chart, all_odds in board.declared.items()
            for item, odds in all_odds.items()
        },
        "compiled": {key: make_row(Setting, value=value) for key, value in _made(board)},
    }
    return RailDocument(tables, dict(_origins(board)))


def track_rows(board: Board) -> dict[str, Mapping[str, Row]]:
    """Return the rows of mileposts, junctions and track of a board, by table."""
    return {
        "mileposts": {m.id: make_row(Milepost, name=m.name, lon=m.lon, lat=m.lat) for m in board.mileposts},
        "junctions": {j.id: make_row(Junction, railroad=j.railroad, lon=j.lon, lat=j.lat) for j in board.junctions},
        "track": {p.id: make_row(Track, railroad=p.railroad, a=p.a, b=p.b, bends=p.line[1:-1]) for p in board.pieces},
    }


def destination_rows(board: Board) -> dict[str, Row]:
    """Return the cells of the destination charts of a board as rows."""
    return {
        cell_key(name, parity, total): make_row(Cell, item=item)
        for name, chart in board.destinations.items()
        for parity, column in (("odd", chart.odd), ("even", chart.even))
        for total, item in column.items()
    }


def _settings(board: Board) -> Iterator[tuple[str, object]]:
    yield "title", board.title
    yield "credits", list(board.provenance.credits)
    yield "licence", board.provenance.licence
    for group, model in (("units", board.units), ("projection", board.projection), ("page", board.page)):
        for name in type(model).model_fields:
            value = getattr(model, name)
            if value is not None:
                yield f"{group}.{name}", list(value) if isinstance(value, tuple) else value
    yield from drawing_settings(board.drawing)
    if board.extensions:
        yield "extensions", board.extensions
    yield "rules.preset", board.rules.preset
    usual = preset_values(board.rules.preset)
    for path, value in plain_values(board.rules).items():
        if value != usual[path]:
            yield f"{RULES}{path}", value


def drawing_settings(drawing: DrawingSettings) -> Iterator[tuple[str, object]]:
    """Yield the settings of `[drawing]` that are not as usual, by dotted key."""
    for name in DrawingSettings.model_fields:
        value = getattr(drawing, name)
        if name != "sizes" and value != getattr(DrawingSettings(), name):
            yield f"drawing.{name}", value
    for name, value in drawing.sizes.model_dump().items():
        if value != getattr(Sizes(), name):
            yield f"drawing.sizes.{name}", value


def _cities(board: Board) -> Iterator[tuple[str, Row]]:
    at = {m.id: (m.lon, m.lat) for m in board.mileposts}
    for number, city in enumerate(board.cities, start=1):
        lon, lat = at.get(city.milepost, (0.0, 0.0))
        yield (
            city.id,
            make_row(
                City,
                rank=float(number),
                name=city.name,
                region=city.region,
                lon=lon,
                lat=lat,
                milepost=city.milepost,
                weight=None,
                mark=city.mark,
            ),
        )


def payoff_rows(chart: Payoffs) -> Iterator[tuple[str, Payoff]]:
    """Yield the cells of a payoff chart as rows, by key."""
    cities, rows = chart.cities, chart.thousands
    made: dict[tuple[float | None, float | str | None], Payoff] = {}  # rows that say the same are one object
    for i, one in enumerate(cities):
        if rows[i][i] != 0:
            yield f"{one}|{one}", make_row(Payoff, thousands=rows[i][i], below="same")
        row = rows[i]
        for j in range(i + 1, len(cities)):
            other = cities[j]
            above, below = row[j], rows[j][i]
            if above is None and below is None:
                continue
            if one > other:
                above, below = below, above
            said = (above, "same" if above == below else below)
            cell = made.get(said)
            if cell is None:
                cell = made[said] = make_row(Payoff, thousands=above, below=said[1])
            yield f"{one}|{other}" if one < other else f"{other}|{one}", cell


def _made(board: Board) -> Iterator[tuple[str, object]]:
    yield "variants", list(board.variants)
    data = board.provenance.model_dump(mode="json", include=set(MADE))
    for key in MADE:
        yield key, data[key]
    if board.layers is not None:
        yield LAYERS, board.layers.model_dump(mode="json")
    if board.boxes:
        yield BOXES, {name: box.model_dump(mode="json") for name, box in board.boxes.items()}


def _origins(board: Board) -> Iterator[tuple[tuple[str, str], RowOrigin]]:
    for kind, elements in board.provenance.elements.items():
        table = TABLE_OF.get(kind)
        for ident, said in elements.items():
            if table is not None:
                yield (table, ident), _row_origin(said)
            elif kind != "segments":
                origin = _row_origin(said)
                for at in rows_of(kind, ident):
                    yield at, origin


def _row_origin(origin: Origin) -> RowOrigin:
    """Return the origin of a row from the provenance of its element."""
    return RowOrigin(file=origin.file or "", row=origin.row or 0, how=origin.how, feature=origin.feature or "")
