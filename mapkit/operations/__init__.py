"""Operations: public functions with signatures and docstrings that define commands, `--json` and JSON Schemas."""
