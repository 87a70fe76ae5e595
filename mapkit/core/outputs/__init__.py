"""Rules for files that commands write."""
