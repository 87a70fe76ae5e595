"""TypeScript types of all that the editor's page sends and gets, from the models of Python."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from mapkit.console.jobs import JobState
from mapkit.core.base import NAMED
from mapkit.editor.server import messages
from mapkit.editor.server.app import Settings
from mapkit.editor.server.pictures import PictureAbout, PictureList
from mapkit.exchange.typescript import declare_type
from mapkit.kinds.protocol import EmptyResult, NeedsCrs, Refusal
from mapkit.kinds.rail.api.destinations import DestinationsRead
from mapkit.kinds.rail.commands import COMMANDS
from mapkit.kinds.rail.editing.line_files import KeptLines
from mapkit.kinds.rail.live.view import ViewDelta, WholeView
from mapkit.kinds.rail.model.board_scan import SymbolsFound
from mapkit.kinds.rail.model.comparison import Comparison
from mapkit.kinds.rail.model.import_report import ImportReport
from mapkit.kinds.rail.model.payoffs.diagnosis import JudgedData
from mapkit.kinds.rail.model.scan_placing import ScanPlacing
from mapkit.kinds.rail.model.study import Study
from mapkit.kinds.rail.queries import QUESTIONS
from mapkit.kinds.rail.serving.chart_scans import ChartScan
from mapkit.kinds.rail.serving.copies import StepTaken
from mapkit.kinds.rail.serving.drafting import BoardDraft, DraftReady, SmallMap
from mapkit.kinds.rail.serving.exporting import JobAsked, KeptFiles
from mapkit.kinds.rail.serving.importing import LineImport
from mapkit.kinds.rail.serving.line_files import LineFileList
from mapkit.kinds.rail.serving.playtesting import PlayTestAsked, PlayTestList, PlayTestState
from mapkit.kinds.rail.serving.variants import NewVariant, WrittenVariant
from mapkit.kinds.rail.tables import SCHEMA

Mode = Literal["validation", "serialization"]
Schema = dict[str, Any]
Wanted = tuple[str, Mode, type]

HEAD: Final = """\
// Written by tools/make_docs.py from the models of Python; change those instead.

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
"""
TAIL: Final = """
/** A row that changed; null for one that is gone. */
export type TableChange = {
  [Name in keyof Tables]: {
    readonly table: Name;
    readonly key: string;
    readonly after: Tables[Name][string] | null;
  };
}[keyof Tables];

