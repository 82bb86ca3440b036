"""`python -m core`: the same as the installed command `foldline`."""

import sys

from core.cli import main

if __name__ == "__main__":
    sys.exit(main())
