"""The HTTP routes, and the middleware in front of them."""