/** What this kind of board draws. */
export type View = WholeView;
"""

_OWN: Final = ("Command", "JsonValue", "TableChange")
"""Types that are written otherwise than their schema says."""
REPLIES: Final[Mapping[str, tuple[type, ...]]] = {
    "GET /api/alive": (messages.Alive,),
    "POST /api/enter": (messages.Entered,),
    "POST /api/tickets": (messages.Ticket,),
    "GET /api/settings": (Settings,),
    "POST /api/settings": (Settings,),
    "POST /api/begin": (messages.Begun,),
    "POST /api/begin-file": (messages.Begun, NeedsCrs),
    "GET /api/pictures": (PictureList,),
    "POST /api/pictures": (PictureAbout,),
    "DELETE /api/pictures/{id}": (EmptyResult,),
    "GET /api/line-files": (LineFileList,),
    "POST /api/line-files": (KeptLines, NeedsCrs),
    "DELETE /api/line-files/{id}": (EmptyResult,),
    "POST /api/chart-scans": (JobState,),
    "GET /api/chart-scans/{id}": (ChartScan,),
    "GET /api/chart-scans/{id}/destinations": (DestinationsRead,),
    "POST /api/picture-dots/{id}": (JobState,),
    "GET /api/picture-dots/{id}": (SymbolsFound,),
    "POST /api/picture-places/{id}": (JobState,),
    "GET /api/picture-places/{id}": (ScanPlacing,),
    "POST /api/jobs": (JobState,),
    "GET /api/jobs/{id}": (JobState,),
    "DELETE /api/jobs/{id}": (JobState,),
    "POST /api/jobs/{id}/keep": (KeptFiles,),
    "POST /api/playtests": (PlayTestState,),
    "GET /api/playtests": (PlayTestList,),
    "DELETE /api/playtests/{id}": (PlayTestState,),
    "GET /api/playtests/{id}/study": (Study,),
    "GET /api/playtests/{id}/comparison": (Comparison,),
    "GET /api/drafts": (DraftReady,),
    "GET /api/drafts/map": (SmallMap,),
    "POST /api/drafts": (JobState,),
    "POST /api/drafts/{id}/take": (StepTaken,),
    "POST /api/imports": (JobState,),
    "GET /api/imports/{id}": (ImportReport,),
    "POST /api/imports/{id}": (JobState,),
    "POST /api/imports/{id}/take": (StepTaken,),
    "POST /api/variants": (WrittenVariant,),
}
"""What addresses of the server reply, beside files and answers to questions."""
BODIES: Final[Mapping[str, type[BaseModel]]] = {
    "POST /api/enter": messages.Enter,
    "POST /api/tickets": messages.TicketFor,
    "POST /api/settings": Settings,
    "POST /api/begin": messages.Begin,
    "POST /api/jobs": JobAsked,
    "POST /api/playtests": PlayTestAsked,
    "POST /api/drafts": BoardDraft,
    "POST /api/imports/{id}": LineImport,
    "POST /api/variants": NewVariant,
}
"""What a page sends to addresses that take JSON."""


class _Sent(GenerateJsonSchema):
    """Schemas in which all that Python sends is required: a model is sent with its defaults."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - as pydantic calls it
    ) -> bool:
        """Return whether a field is always there."""
        sent = self.mode == "serialization" and field["type"] != "typed-dict-field"
        return sent or super().field_is_required(field, total)


def wire_text() -> str:
    """Return the module of the page that declares all types."""
    definitions, names = _definitions()
    parts = [HEAD]
    parts += ["\n".join(["", *declare_type(name, definitions[name])]) + "\n" for name in sorted(definitions)]
    tables = {name: f"{{ readonly [key: string]: {names['row', name]} }}" for name in SCHEMA.tables}
    parts.append(_interface("The document: table, key, row.", "Tables", tables))
    parts.append(_names("Its tables, in the order in which they are listed.", "TABLES", SCHEMA.tables))
    parts.append(TAIL)
    commands = {kind: names["command", kind] for kind in sorted(COMMANDS)}
    parts.append(_interface("Commands by kind.", "CommandByKind", commands))
    parts.append("\n/** Any command. */\nexport type Command = CommandByKind[keyof CommandByKind];\n")
    for about, name, union in (
        ("What a page asks for.", "Request", messages.Request),
        ("What the server says.", "FromServer", messages.FromServer),
    ):
        parts.append(_union(about, name, [names["message", one.__name__] for one in _members(union)]))
    asked = {name: f"{{ ask: {names['ask', name]}; answer: {names['answer', name]} }}" for name in sorted(QUESTIONS)}
    parts.append(_interface("Questions: what they ask, and their answers.", "Questions", asked))
    replies = {at: " | ".join(names["reply", m.__name__] for m in models) for at, models in REPLIES.items()}
    parts.append(_interface("What addresses of the server reply.", "Replies", replies))
    bodies = {at: names["body", at] for at in BODIES}
    parts.append(_interface("What addresses of the server take.", "Bodies", bodies))
    return "".join(parts)


def _wanted() -> Iterable[tuple[tuple[str, str], Mode, Any]]:
    for name, question in QUESTIONS.items():
        yield ("ask", name), "validation", question.model
        yield ("answer", name), "serialization", question.reply
    for kind, command in COMMANDS.items():
        yield ("command", kind), "validation", command
    for name, row in SCHEMA.tables.items():
        yield ("row", name), "serialization", row
    for message in _members(messages.Request):
        yield ("message", message.__name__), "validation", message
    for message in _members(messages.FromServer):
        yield ("message", message.__name__), "serialization", message
    for models in REPLIES.values():
        for model in models:
            yield ("reply", model.__name__), "serialization", model
    for at, model in BODIES.items():
        yield ("body", at), "validation", model
    for model in (WholeView, ViewDelta, Refusal, JudgedData, messages.Knock):
        yield ("part", model.__name__), "serialization", model


