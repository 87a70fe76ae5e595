"""Drawing of the difference of two boards."""
