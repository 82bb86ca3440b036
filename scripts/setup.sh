#!/bin/sh
# Makes .venv with the locked packages. Run by make, from the repository, when requirements.lock is newer than the last run.
set -eu

suits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if suits "$name"; then echo "$name"; return; fi
    done
    echo "foldline needs Python 3.11 or newer, and found none. Install it, or name it: make PYTHON=/path/to/python3" >&2
    return 1
}

make_venv() {
    python=$(find_python)
    echo "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv && return
    echo "$python could not make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2
    return 1
}

suits .venv/bin/python || make_venv
.venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null
echo "installing from requirements.lock"
# The lock names every package, so nothing is resolved: pip before 23.3 takes coverage[toml] for another package than coverage.
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
touch .venv/.ready