def _members(union: Any) -> Sequence[Any]:  # noqa: ANN401 - a type
    return get_args(union)


def _definitions() -> tuple[dict[str, Schema], dict[tuple[str, str], str]]:
    """Return the schema of every type by its name in TypeScript, and the name of what is wanted."""
    adapters = [((*key, mode), mode, TypeAdapter(model)) for key, mode, model in _wanted()]
    made, whole = TypeAdapter.json_schemas(adapters, schema_generator=_Sent)
    found: dict[str, Schema] = whole["$defs"]
    names = _short_names(found)
    definitions = {names[key]: _clean(schema, names) for key, schema in found.items() if key not in _OWN}
    of = {key[:2]: names[schema["$ref"].rpartition("/")[2]] for (key, _), schema in made.items()}
    for kind in COMMANDS:
        one = definitions[of["command", kind]]
        one["required"] = ["kind", *one.get("required", ())]
    definitions[of["command", "batch"]]["properties"]["commands"] = {"type": "array", "items": _ref("Command")}
    for table, fields in SCHEMA.unsent.items():
        row = definitions[of["row", table]]
        row["properties"] = {key: value for key, value in row["properties"].items() if key not in fields}
    return definitions, of


def _short_names(found: Mapping[str, Schema]) -> dict[str, str]:
    """Return a name in TypeScript for each definition.

    Where classes share a name, that of the module stands before it; where a model differs by direction, what a page
    sends ends in `Input`.
    """
    out: dict[str, str] = {}
    for key in sorted(found):
        plain, _, direction = key.partition("-")
        *modules, name = plain.split("__")
        before = "".join(part.capitalize() for part in modules[-1].split("_")) if modules else ""
        out[key] = f"{before}{name}{'Input' if direction == 'Input' else ''}"
    if len(set(out.values())) < len(out):
        raise ValueError(f"two types have one name: {sorted(out.values())}")
    return out


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _clean(schema: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - a part of a JSON Schema
    """Return a schema with the names of TypeScript, in which any value is `JsonValue`."""
    if schema is True or (isinstance(schema, dict) and not schema.keys() - {"title", "description", "default"}):
        return _ref("JsonValue")
    if not isinstance(schema, dict):
        return schema
    said = {"description": schema["description"]} if "description" in schema else {}
    if NAMED in schema:
        return _ref(schema[NAMED]) | said
    if "$ref" in schema:
        return _ref(names[schema["$ref"].rpartition("/")[2]]) | said
    return {key: _clean_part(key, value, names) for key, value in schema.items()}


def _clean_part(key: str, value: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - a part of a JSON Schema
    if key in ("items", "additionalProperties") and value is not False:
        return _clean(value, names)
    if key in ("anyOf", "oneOf", "prefixItems"):
        return [_clean(one, names) for one in value]
    if key in ("properties", "patternProperties"):
        return {name: _clean(one, names) for name, one in value.items()}
    return value


def _interface(about: str, name: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f'  readonly "{key}": {of};\n' for key, of in fields.items())
    return f"\n/** {about} */\nexport interface {name} {{\n{lines}}}\n"


def _names(about: str, name: str, values: Iterable[str]) -> str:
    lines = "".join(f'  "{value}",\n' for value in values)
    return f"\n/** {about} */\nexport const {name} = [\n{lines}] as const;\n"


def _union(about: str, name: str, members: Sequence[str]) -> str:
    return f"\n/** {about} */\nexport type {name} =\n" + "".join(f"  | {one}\n" for one in members)[:-1] + ";\n"
