"""Routes of the editor that only railroad boards have."""
