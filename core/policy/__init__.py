"""A policy as data: its vocabulary, its parameters, and arithmetic over them."""
