"""Operations: public functions whose signatures and docstrings define commands, `--json` and JSON Schemas alike."""
