"""Drawings and geodata become station lists, once, when they are imported; may import sources, trace and editing."""
