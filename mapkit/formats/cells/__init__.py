"""Tables of cells from text, JSON and workbooks."""
