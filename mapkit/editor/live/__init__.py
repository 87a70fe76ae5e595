"""The network of an open board, kept up to date edit by edit, with its checks and what the page draws of it."""
