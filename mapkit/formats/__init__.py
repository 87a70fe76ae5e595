"""Reading of foreign files that no kind of board owns: tables, workbooks, vectors, SVG, XML, ZIP."""
