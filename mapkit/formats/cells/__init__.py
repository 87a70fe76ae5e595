"""Tables of cells in text, JSON and workbooks."""
