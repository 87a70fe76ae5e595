"""Kinds of boards, one package each; `kind` says what a kind is, `registry` which there are."""
