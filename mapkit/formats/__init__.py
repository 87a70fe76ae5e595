"""Readers and writers of file formats that no kind of board owns: tables, workbooks, vectors, SVG, XML, ZIP."""
