"""Documents of any kind of board: tables, patches, commands, journal, history, session. It may import core, formats."""
