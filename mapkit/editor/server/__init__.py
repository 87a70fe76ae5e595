"""The editor's server: one board, its pages, and the page's files, on this machine only."""
