#!/bin/sh
# Writes requirements.lock anew from pyproject.toml: hashes for every platform, no addresses.
set -eu

if ! command -v uv >/dev/null; then
    echo "make lock needs uv: pipx install uv" >&2
    exit 1
fi
UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile pyproject.toml --extra cluster --group dev --universal --generate-hashes --no-emit-index-url \
    --no-emit-find-links --quiet "$@" -o requirements.lock
if grep -n '://' requirements.lock; then
    echo "requirements.lock must not hold addresses" >&2
    exit 1
fi
