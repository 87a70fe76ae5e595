"""The one compiler of railroad boards: a document becomes a board, as whole or edit by edit."""
