"""VASSAL modules: component tree and pieces."""
