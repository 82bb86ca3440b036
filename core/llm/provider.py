"""The facts about a provider: its models, its address, and where its key is looked for. Its adapter sends the requests."""

from core.model.session import Frozen


class Provider(Frozen):
    """One way to reach models.

    `name` identifies it in addresses and files, `label` is for people. `models` are suggestions, the default first: any other
    name may be typed. `key_variables` and `base_url_variables` are environment variables, of which the first that is set
    counts; `base_url` is the default address. `needs_key` is whether that address refuses requests without a key.
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
        """The default model; "" where only the server knows its models."""
        return self.models[0] if self.models else ""
