"""A provider: who runs models, under what address, and where its key is looked for. Facts only; the adapter is beside it."""

from core.model import Frozen


class Provider(Frozen):
    """One way to reach models, as a module of this folder offers it.

    `name` is what it is called in an address or a file, `label` what people call it. `models` are suggestions, the default
    first: any other name may be typed. `key_variables` and `base_url_variables` are the environment variables that are read,
    the first that is set counts; `base_url` is where requests go if nobody says otherwise. `needs_key` is whether that address
    refuses requests without a key; another address may take them.
    """

    name: str
    label: str
    models: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    base_url_variables: tuple[str, ...] = ()
    base_url: str = ""
    needs_key: bool = True
    docs: str = ""
    about: str = ""

    @property
    def model(self) -> str:
        """The model taken if none is named; "" where the server decides what there is."""
        return self.models[0] if self.models else ""
