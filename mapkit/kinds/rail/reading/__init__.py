"""The one reader of source packages: files become a document, and what is wrong with them becomes problems."""
