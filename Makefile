# Two commands on a fresh machine: `make demo` and `make test`. Everything else is for people who change the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo serve test check docs bench clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.tests: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test,check]"
	touch $@

# Tests of databases and of Spark start servers of their own.
$(VENV)/.services: tests/services/install | $(STAMP)
	tests/services/install
	touch $@

demo: $(STAMP)
	$(BIN)/python examples/demo.py

$(VENV)/.web: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[web]"
	touch $@

serve: $(VENV)/.web
	$(BIN)/celosia serve --open

test: $(VENV)/.tests $(VENV)/.services check
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/.docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	touch $@

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The pages are in site/index.html"

# Other packages pin old versions of ours, so they get an environment of their own.
.venv-rivals/.installed: benchmarks/rivals.txt
	$(PYTHON) -m venv .venv-rivals
	.venv-rivals/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/rivals.txt
	touch $@

bench: $(VENV)/.tests $(VENV)/.services .venv-rivals/.installed
	$(BIN)/python benchmarks/full_domain.py
	$(BIN)/python benchmarks/mondrian.py
	$(BIN)/python benchmarks/databases.py
	$(BIN)/python benchmarks/light.py
	$(BIN)/python benchmarks/measure.py
	$(BIN)/python benchmarks/top_down.py
	$(BIN)/python benchmarks/perturb.py
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/spark.py
	$(BIN)/python benchmarks/spark_mondrian.py
	$(BIN)/python benchmarks/measure_suda.py
	$(BIN)/python benchmarks/measure_attacks.py
	$(BIN)/python benchmarks/case_study.py
	$(BIN)/python benchmarks/ledger.py
	$(BIN)/python benchmarks/web.py

clean:
	rm -rf $(VENV) .venv-rivals demo site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
