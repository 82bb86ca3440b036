"""The demo agent: a script that reads its window, and the folder it works in."""
