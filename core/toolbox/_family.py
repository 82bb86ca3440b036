"""The noun a tool family is described by."""

from core.model import Frozen


class Family(Frozen):
    """Tools that belong together: the name they are asked for by, what people call them, one line on what they can do.

    `needs_folder` says that they work in a folder a person must choose.
    """

    name: str
    label: str
    about: str
    needs_folder: bool = False
