"""What the page shows of a compiled board: its findings and its drawing, kept up to date edit by edit."""
