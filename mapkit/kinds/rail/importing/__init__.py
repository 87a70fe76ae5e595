"""One-time import of drawings and geodata as station lists; may import sources, trace and editing."""
