# Everything runs from the checkout with the packages in .venv; the project itself is not installed.
.DEFAULT_GOAL := help
PY := .venv/bin/python
NODE := PATH="$(CURDIR)/.venv/bin:$(CURDIR)/node_modules/.bin:$$PATH"
export PYTHON FILE LESSON

.PHONY: help setup run demo test fuzz bench check docs lock screenshot

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/.ready ## make .venv and install what requirements.lock names (the others do it too)
	@:

run: .venv/.ready ## start the app and print its link; FILE=path opens that transcript
	@exec $(PY) -m viewer.serve $${FILE:+"$$FILE"}

demo: .venv/.ready ## play the lessons by themselves, as at a booth; LESSON=2 begins with that one
	@exec $(PY) -m viewer.serve --lesson $${LESSON:-1} --play

test: .venv/.ready node_modules/.ready ## run every test; gets Chromium if there is none; ARGS= goes to pytest
	@chromium=$$($(PY) scripts/chromium.py --install) && \
	PYTHONDONTWRITEBYTECODE= FOLDLINE_CHROMIUM="$$chromium" $(PY) -m pytest -n auto --maxprocesses 4 --dist loadfile --max-worker-restart 0 $(ARGS)

fuzz: .venv/.ready ## damage transcripts at random and open them, for minutes; ARGS="--format F --count N --seed S"
	@$(PY) -m tests.fuzzing $(ARGS)

bench: .venv/.ready ## measure, and print the ratios; ARGS= chooses
	@PYTHONDONTWRITEBYTECODE= $(PY) -m benchmarks $(ARGS)

check: .venv/.ready node_modules/.ready ## format, lint and types of Python and JavaScript; README tables
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(NODE) biome check --error-on-warnings
	$(NODE) tsc

docs: .venv/.ready ## build the documentation as a site and print where it begins
	@$(PY) -m scripts.docs

screenshot: .venv/.ready ## take the README's picture from the app
	@$(PY) -m scripts.screenshot

lock: ## write requirements.lock anew (needs uv); ARGS=--upgrade takes the newest
	@sh scripts/lock.sh $(ARGS)

.venv/.ready: requirements.lock scripts/setup.sh
	@sh scripts/setup.sh

node_modules/.ready: package-lock.json .npmrc .venv/.ready
	@$(NODE) npm ci --silent
	@touch $@
