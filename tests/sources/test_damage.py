"""What libraries say of files that they cannot read becomes words of our own."""

import sqlite3

import pytest

from mapkit.formats.library_errors import translate_error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("'/tmp/a.gpkg' not recognized as being in a supported file format."), "it is damaged, or of"),
        (sqlite3.DatabaseError("database disk image is malformed"), "its database is damaged"),
        (RuntimeError("sqlite3_get_table(SELECT c.table_name ...) failed"), "its database is damaged"),
        (sqlite3.OperationalError("Could not decode to UTF-8 column 'b' with text 'K'"), "a text in it is not UTF-8"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "a text in it is not UTF-8"),
        (sqlite3.OperationalError("database is locked"), "another program has it open, which must close it"),
        (RuntimeError("Geometry of feature 7 a.7 cannot be parsed: ."), "the geometry of feature 7 is damaged"),
        (ValueError("could not convert string to float: '#zz'"), "'#zz' is not a number"),
        (ValueError("No attribute defined for=2."), "it uses an attribute 2 that it does not define"),
        (ValueError("Bad GraphML data: no key d15"), "it uses a key d15 that it does not define"),
        (KeyError("nodes"), "a nodes is missing in it"),
        (ValueError("Expected `object`, got `str` - at `$.features[1]`"), "features[1] is a text, not an object"),
        (ValueError("Expected `array`, got `int`"), "the whole is a number, not a list"),
        (ValueError("Object missing required field `type` - at `$.features[1]`"), "features[1].type is missing"),
        (ValueError("missing , or ]"), "its CRS is not valid"),
        (ValueError("something new"), "it is damaged"),
    ],
)
def test_damage(error: Exception, said: str) -> None:
    assert translate_error(error).startswith(said)
