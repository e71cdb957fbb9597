"""Scenes that `volar export` wrote, run in other engines: a file for each engine."""
