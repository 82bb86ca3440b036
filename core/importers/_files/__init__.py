"""Files as importers read them: a file, a folder, an archive, a database; damage and decoding."""
