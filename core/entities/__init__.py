"""What is said where: the texts of messages, a search over all of them, the names in them."""
