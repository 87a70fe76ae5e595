"""Reader of source packages: files become a document, and their mistakes problems."""
