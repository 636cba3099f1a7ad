# Two commands for a fresh machine: `make demo` and `make test`. Both make .venv if it is missing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint clean

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

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	touch $(INSTALLED)

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache
