# Two commands for a fresh machine: `make demo` and `make test`. Every target makes .venv if it is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DOCS_INSTALLED := $(VENV)/.docs-installed

.PHONY: demo test lint docs clean

# Train a Carnavalesco policy by self-play, load it back as an opponent, and measure it.
demo: $(INSTALLED)
	$(BIN)/python -m training.demo

# All tests.
test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Style and types.
lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documentation, into site/; a warning is an error.
docs: $(DOCS_INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $(INSTALLED)

$(DOCS_INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	touch $(DOCS_INSTALLED)

clean:
	rm -rf $(VENV) runs site .pytest_cache .mypy_cache .ruff_cache
