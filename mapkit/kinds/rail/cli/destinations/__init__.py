"""Commands on destination charts."""
