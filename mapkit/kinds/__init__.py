"""Kinds of boards, one package each; `kind` defines the interface, `registry` lists them."""
