"""On which line of a TOML file a key stands."""


def row_of(text: str, keys: list[str]) -> int:
    """Return the line on which the last key of a path is written, or 1 where it cannot be told."""
    leaf = keys[-1] if keys else ""
    table = [key for key in keys[:-1] if not key.isdigit()]
    index = next((int(key) for key in keys if key.isdigit()), 0)
    current, seen = "", -1
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            head = stripped.split("#")[0].strip()
            current = head.strip("[] ")
            if head.startswith("[[") and table and current == table[0]:
                seen += 1
            if current == leaf or current.endswith(f".{leaf}"):
                return number
        elif stripped.split("=")[0].strip().strip('"') == leaf and current == ".".join(table) and seen in (-1, index):
            return number
    return 1
