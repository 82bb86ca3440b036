"""Secrets made up for a test, each where such a thing is found; and names that look like secrets and are none.

They are made when the test runs: no file of the repository holds anything that a scanner would take for a key.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

EACH = 8
_ALL = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"


class Planted(NamedTuple):
    """A text with a secret in it."""

    kind: str
    secret: str
    text: str


class _Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, length: int, letters: str = _ALL) -> str:
        return "".join(self.random.choice(letters) for _ in range(length))

    def url(self, length: int) -> str:
        return self.text(length, _ALL + "-_")

    def one(self, *texts: str) -> str:
        return self.random.choice(texts)

    def jwt(self) -> str:
        head, body = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.text(10)})
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)]
        return ".".join((*parts, self.url(43)))

    def pem(self) -> str:
        lines = "\n".join(self.text(64, _ALL + "+/") for _ in range(6))
        kind = self.one("RSA ", "", "EC ", "OPENSSH ")
        return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


_SECRETS: dict[str, Callable[[_Maker], str]] = {
    "openai project": lambda m: f"sk-proj-{m.url(20)}T3BlbkFJ{m.url(20)}",
    "openai": lambda m: f"sk-{m.text(20)}T3BlbkFJ{m.text(20)}",
    "anthropic": lambda m: f"sk-ant-api03-{m.url(93)}AA",
    "openrouter": lambda m: f"sk-or-v1-{m.text(64, _HEX)}",
    "github": lambda m: f"ghp_{m.text(36)}",
    "github fine": lambda m: f"github_pat_{m.text(22)}_{m.text(59)}",
    "gitlab": lambda m: f"glpat-{m.url(20)}",
    "aws id": lambda m: f"AKIA{m.text(16, string.ascii_uppercase + '234567')}",
    "aws secret": lambda m: m.text(39, _ALL + "/+") + "7",
    "gcp": lambda m: f"AIza{m.url(35)}",
    "slack": lambda m: f"xoxb-{m.text(12, string.digits)}-{m.text(13, string.digits)}-{m.text(24)}",
    "slack hook": lambda m: (
        f"https://hooks.slack.com/services/T{m.text(10, _UPPER)}/B{m.text(10, _UPPER)}/{m.text(24)}"
    ),
    "stripe": lambda m: f"sk_live_{m.text(24)}",
    "hugging face": lambda m: f"hf_{m.text(34, string.ascii_letters)}",
    "npm": lambda m: f"npm_{m.text(36)}",
    "pypi": lambda m: f"pypi-AgEIcHlwaS5vcmc{m.url(70)}",
    "sendgrid": lambda m: f"SG.{m.url(22)}.{m.url(43)}",
    "twilio": lambda m: f"SK{m.text(32, _HEX)}",
    "telegram": lambda m: f"{m.text(10, '123456789')}:AA{m.url(33)}",
    "jwt": lambda m: m.jwt(),
    "private key": lambda m: m.pem(),
    "password in address": lambda m: m.text(14, _ALL + "!$%^*"),
    "password": lambda m: m.one("Tr0ub4dor&3", "hunter2!xyz", "S3cr3t-Pass", "correcthorse7") + m.text(2),
    "bearer": lambda m: m.url(39) + "5",
    "basic": lambda m: base64.b64encode(f"admin:{m.text(12)}".encode()).decode(),
    "mail": lambda m: (
        f"{m.one('anna', 'j.meyer', 'li.wei')}{m.text(2, string.digits)}@{m.one('acme-corp.com', 'uni-koeln.de')}"
    ),
    "home": lambda m: m.one("annameyer", "jdoe42", "liwei", "o.brien") + m.text(2, string.digits),
}
_ANYWHERE = (
    "export API_KEY={}",
    '"apiKey": "{}",',
    "I used the key {} and it worked.",
    "curl -H 'X-Api-Key: {}' https://api.example.com",
    "token = '{}'  # TODO",
    "{}",
    "Error: invalid token {} for project 7",
    '{{"env": {{"TOKEN": "{}"}}}}',
)
_THERE: dict[str, Sequence[str]] = {
    "aws secret": (
        "aws_secret_access_key = {}",
        "export AWS_SECRET_ACCESS_KEY={}",
        '"SecretAccessKey": "{}",',
        "AWS_SECRET_ACCESS_KEY: {}",
    ),
    "password in address": (
        "postgres://app:{}@db.internal:5432/prod",
        "DATABASE_URL=mysql://root:{}@10.0.0.5/x",
        "git clone https://bot:{}@git.example.com/r.git",
        "redis://:{}@cache:6379/0",
    ),
    "password": (
        "password: {}",
        "DB_PASSWORD={}",
        '{{"user": "root", "password": "{}"}}',
        "mysql -u root --password={} shop",
    ),
    "bearer": (
        "Authorization: Bearer {}",
        'curl -H "Authorization: Bearer {}" https://api.example.com/v1/x',
        '{{"Authorization": "Bearer {}"}}',
        '"{{\\"authorization\\": \\"bearer {}\\"}}"',
    ),
    "basic": ("Authorization: Basic {}", '-H "Authorization: Basic {}"', '{{"Authorization": "Basic {}"}}'),
    "twilio": ("TWILIO_API_KEY={}", 'twilio_key = "{}"', "twilio api key: {}", "export TWILIO_SID={}"),
    "home": ("/home/{}/projects/app/main.py", "/Users/{}/code/x.ts", r"C:\Users\{}\src\a.cs", "-Users-{}-code-x"),
    "private key": ("{}", "cat key.pem\n{}", "KEY='{}'", "here it is:\n{}\nok"),
    "mail": ("Author: Anna Meyer <{}>", "mailto:{}", "contact {} please", '"email": "{}"'),
}


def planted(seed: int = 7) -> list[Planted]:
    """Eight secrets of each of 27 kinds."""
    maker, found = _Maker(seed), []
    for kind, make in _SECRETS.items():
        places = _THERE.get(kind, _ANYWHERE)
        for i in range(EACH):
            secret = make(maker)
            found.append(Planted(kind, secret, places[i % len(places)].format(secret)))
    return found


def harmless(count: int, seed: int = 7) -> list[str]:
    """Commit ids, UUIDs, paths, message ids and checksums, as transcripts are full of."""
    m = _Maker(seed)
    folders = ("src", "lib", "core", "tests", "app", "utils", "model", "view", "api")
    kinds: Sequence[Callable[[], str]] = (
        lambda: f"commit {m.text(40, _HEX)}",
        lambda: f"index {m.text(7, _HEX)}..{m.text(7, _HEX)} 100644",
        lambda: f'"id": "{UUID(int=m.random.getrandbits(128))}",',
        lambda: "/".join(m.one(*folders) for _ in range(5)) + f"/{m.text(4, _HEX)}.py:{m.text(3, '123456789')}",
        lambda: f"toolu_{m.text(24)} call_{m.text(24)}",
        lambda: f"sha256:{m.text(64, _HEX)}",
        lambda: f"max_tokens={m.text(4, '123456789')}, tokens: {m.text(5, '123456789')}",
        lambda: f"integrity sha512-{base64.b64encode(m.random.randbytes(64)).decode()}",
    )
    return [kinds[i % len(kinds)]() for i in range(count)]
