"""VASSAL modules: their component tree and their pieces."""
